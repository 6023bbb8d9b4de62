import { inNeutralNames } from '../../formats/dialect/names.ts'
import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { systemOutboundHttp } from '../../runtime/http/outbound-http.ts'
import { responseLines } from '../input/lines.ts'
import { membersOf } from '../inspect/members.ts'
import type { CallRecord, ImportRecord, Target } from '../record.ts'
import { objectsIn } from '../reply.ts'
import { ServerClient } from '../sender/server-client.ts'
import type { ImportInput, Source } from '../source.ts'
import { Copies, jsonRequest, RefRewriter, weaveObjects } from './objects.ts'

type Members = Readonly<Record<string, unknown>>

const firstPageSize = 1_000

/** All calls, the oldest first, with the files and tables that they refer to. */
async function* weaveCalls(from: ServerClient, refs: RefRewriter, copies: Copies): AsyncGenerator<ImportRecord> {
  for await (const page of pagesOf(from)) {
    for (const call of page) {
      yield* copies.neededBy(call['inputs'])
      yield* copies.neededBy(call['output'])
    }
    for (const call of page) yield callRecord(call, from, refs)
  }
}

/**
 * Pages by time: an offset becomes slow, and shifts while calls arrive. The calls of the last
 * second are read again with the next page.
 */
async function* pagesOf(from: ServerClient): AsyncGenerator<Members[]> {
  let since = 0
  let seen = new Set<string>()
  for (let limit = firstPageSize; ; ) {
    const body = {
      project_id: from.project,
      limit,
      sort_by: ['started_at', 'id'].map((field) => ({ field, direction: 'asc' })),
      query: { $expr: { $gte: [{ $getField: 'started_at' }, { $literal: since }] } },
    }
    const calls = await readCalls(from, JSON.stringify(body))
    const page = calls.filter(({ id }) => !seen.has(String(id)))
    yield page
    if (calls.length < limit) return
    const last = Math.floor(Date.parse(String(calls.at(-1)?.['started_at'])) / 1000)
    // A second with more calls than a page.
    if (last === since) limit *= 2
    since = last
    seen = new Set(
      calls.filter((call) => Date.parse(String(call['started_at'])) / 1000 >= last).map(({ id }) => String(id)),
    )
  }
}

async function readCalls(from: ServerClient, body: string): Promise<Members[]> {
  const answer = await from.open('/calls/stream_query', jsonRequest(body))
  const calls: Members[] = []
  for await (const line of responseLines(answer)) {
    calls.push(inNeutralNames(membersOf(parseJsonExactly(line, requestLimits.jsonDepthMax))))
  }
  return calls
}

function callRecord(call: Members, from: ServerClient, refs: RefRewriter): CallRecord {
  const text = (name: string): string | null => {
    const value = call[name]
    return typeof value === 'string' ? value : null
  }
  const { otel_span, ...attributes } = membersOf(refs.rewrite(call['attributes']))
  const user = text('ext_user_id')
  const origin = { source: 'weave', version: 'api', file: from.project, ...(user !== null && { user }) }
  const start = {
    id: String(call['id']),
    trace_id: String(call['trace_id']),
    parent_id: text('parent_id'),
    op_name: refs.rewriteText(String(call['op_name'])),
    display_name: text('display_name'),
    thread_id: text('thread_id'),
    turn_id: text('turn_id'),
    started_at: String(call['started_at']),
    attributes: { ...attributes, import: origin },
    inputs: membersOf(refs.rewrite(call['inputs'])),
    ext_run_id: text('ext_run_id'),
    ...(isJsonObject(otel_span) && { otel_dump: otel_span }),
  }
  const endedAt = text('ended_at')
  if (endedAt === null) return { kind: 'call', call: start }
  const end = {
    ended_at: endedAt,
    exception: text('exception'),
    output: refs.rewrite(call['output']),
    summary: ownSummary(call['summary']),
  }
  return { kind: 'call', call: { ...start, ...end } }
}

/** The members that the client has sent, without those that the server computes. */
function ownSummary(summary: unknown): Record<string, unknown> {
  if (!isJsonObject(summary)) return {}
  return Object.fromEntries(Object.entries(summary).filter(([name]) => name !== 'weave' && name !== 'ext'))
}

