import { inNeutralNames } from '../../formats/dialect/names.ts'
import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { limits } from '../../lib/limits.ts'
import { readLines } from '../input/lines.ts'
import type { CallRecord, ImportRecord } from '../record.ts'
import type { ServerClient } from '../sender/server-client.ts'
import { type Copies, jsonRequest } from './copies.ts'
import type { RefRewriter } from './ref-rewriter.ts'

type Members = Readonly<Record<string, unknown>>

const firstPageSize = 1_000

/** All calls, the oldest first, with the files and tables that they refer to. */
export async function* weaveCalls(from: ServerClient, refs: RefRewriter, copies: Copies): AsyncGenerator<ImportRecord> {
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
    const last = Math.floor(Date.parse(String(calls.at(-1)!['started_at'])) / 1000)
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
  for await (const line of readLines(answer.body as unknown as AsyncIterable<Uint8Array>, () => {})) {
    calls.push(inNeutralNames(parseJsonExactly(line, limits.jsonDepthMax) as Members))
  }
  return calls
}

function callRecord(call: Members, from: ServerClient, refs: RefRewriter): CallRecord {
  const text = (name: string) => (typeof call[name] === 'string' ? (call[name] as string) : null)
  const rewritten = (name: string) => refs.rewrite(call[name]) as Record<string, unknown>
  const { otel_span, ...attributes } = rewritten('attributes') ?? {}
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
    inputs: rewritten('inputs') ?? {},
    ext_run_id: text('ext_run_id'),
    ...(isJsonObject(otel_span) && { otel_dump: otel_span }),
  }
  const endedAt = text('ended_at')
  if (endedAt === null) return { kind: 'call', call: start }
  const end = {
    ended_at: endedAt,
    exception: text('exception'),
    output: rewritten('output'),
    summary: ownSummary(call['summary']),
  }
  return { kind: 'call', call: { ...start, ...end } }
}

/** What the client has sent, without what the server computes. */
function ownSummary(summary: unknown): Record<string, unknown> {
  if (!isJsonObject(summary)) return {}
  return Object.fromEntries(Object.entries(summary).filter(([name]) => name !== 'weave' && name !== 'ext'))
}
