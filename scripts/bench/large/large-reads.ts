import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { postRequest, sendAll } from '../http/requests.ts'
import { project } from '../payload/calls.ts'
import { copyOfLargeStore, firstMicros, madeUpId, madeUpTrace, rareWord, stepMicros } from './large-store.ts'

const asked = 'Pages, single calls, conditions on paths, words and lists in a store of'
const kept = 'every other id random, one connection. The store is kept in the temporary folder for later runs.'

/** Latency and processor time of questions about a project with millions of calls. */
export const largeReads = readsOf({
  name: 'large-reads',
  description: `${asked} 10 million calls of about 1.1 KB (or \`--calls\`), ${kept}`,
  calls: 10_000_000,
  rowsPerFile: 131_072,
  proseChars: 650,
})

/** The same with calls of 20 KB, of which files hold fewer. */
export const largeReads20k = readsOf({
  name: 'large-reads-20k',
  description: `${asked} 500,000 calls of about 20 KB (or \`--calls\`), ${kept}`,
  calls: 500_000,
  rowsPerFile: 8_192,
  proseChars: 19_500,
})

interface StoreOfCalls {
  readonly name: string
  readonly description: string
  /** Unless the command line says otherwise. */
  readonly calls: number
  readonly rowsPerFile: number
  readonly proseChars: number
}

function readsOf({ name, description, calls, rowsPerFile, proseChars }: StoreOfCalls): Benchmark {
  const run = async (bench: BenchRun): Promise<Figure[]> => {
    const shape = bench.isTiny
      ? { files: 2, rowsPerFile: 500, proseChars }
      : { files: Math.ceil((bench.largeCalls ?? calls) / rowsPerFile), rowsPerFile, proseChars }
    const data = await copyOfLargeStore(bench, shape)
    const figures: Figure[] = []
    {
      await using server = await bench.startServer(data)
      for (const [variant, { path, body }] of Object.entries(largeQuestions(shape.files * shape.rowsPerFile))) {
        const request = (time: number) =>
          postRequest(server, path, JSON.stringify({ project_id: project, ...body(time) }))
        const warming = await sendAll(server.url, [request(0), request(1)], 1)
        // About two seconds each.
        const times = bench.size(Math.max(5, Math.min(200, Math.floor(2 / warming.seconds))), 1)
        const before = (await server.stats()).cpuSeconds
        const { latenciesMs } = await sendAll(
          server.url,
          Array.from({ length: times }, (_, time) => request(time + 2)),
          1,
        )
        const cpuMs = (((await server.stats()).cpuSeconds - before) / times) * 1000
        const value = percentile(latenciesMs, 0.5)
        bench.note(`${variant}: ${value.toFixed(1)} ms, ${cpuMs.toFixed(1)} ms of processor time, ${times} times`)
        figures.push(
          { variant, measure: 'p50', value, unit: 'ms' },
          { variant, measure: 'processor time', value: cpuMs, unit: 'ms' },
        )
      }
    }
    await bench.removeFolder(data)
    return figures
  }
  return { name, description, run }
}

/** A request, and how to vary it from one time to the next. */
interface LargeQuestion {
  readonly path: string
  readonly body: (time: number) => object
}

const literal = (value: unknown) => ({ $literal: value })
const field = (path: string) => ({ $getField: path })
const equals = (path: string, value: unknown) => ({ $expr: { $eq: [field(path), literal(value)] } })
const newestFirst = [{ field: 'started_at', direction: 'desc' }]
const page = (body: object) => ({ sort_by: newestFirst, limit: 50, ...body })
const isoTime = (micros: number) => new Date(micros / 1000).toISOString()

const startOf = (call: number) => firstMicros + call * stepMicros

