import { utf8Bytes } from '../../runtime/platform/crypto.ts'
import { forTarget } from '../record.ts'
import { postBatch } from './call-lane.ts'
import { inDialect } from './in-dialect.ts'
import type { Lane, Prepare } from './lane.ts'
import type { ServerClient } from './server-client.ts'

/** Feedback in bulk. Its ids make repetitions harmless. */
export const prepareFeedback: Prepare<'feedback'> = ({ about, ...record }, { project, dialect }) => {
  const feedback = forTarget(record.feedback, { project, dialect })
  const ref = 'ref' in about ? about.ref : `${dialect}:///${project}/call/${about.callId}`
  const text = JSON.stringify(inDialect({ project_id: project, ext_ref: ref, ...feedback }, dialect))
  return { lane, what: 'feedback', group: '', bytes: utf8Bytes(text), encoded: text, id: feedback.id }
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
  return (reply as { result: unknown[] }).result.length
}
