import type { Benchmark } from '../benchmark.ts'
import { sendAll } from '../http/load.ts'
import { postRequest } from '../http/requests.ts'
import { project } from '../payload/calls.ts'
import { percentile } from '../percentile.ts'
import { handWrittenMs } from './hand-written.ts'
import { parquetFiles } from './parquet-files.ts'
import { storeOfCalls } from './store-of-calls.ts'

const rowsOfPage = 50

/** The first view of a list of calls: the newest page with all columns. */
export const newestPage: Benchmark = {
  name: 'newest-page',
  description:
    `POST /calls/stream_query for the newest ${rowsOfPage} of 1,000,000 calls, all columns, one connection. Ceiling: DuckDB’s ` +
    'SELECT * … ORDER BY started_at DESC, id DESC LIMIT over the same files, given newest first.',
  run: async (bench) => {
    const pages = bench.size(200, 5)
    const data = await storeOfCalls(bench)
    const body = JSON.stringify({
      project_id: project,
      limit: rowsOfPage,
      sort_by: [{ field: 'started_at', direction: 'desc' }],
    })
    await using server = await bench.startServer(data)
    const request = postRequest(server, '/calls/stream_query', body)
    await sendAll(server.url, Array<Uint8Array>(bench.size(20, 1)).fill(request), 1)
    bench.note(`reading ${pages} pages`)
    const { latenciesMs } = await sendAll(server.url, Array<Uint8Array>(pages).fill(request), 1)
    const sql = `SELECT * FROM ${await parquetFiles(data)} WHERE project_id = $1 ORDER BY started_at DESC, id DESC LIMIT ${rowsOfPage}`
    const ceilingMs = await handWrittenMs(sql, [project], pages)
    return [0.5, 0.99].map((share) => ({
      variant: `newest ${rowsOfPage}`,
      measure: `p${share * 100}`,
      value: percentile(latenciesMs, share),
      unit: 'ms' as const,
      ceiling: percentile(ceilingMs, share),
    }))
  },
}