type Price = Readonly<Record<string, unknown>>

const members = [
  'prompt_token_cost',
  'completion_token_cost',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
  'prompt_token_cost_unit',
  'completion_token_cost_unit',
  'effective_date',
  'provider_id',
] as const

/** The prices that were set in the project; those that the target has already are left out. */
async function* weavePrices(from: ServerClient): AsyncGenerator<ImportRecord> {
  for (const price of await pricesOf(from, from.project)) {
    // A server also lists the prices that it ships with.
    if ((price['pricing_level'] ?? 'project') !== 'project') continue
    yield { kind: 'request', what: 'prices', name: String(price['llm_id']), send: (target) => setPrice(price, target) }
  }
}

async function setPrice(price: Price, target: Target): Promise<void> {
  const wanted = identity(price)
  if ((await pricesOf(target, target.project)).some((existing) => identity(existing) === wanted)) return
  const given = members.flatMap((name) =>
    price[name] === null || price[name] === undefined ? [] : [[name, price[name]]],
  )
  const costs = { [String(price['llm_id'])]: Object.fromEntries(given) }
  await target.post('/cost/create', { project_id: target.project, costs })
}

async function pricesOf(server: Pick<Target, 'post'>, project: string): Promise<readonly Price[]> {
  return objectsIn(await server.post('/cost/query', { project_id: project }), 'results')
}

const identity = (price: Price): string =>
  JSON.stringify(
    ['llm_id', ...members].map((name) => (name === 'effective_date' ? time(price[name]) : (price[name] ?? null))),
  )

const time = (text: unknown): number => Date.parse(String(text))

const pageSize = 500

/** Members that the server sets itself, or that refer to queues, which are not imported. */
const notSent = new Set(['project_id', 'ext_ref', 'ext_user_id', 'created_at', 'queue_id'])

/** All feedback, the oldest first. */
async function* weaveFeedback(from: ServerClient, refs: RefRewriter): AsyncGenerator<ImportRecord> {
  for (let offset = 0; ; offset += pageSize) {
    const body = {
      project_id: from.project,
      limit: pageSize,
      offset,
      sort_by: [{ field: 'created_at', direction: 'asc' }],
    }
    const result = objectsIn(await from.post('/feedback/query', body), 'result')
    for (const one of result) {
      const members = inNeutralNames(one)
      const rewritten = Object.fromEntries(
        Object.entries(members)
          .filter(([name, value]) => value !== null && !notSent.has(name))
          .map(([name, value]) => [name, refs.rewrite(value)]),
      )
      const { id, feedback_type, payload, ...others } = rewritten
      yield {
        kind: 'feedback',
        about: { ref: refs.rewriteText(String(members['ext_ref'])) },
        feedback: {
          ...others,
          id: String(id),
          feedback_type: String(feedback_type),
          payload: isJsonObject(payload) ? payload : {},
        },
      }
    }
    if (result.length < pageSize) return
  }
}

/** A project of a Weave server, or of a tracelake server in either dialect, over its API. */
export const weave: Source = {
  name: 'weave',
  summary: 'a project of a Weave server over its API (--select entity/project, --source-key)',
  async *parts(input) {
    const from = await connect(input)
    const refs = new RefRewriter(from.project, input.project)
    const copies = new Copies(from, refs)
    // Digests of rewritten objects are known only to the process that has sent them, so objects are
    // always sent.
    const now = String(Date.now())
    yield { name: 'objects', version: now, records: () => weaveObjects(from, refs, copies) }
    yield { name: 'prices', version: '1', records: () => weavePrices(from) }
    yield { name: 'calls', version: '1', records: () => weaveCalls(from, refs, copies) }
    yield { name: 'feedback', version: '1', records: () => weaveFeedback(from, refs) }
  },
}

async function connect({ place, key, select, project }: ImportInput): Promise<ServerClient> {
  if (!/^https?:/.test(place)) throw new Error(`"${place}" is not the address of a Weave server`)
  const from = new ServerClient({ url: place, key, project: select ?? project }, systemOutboundHttp, () => {})
  await from.connect()
  return from
}
