import { dialects } from '../../formats/dialect/dialect.ts'
import { utf8Bytes } from '../../runtime/platform/crypto.ts'
import { forTarget, type Target } from '../record.ts'
import { numberIn, objectsIn } from '../reply.ts'
import { encodedAs, type Lane, mayBeOneRecord, type Outcome, type Prepare, type Prepared } from './lane.ts'
import { RefusedRequest, type ServerClient } from './server-client.ts'

/** Members under the names that a server uses. */
const inDialect = (members: Readonly<Record<string, unknown>>, dialect: Target['dialect']) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [dialects[dialect].nameOf(name), value]))

/** Calls: finished ones start and end together, running ones only start. */
export const prepareCall: Prepare<'call'> = (record, { project, dialect }) => {
  const call = forTarget(record.call, { project, dialect })
  const isFinished = 'ended_at' in call
  const member = inDialect({ project_id: project, ...call }, dialect)
  const text = JSON.stringify(isFinished ? member : { mode: 'start', req: { start: member } })
  const lane = isFinished ? finishedCalls : runningCalls
  return { lane, what: 'calls', group: '', bytes: utf8Bytes(text), encoded: { kind: 'members', text }, id: call.id }
}

/** The number of stored calls among `ids`. */
export async function countCalls(client: ServerClient, ids: readonly string[]): Promise<number> {
  const reply = await client.post('/calls/query_stats', { project_id: client.project, filter: { call_ids: ids } })
  return numberIn(reply, 'count')
}

const finishedCalls: Lane = {
  send: (client, records) => {
    const [entity, project] = client.project.split('/').map(encodeURIComponent)
    return postBatch(client, `/v2/${entity}/${project}/calls/complete`, records)
  },
}

const runningCalls: Lane = {
  send: (client, records) => postBatch(client, '/call/upsert_batch', records),
}

/** Posts `{"batch": [...]}`, of which the server stores all or nothing. */
async function postBatch(client: ServerClient, path: string, records: readonly Prepared[]): Promise<Outcome> {
  const members = encodedAs('members', records).map((encoded) => encoded.text)
  const { status, text } = await client.send(path, `{"batch":[${members.join(',')}]}`, {
    'content-type': 'application/json',
  })
  if (status < 400) return {}
  if (mayBeOneRecord(status)) return { refused: `${status} ${text.slice(0, 300)}` }
  throw new RefusedRequest(path, status, text.slice(0, 1000))
}

/** The number of calls in the project. */
export async function countProject(client: ServerClient): Promise<number> {
  const reply = await client.post('/calls/query_stats', { project_id: client.project })
  return numberIn(reply, 'count')
}

/** Feedback in bulk. Its ids make repetitions harmless. */
export const prepareFeedback: Prepare<'feedback'> = ({ about, ...record }, { project, dialect }) => {
  const feedback = forTarget(record.feedback, { project, dialect })
  const ref = 'ref' in about ? about.ref : `${dialect}:///${project}/call/${about.callId}`
  const text = JSON.stringify(inDialect({ project_id: project, ext_ref: ref, ...feedback }, dialect))
  const encoded = { kind: 'members', text } as const
  return { lane, what: 'feedback', group: '', bytes: utf8Bytes(text), encoded, id: feedback.id }
}

const lane: Lane = {
  send: (client, records) => postBatch(client, '/feedback/batch/create', records),
}

/** The number of stored feedback among `ids`. */
export async function countFeedback(client: ServerClient, ids: readonly string[]): Promise<number> {
  const reply = await client.post('/feedback/query', {
    project_id: client.project,
    fields: ['id'],
    query: { $expr: { $in: [{ $getField: 'id' }, ids.map((id) => ({ $literal: id }))] } },
  })
  return objectsIn(reply, 'result').length
}