/** What people ask of a large project, by name. */
function largeQuestions(calls: number): Record<string, LargeQuestion> {
  /** An odd multiple scatters the times over all calls. */
  const call = (time: number) => ((time + 1) * 7_919_113) % calls
  const fixed = (path: string, body: object): LargeQuestion => ({ path, body: () => body })
  const count = (query: object) => fixed('/calls/query_stats', { query })
  const contains = (word: string) => ({
    $expr: { $contains: { input: field('output.message'), substr: literal(word) } },
  })
  const search = (text: string) => fixed('/calls/search', { text, limit: 20 })
  const ofModel = equals('inputs.model', 'gpt-4o')
  return {
    'newest 50': fixed('/calls/stream_query', page({})),
    'oldest 50': fixed('/calls/stream_query', { sort_by: [{ field: 'started_at', direction: 'asc' }], limit: 50 }),
    'newest 50 roots': fixed('/calls/stream_query', page({ filter: { trace_roots_only: true } })),
    'newest 50 at 1,000': fixed('/calls/stream_query', page({ offset: 1000 })),
    'newest 50 at 100,000': fixed('/calls/stream_query', page({ offset: 100_000 })),
    '50 before a time': {
      path: '/calls/stream_query',
      body: (time) => page({ query: { $expr: { $lt: [field('started_at'), literal(startOf(call(time)) / 1e6)] } } }),
    },
    'count of an hour': {
      path: '/calls/query_stats',
      body: (time) => ({
        query: {
          $expr: {
            $and: [
              { $gte: [field('started_at'), literal(startOf(call(time)) / 1e6)] },
              { $lt: [field('started_at'), literal(startOf(call(time)) / 1e6 + 3600)] },
            ],
          },
        },
      }),
    },
    'call by id': { path: '/call/read', body: (time) => ({ id: madeUpId(call(time)) }) },
    'trace of 10': {
      path: '/calls/stream_query',
      body: (time) => ({ filter: { trace_ids: [madeUpTrace(call(time))] }, sort_by: newestFirst }),
    },
    'tree of a trace of 10': {
      path: '/trace/read',
      body: (time) => ({ trace_id: madeUpTrace(call(time)) }),
    },
    'thread of 400': {
      path: '/calls/stream_query',
      body: (time) => ({
        filter: { thread_ids: [`thread-${Math.floor(call(time) / 400)}`] },
        sort_by: newestFirst,
        columns: ['id', 'op_name', 'started_at'],
      }),
    },
    'page of a thread': {
      path: '/calls/stream_query',
      body: (time) => page({ filter: { thread_ids: [`thread-${Math.floor(call(time) / 400)}`] } }),
    },
    'newest 50 threads': fixed('/threads/stream_query', { limit: 50 }),
    'count of all': fixed('/calls/query_stats', {}),
    'count by inputs.model': count(ofModel),
    'count by attributes.environment': count(equals('attributes.environment', 'staging')),
    'count by attributes.customer, 200 match': count(equals('attributes.customer', 'customer-77')),
    'count by output.score > 0.998': count({ $expr: { $gt: [field('output.score'), literal(0.998)] } }),
    'newest 50 by inputs.model': fixed('/calls/stream_query', page({ query: ofModel })),
    'newest 50 by attributes.customer': fixed(
      '/calls/stream_query',
      page({ query: equals('attributes.customer', 'customer-77') }),
    ),
    'top 50 by output.score': fixed(
      '/calls/stream_query',
      page({ sort_by: [{ field: 'output.score', direction: 'desc' }], columns: ['id', 'output'] }),
    ),
    'count of an absent word': count(contains('Xylophagous')),
    'count of a rare word': count(contains(rareWord)),
    'count of a frequent word': count(contains('bal')),
    'search for an absent word': search('xylophagous'),
    'search for a rare word': search(rareWord.toLowerCase()),
    'search for a frequent word': search('bal'),
    'list of fields': fixed('/calls/fields', {}),
    'values of inputs.model': fixed('/calls/values', { path: 'inputs.model' }),
    'values of attributes.customer': fixed('/calls/values', { path: 'attributes.customer' }),
    'values of op_name': fixed('/calls/values', { path: 'op_name' }),
    'calls by day': fixed('/calls/stats', {
      start: isoTime(firstMicros),
      end: isoTime(firstMicros + calls * stepMicros),
      granularity: 86_400,
      call_metrics: [{ metric: 'latency_ms', aggregations: ['avg'] }, { metric: 'error_count' }],
    }),
  }
}
