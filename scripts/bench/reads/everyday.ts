import type { Benchmark } from '../benchmark.ts'
import { sendAll } from '../http/load.ts'
import { postRequest } from '../http/requests.ts'
import { startedMs, traceId } from '../payload/call-ids.ts'
import { project } from '../payload/calls.ts'
import { percentile } from '../percentile.ts'
import { storeOfCalls } from './store-of-calls.ts'

const newestFirst = [{ field: 'started_at', direction: 'desc' }]
const startedAt = { $getField: 'started_at' }
const at = (ms: number) => ({ $literal: ms / 1000 })

/** Common queries over the traces of a project, by name. */
function questionsAbout(storedCalls: number): Record<string, { path: string; body: object }> {
  const fromMs = startedMs(Math.floor(storedCalls / 2))
  const anHour = { $and: [{ $gt: [startedAt, at(fromMs)] }, { $not: [{ $gt: [startedAt, at(fromMs + 3_600_000)] }] }] }
  const isError = { $eq: [{ $getField: 'summary.ext.status' }, { $literal: 'error' }] }
  const page = (body: object) => ({ path: '/calls/stream_query', body: { sort_by: newestFirst, limit: 50, ...body } })
  const count = (body: object) => ({ path: '/calls/query_stats', body })
  return {
    'newest 50': page({}),
    'newest 50 roots': page({ filter: { trace_roots_only: true } }),
    'newest 50 with an error': page({ query: { $expr: isError } }),
    'the 50 after a thousand': page({ offset: 1_000 }),
    'oldest 50': page({ sort_by: [] }),
    'newest 50 of an hour in the middle': page({ query: { $expr: anHour } }),
    'one trace': page({ filter: { trace_ids: [traceId(Math.floor(storedCalls / 3))] } }),
    'count of the project': count({}),
    'count of roots': count({ filter: { trace_roots_only: true } }),
    'count of an hour': count({ query: { $expr: anHour } }),
  }
}

export const everyday: Benchmark = {
  name: 'everyday',
  description:
    'Pages and counts that somebody asks for who looks at the traces of a project, whole calls, one connection, all in Parquet: a million ' +
    'calls, or as many as `--calls` says.',
  run: async (bench) => {
    await using server = await bench.startServer(await storeOfCalls(bench))
    const figures = []
    for (const [variant, { path, body }] of Object.entries(questionsAbout(bench.storedCalls))) {
      const request = postRequest(server, path, JSON.stringify({ project_id: project, ...body }))
      await sendAll(server.url, [request, request], 1)
      const times = bench.size(40, 1)
      bench.note(`${variant}, ${times} times`)
      const { latenciesMs } = await sendAll(server.url, Array<Uint8Array>(times).fill(request), 1)
      for (const share of [0.5, 0.95])
        figures.push({
          variant,
          measure: `p${share * 100}`,
          value: percentile(latenciesMs, share),
          unit: 'ms' as const,
        })
    }
    return figures
  },
}
