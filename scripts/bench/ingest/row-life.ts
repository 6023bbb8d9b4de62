import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { BenchRun } from '../bench-run.ts'
import type { BenchServer } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { postRequest, sendAll } from '../http/requests.ts'
import { upsertBatches } from '../payload/calls.ts'
import { exports } from './spans.ts'

const connections = 4
const rowsPerRequest = 512
/** More than a memtable holds, so that a flush is behind the server when the measured rows come. */
const rowsBefore = 157 * rowsPerRequest
const rowsMeasured = 274 * rowsPerRequest
/** A log of this size has no rows, but the entries of a few other tables. */
const emptyLogBytes = 200_000
const checkMs = 500
const quietChecks = 4

/** Rows of both kinds as clients send them, from the row of a number. */
export const requestsOf = {
  spans: (server: BenchServer, first: number, rows: number) =>
    [...exports(rows, rowsPerRequest, { first })].map((body) =>
      postRequest(server, '/otel/v1/traces', body, {
        'content-type': 'application/x-protobuf',
        project_id: 'bench/spans',
      }),
    ),
  calls: (server: BenchServer, first: number, rows: number) =>
    [
      ...upsertBatches(first, first + rows, { bytes: 1000, numbers: 'short' }, { callsPerBatch: 100, endsLater: 0 }),
    ].map(({ body }) => postRequest(server, '/call/upsert_batch', body)),
}
export type Kind = keyof typeof requestsOf

/** The processor time that a row takes until it is in a data file with all indexes, by thread. */
export const rowLife: Benchmark = {
  name: 'row-life',
  description:
    `Spans by exports of ${rowsPerRequest}, and calls in batches of 100, of about 1 KB, over ${connections} ` +
    `connections: ${rowsMeasured} of them after ${rowsBefore} others, until all are in data files with their ` +
    'indexes. Processor time by name of thread; threads of DuckDB have the name of the pool that starts them. With ' +
    '--before FOLDER the same at another checkout, by turns.',
  run: async (bench) => {
    const figures: Figure[] = []
    const before = bench.checkoutBefore
    for (const kind of Object.keys(requestsOf) as Kind[])
      for (const program of before === undefined ? [undefined] : [before, undefined])
        figures.push(...(await lifeOf(bench, kind, program)))
    return figures
  },
}

async function lifeOf(bench: BenchRun, kind: Kind, program: string | undefined): Promise<Figure[]> {
  const data = bench.newFolder('row-life')
  const rows = bench.size(rowsMeasured, rowsPerRequest)
  const first = bench.size(rowsBefore, rowsPerRequest)
  const variant = `${kind}${program === undefined ? '' : ', before'}`
  try {
    await using server = await bench.startServer(data, program)
    await sendAll(server.url, requestsOf[kind](server, 0, first), connections)
    if (!bench.isTiny) await server.untilIdle()
    const threads = new ThreadTimes(server)
    await threads.begin()
    const { seconds } = await sendAll(server.url, requestsOf[kind](server, first, rows), connections)
    // Threads end when they are idle, so their times are read all the while.
    for (let quiet = 0; quiet < quietChecks && !bench.isTiny; ) {
      await Bun.sleep(checkMs)
      await threads.look()
      quiet = (await logBytes(data)) < emptyLogBytes ? quiet + 1 : 0
    }
    const times = await threads.end()
    const all = times.values().reduce((sum, time) => sum + time, 0)
    const memory = (await server.stats()).rssBytesMax
    bench.note(`${variant}: ${((all / rows) * 1e6).toFixed(1)} µs, ${(rows / seconds).toFixed(0)} rows/s`)
    return [
      { variant, measure: 'all threads, for a row', value: (all / rows) * 1e6, unit: 'µs' },
      ...[...times].map(
        ([name, time]): Figure => ({
          variant,
          measure: `${name}, for a row`,
          value: (time / rows) * 1e6,
          unit: 'µs',
        }),
      ),
      { variant, measure: 'highest memory', value: memory / 1e6, unit: 'MB' },
    ]
  } finally {
    await bench.removeFolder(data)
  }
}

async function logBytes(data: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(data, { recursive: true }))
    if (name.endsWith('.arrows')) bytes += (await stat(path.join(data, name)).catch(() => ({ size: 0 }))).size
  return bytes
}

/** Seconds that threads have used, by name, from `begin` to `end`. */
class ThreadTimes {
  private readonly server: BenchServer
  private readonly seen = new Map<string, { readonly name: string; readonly seconds: number }>()
  private before: ReadonlyMap<string, number> = new Map()

  constructor(server: BenchServer) {
    this.server = server
  }

  async begin(): Promise<void> {
    await this.look()
    this.before = this.sums()
  }

  async look(): Promise<void> {
    for (const [id, thread] of await this.server.threads()) this.seen.set(id, thread)
  }

  /** The largest first. */
  async end(): Promise<ReadonlyMap<string, number>> {
    await this.look()
    const used = [...this.sums()].map(([name, seconds]) => [name, seconds - (this.before.get(name) ?? 0)] as const)
    return new Map(used.filter(([, seconds]) => seconds > 0).sort(([, a], [, b]) => b - a))
  }

  private sums(): Map<string, number> {
    const sums = new Map<string, number>()
    for (const { name, seconds } of this.seen.values()) sums.set(name, (sums.get(name) ?? 0) + seconds)
    return sums
  }
}
