import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { postRequest, sendAll } from '../http/requests.ts'
import { buildStoreOfEvaluations, type EvaluationSize, evaluationId, project } from './evaluation-calls.ts'

const sortBy = (field: string, mode = 'value') => ({ field, direction: 'desc', mode })
const isAbove = (path: string, value: number) => ({
  query: { $expr: { $gt: [{ $getField: path }, { $literal: value }] } },
})

/** Queries over the evaluations; 50 rows per page. */
const questions: readonly { variant: string; request: object; isPage: boolean }[] = [
  { variant: 'first page', request: {}, isPage: true },
  { variant: 'page in the middle', request: { offset: 5_000 }, isPage: true },
  { variant: 'page of rows that all have', request: { require_intersection: true }, isPage: true },
  { variant: 'page by a score', request: { sort_by: [sortBy('scores.similarity')] }, isPage: true },
  {
    variant: 'page by a difference, filtered',
    request: {
      sort_by: [sortBy('scores.similarity', 'difference')],
      filters: [isAbove('scores.judge.confidence', 0.5)],
    },
    isPage: true,
  },
  { variant: 'first page with costs', request: { include_costs: true }, isPage: true },
  { variant: 'summary alone', request: { include_rows: false, include_summary: true }, isPage: false },
  {
    variant: 'summary with costs',
    request: { include_rows: false, include_summary: true, include_costs: true },
    isPage: false,
  },
]

/** Pages and statistics of compared evaluations. */
export const evalResults: Benchmark = {
  name: 'eval-results',
  description:
    'POST eval_results/query over 20 evaluations of 10,000 rows with 5 scorers, and over 2 of them: 1,400,020 calls in Parquet, one connection.',
  run: async (bench) => {
    const size = { evaluations: bench.size(20, 3), rows: bench.size(10_000, 20) }
    const data = await buildStoreOfEvaluations(bench, size)
    const figures: Figure[] = []
    await using server = await bench.startServer(data)
    for (const compared of [size.evaluations, 2]) {
      for (const { variant, request, isPage } of questions) {
        const body = { evaluation_call_ids: idsOf(compared, size), limit: 50, ...request }
        const value = await medianMs(bench, server, body)
        const target = isPage ? { max: 1_000 } : {}
        figures.push({ variant: `${compared} evaluations, ${variant}`, measure: 'p50', value, unit: 'ms', target })
      }
    }
    return figures
  },
}

const idsOf = (count: number, size: EvaluationSize): string[] =>
  Array.from({ length: count }, (_, evaluation) => evaluationId(evaluation, size))

async function medianMs(bench: BenchRun, server: Parameters<typeof postRequest>[0] & { url: string }, body: object) {
  const request = postRequest(server, `/v2/${project}/eval_results/query`, JSON.stringify(body))
  await sendAll(server.url, [request], 1)
  const runs = Array<Uint8Array>(bench.size(9, 1)).fill(request)
  return percentile((await sendAll(server.url, runs, 1)).latenciesMs, 0.5)
}
