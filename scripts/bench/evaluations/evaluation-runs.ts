import type { BenchRun } from '../bench-run.ts'
import { type Benchmark, type Figure, percentile } from '../benchmark.ts'
import { postRequest, sendAll, type Target } from '../http/requests.ts'
import { buildStoreOfEvaluations, type EvaluationSize, evaluationId, project } from './evaluation-calls.ts'

/** What people wait for in lists and comparisons of runs, as far as the server makes them wait. */
export const evaluationRuns: Benchmark = {
  name: 'evaluation-runs',
  description:
    'POST /evaluations/runs/query over 200 runs of 40 rows with 5 scorers, before and after a kill; POST ' +
    '/evaluations/compare_rows and /compare over 20 runs of 10,000 rows. One connection.',
  run: async (bench) => [...(await listOfRuns(bench)), ...(await comparison(bench))],
}

async function listOfRuns(bench: BenchRun): Promise<Figure[]> {
  const size = { evaluations: bench.size(200, 4), rows: bench.size(40, 5) }
  const data = await buildStoreOfEvaluations(bench, size)
  const variant = `list of ${size.evaluations} runs`
  const body = { project_id: project, limit: 200 }
  const figures: Figure[] = []
  const add = (measure: string, value: number, max?: number) =>
    figures.push({ variant, measure, value, unit: 'ms', ...(max !== undefined && { target: { max } }) })
  {
    await using server = await bench.startServer(data)
    add('first time', await msOf(server, '/evaluations/runs/query', body))
    const again: number[] = []
    for (let time = 0; time < bench.size(15, 1); time++) again.push(await msOf(server, '/evaluations/runs/query', body))
    add('p50', percentile(again, 0.5), 150)
  }
  await using server = await bench.startServer(data)
  add('first time after a restart', await msOf(server, '/evaluations/runs/query', body))
  return figures
}

async function comparison(bench: BenchRun): Promise<Figure[]> {
  const size: EvaluationSize = { evaluations: bench.size(20, 3), rows: bench.size(10_000, 20) }
  const data = await buildStoreOfEvaluations(bench, size)
  const variant = `comparison of ${size.evaluations} runs of ${size.rows} rows`
  await using server = await bench.startServer(data)
  const ids = Array.from({ length: size.evaluations }, (_, evaluation) => evaluationId(evaluation, size))
  const body = { project_id: project, evaluation_call_ids: ids, limit: 100 }
  const figures: Figure[] = []
  const first: number[] = []
  figures.push({
    variant,
    measure: 'first rows, nothing stored',
    value: await msOf(server, '/evaluations/compare_rows', body),
    unit: 'ms',
  })
  const before = await server.stats()
  const times = bench.size(5, 1)
  for (let time = 0; time < times; time++) {
    // Another order of the runs is another view: only what is stored helps.
    const evaluation_call_ids = [...ids.slice(time + 1), ...ids.slice(0, time + 1)]
    first.push(await msOf(server, '/evaluations/compare_rows', { ...body, evaluation_call_ids }))
  }
  figures.push({
    variant,
    measure: 'first rows, p50',
    value: percentile(first, 0.5),
    unit: 'ms',
    target: { max: 1_000 },
  })
  const seconds = (await server.stats()).cpuSeconds - before.cpuSeconds
  figures.push({ variant, measure: 'first rows, processor time', value: (1000 * seconds) / times, unit: 'ms' })
  const { view } = await answerOf(server, '/evaluations/compare_rows', body)
  for (const [measure, change] of [
    ['sorted by loss', { sort: 'loss' }],
    ['only regressions', { show: 'regressions', sort: 'loss' }],
  ] as const) {
    const sorted: number[] = []
    const idle = await server.stats()
    for (let time = 0; time < times; time++)
      sorted.push(await msOf(server, '/evaluations/compare_rows', { ...body, view, ...change }))
    const used = (await server.stats()).cpuSeconds - idle.cpuSeconds
    figures.push({ variant, measure: `${measure}, processor time`, value: (1000 * used) / times, unit: 'ms' })
    figures.push({
      variant,
      measure: `${measure}, p50`,
      value: percentile(sorted, 0.5),
      unit: 'ms',
      target: { max: 300 },
    })
  }
  const verdicts = await msOf(server, '/evaluations/compare', { ...body, limit: undefined, view })
  figures.push({ variant, measure: 'verdicts on all scores', value: verdicts, unit: 'ms' })
  return figures
}

async function msOf(server: Target & { url: string }, path: string, body: object): Promise<number> {
  const request = postRequest(server, path, JSON.stringify(body))
  return percentile((await sendAll(server.url, [request], 1)).latenciesMs, 0.5)
}

async function answerOf(server: Target & { url: string }, path: string, body: object): Promise<{ view: string }> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`Ask ${path}: ${response.status} ${text}`)
  const answer: { view: string } = JSON.parse(text)
  return answer
}
