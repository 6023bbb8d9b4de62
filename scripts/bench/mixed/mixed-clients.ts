import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import type { Target } from '../http/requests.ts'
import { hexId } from '../ingest/spans.ts'
import { project } from '../payload/calls.ts'
import type { Latencies } from './latencies.ts'
import type { PacedExports } from './paced-exports.ts'

const pauseMsMax = 2_000
const deletedTogether = 100
const spansPerTrace = 8

/**
 * Sends a request, and measures it until its last byte.
 * @throws Error unless it is answered with 200
 */
export async function ask({ url, key }: Target, path: string, body: object): Promise<{ text: string; ms: number }> {
  const startMs = performance.now()
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: project, ...body }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`Ask ${path}: answered ${response.status}: ${text.slice(0, 200)}`)
  return { text, ms: performance.now() - startMs }
}

/** What a reader may ask, by name; about spans that were sent some time ago. */
const questions: Readonly<Record<string, (sent: number, random: SeededRandom) => { path: string; body: object }>> = {
  'newest 50 roots': () => ({
    path: '/calls/stream_query',
    body: {
      filter: { trace_roots_only: true },
      sort_by: [{ field: 'started_at', direction: 'desc' }],
      limit: 50,
    },
  }),
  'newest 50 by model': () => ({
    path: '/calls/stream_query',
    body: {
      query: { $expr: { $eq: [{ $getField: 'attributes.model' }, { $literal: 'gpt-4o' }] } },
      sort_by: [{ field: 'started_at', direction: 'desc' }],
      limit: 50,
    },
  }),
  'call by id': (sent, random) => ({
    path: '/call/read',
    body: { id: hexId(random.integer(0, sent - 1) & ~(spansPerTrace - 1), 8) },
  }),
  'trace of 8': (sent, random) => ({
    path: '/calls/stream_query',
    body: { filter: { trace_ids: [hexId(random.integer(0, sent - 1) & ~(spansPerTrace - 1), 16)] } },
  }),
  'count of all': () => ({ path: '/calls/query_stats', body: {} }),
  'calls of the last hour by minute': () => ({
    path: '/calls/stats',
    body: {
      start: new Date(Date.now() - 3_600_000).toISOString(),
      end: new Date().toISOString(),
      granularity: 60,
      call_metrics: [{ metric: 'latency_ms', aggregations: ['avg'] }, { metric: 'error_count' }],
    },
  }),
}

interface Clients {
  readonly latencies: Latencies
  /** Readers and deletions leave the newest spans alone; this many may still be under way. */
  readonly spansBehind: number
  readonly isOver: () => boolean
}

/** Readers that each ask a question, look at the answer for a second, and ask another. */
export async function readOn(
  target: Target,
  exports: PacedExports,
  { readers, latencies, spansBehind, isOver }: Clients & { readers: number },
): Promise<void> {
  const names = Object.keys(questions)
  const work = async (_: unknown, reader: number) => {
    const random = new SeededRandom(reader)
    await Bun.sleep(random.integer(0, pauseMsMax / 2))
    while (!isOver()) {
      const name = random.pick(names)
      const { path, body } = questions[name]!(Math.max(1, exports.accepted - spansBehind), random)
      const { ms } = await ask(target, path, body)
      latencies.add(name, ms)
      await Bun.sleep(random.integer(0, pauseMsMax))
    }
  }
  await Promise.all(Array.from({ length: readers }, work))
}

/**
 * Deletes some spans every few seconds, and reads at once that they are gone.
 * @returns how many calls were deleted
 */
export async function deleteOn(
  target: Target,
  exports: PacedExports,
  { everyMs, latencies, spansBehind, isOver }: Clients & { everyMs: number },
): Promise<number> {
  let deleted = 0
  for (let round = 0; !isOver(); round++) {
    await Bun.sleep(everyMs)
    const before = exports.accepted - spansBehind
    const first = round * deletedTogether * spansPerTrace
    if (first + deletedTogether * spansPerTrace > before) continue
    // The last span of each of some traces; none has children.
    const call_ids = Array.from({ length: deletedTogether }, (_, at) => hexId(first + (at + 1) * spansPerTrace - 1, 8))
    const { text, ms } = await ask(target, '/calls/delete', { call_ids })
    latencies.add(`deletion of ${deletedTogether}`, ms)
    deleted += Number(JSON.parse(text).num_deleted)
    const left = await ask(target, '/calls/query_stats', { filter: { call_ids } })
    if (JSON.parse(left.text).count !== 0) throw new Error('Read what was deleted: it is still there')
  }
  return deleted
}

/** Follows the calls of the project as they come. @returns how many events came */
export async function tailOn({ url, key }: Target, until: AbortSignal): Promise<number> {
  const response = await fetch(`${url}/calls/live?project_id=${encodeURIComponent(project)}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: until,
  })
  if (response.status !== 200 || response.body === null) throw new Error(`Follow calls: answered ${response.status}`)
  let events = 0
  const decoder = new TextDecoder()
  try {
    for await (const piece of response.body)
      events += decoder.decode(piece, { stream: true }).split('event:').length - 1
  } catch (cause) {
    if (!until.aborted) throw cause
  }
  return events
}
