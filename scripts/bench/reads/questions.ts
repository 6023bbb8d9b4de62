import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { sendAll } from '../http/load.ts'
import { postRequest, type Target } from '../http/requests.ts'
import { callId, startedMs } from '../payload/call-ids.ts'
import { project } from '../payload/calls.ts'
import { percentile } from '../percentile.ts'
import { handWrittenMs, numberOf } from './hand-written.ts'
import { parquetFiles } from './parquet-files.ts'
import { storeOfCalls } from './store-of-calls.ts'

const literal = (value: unknown) => ({ $literal: value })
const field = (path: string) => ({ $getField: path })

/** Filters over payloads, statistics and a page with extras, in a store with a million calls. */
export const questions: Benchmark = {
  name: 'questions',
  description:
    'Counts by conditions on payloads, statistics by hour, and the newest 50 with costs and feedback, from 1,000,000 calls in Parquet, one ' +
    'connection. Ceiling: the same count in hand-written DuckDB SQL over the same files.',
  run: async (bench) => {
    const data = await storeOfCalls(bench)
    const files = await parquetFiles(data)
    await using server = await bench.startServer(data)
    return [
      ...(await filterByPath(bench, server, files)),
      ...(await searchPayloads(bench, server, files)),
      ...(await statistics(bench, server)),
      ...(await pageWithExtras(bench, server)),
    ]
  },
}

async function filterByPath(bench: BenchRun, server: Target, files: string): Promise<Figure[]> {
  const query = { $expr: { $eq: [field('inputs.model'), literal('gpt-4o-mini')] } }
  const sql = `SELECT count(*) FROM ${files} WHERE project_id = $1 AND json_extract_string(inputs, '$.model') = 'gpt-4o-mini'`
  const value = await medianMs(bench, server, '/calls/query_stats', { project_id: project, query })
  const ceiling = percentile(await handWrittenMs(sql, [project], bench.size(10, 1)), 0.5)
  return [{ variant: 'inputs.model equals', measure: 'p50', value, unit: 'ms', ceiling, target: { ratioMin: 1 / 1.3 } }]
}

async function searchPayloads(bench: BenchRun, server: Target, files: string): Promise<Figure[]> {
  const condition = { $contains: { input: field('output'), substr: literal('never written') } }
  const body = { project_id: project, query: { $expr: condition } }
  const sql = `SELECT count(*) FROM ${files} WHERE project_id = $1 AND contains(output, 'never written')`
  const value = await medianMs(bench, server, '/calls/query_stats', body)
  const ceiling = percentile(await handWrittenMs(sql, [project], bench.size(10, 1)), 0.5)
  const megabytes = await numberOf(`SELECT sum(strlen(output))::DOUBLE / 1e6 FROM ${files}`)
  return [
    { variant: 'output contains', measure: 'p50', value, unit: 'ms', ceiling },
    { variant: 'output contains', measure: 'searched', value: megabytes / (value / 1000), unit: 'MB/s' },
  ]
}

async function statistics(bench: BenchRun, server: Target): Promise<Figure[]> {
  const body = {
    project_id: project,
    start: new Date(startedMs(0)).toISOString(),
    end: new Date(startedMs(bench.storedCalls - 1) + 1).toISOString(),
    granularity: 3600,
    call_metrics: [{ metric: 'latency_ms', aggregations: ['avg'], percentiles: [95] }, { metric: 'error_count' }],
  }
  const value = await medianMs(bench, server, '/calls/stats', body)
  return [{ variant: 'calls/stats by hour', measure: 'p50', value, unit: 'ms', target: { max: 150 } }]
}

async function pageWithExtras(bench: BenchRun, server: Target): Promise<Figure[]> {
  const newest = Array.from({ length: 50 }, (_, index) => callId(bench.storedCalls - 1 - index))
  const batch = newest.map((id) => ({
    project_id: project,
    ext_ref: `ext:///${project}/call/${id}`,
    feedback_type: 'ext.note.1',
    payload: { note: 'made for the benchmark' },
  }))
  await sendAll(server.url, [postRequest(server, '/feedback/batch/create', JSON.stringify({ batch }))], 1)
  const body = {
    project_id: project,
    limit: 50,
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    include_costs: true,
    include_feedback: true,
  }
  const value = await medianMs(bench, server, '/calls/stream_query', body)
  return [{ variant: 'newest 50 with costs and feedback', measure: 'p50', value, unit: 'ms', target: { max: 60 } }]
}

async function medianMs(bench: BenchRun, server: Target, path: string, body: object): Promise<number> {
  const request = postRequest(server, path, JSON.stringify(body))
  await sendAll(server.url, [request, request], 1)
  const runs = Array<Uint8Array>(bench.size(20, 1)).fill(request)
  return percentile((await sendAll(server.url, runs, 1)).latenciesMs, 0.5)
}
