import type { BenchRun } from '../bench-run.ts'
import type { BenchServer } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { sendAll } from '../http/requests.ts'
import { type Kind, requestsOf } from '../ingest/row-life.ts'
import { cachedReads } from './cached-reads.ts'
import { BenchObjectStore } from './object-store.ts'

const connections = 4
const rowsPerRequest = 512
const rowsBefore = 40 * rowsPerRequest
const rowsMeasured = 274 * rowsPerRequest
const checkMs = 500
const quietChecks = 4
const idleSeconds = 20
const slowSeconds = 40
const standbyStartsMs = 5_000

/** What a lake costs more than a folder: processor time, and requests to the store. */
export const lakeCost: Benchmark = {
  name: 'lake-cost',
  description:
    `The load of row-life on a folder and on a lake, by turns: ${rowsMeasured} spans and calls until they are in data ` +
    'files. Then questions about cached data, to both at the same time, with the same files. The store is an S3 ' +
    'server in memory, in another process whose time does not count. Then requests to the store while nothing ' +
    'happens, beside a standby, and with one span a second.',
  run: async (bench) => {
    const figures: Figure[] = []
    for (const kind of ['spans', 'calls'] as const) {
      const data = bench.newFolder('lake-cost')
      figures.push(...(await costOf(bench, kind, data)))
      figures.push(...(await costInLake(bench, kind)))
      figures.push(...(await cachedReads(bench, kind, data)))
      await bench.removeFolder(data)
    }
    figures.push(...(await requestsOverTime(bench)))
    return figures
  },
}

async function costInLake(bench: BenchRun, kind: Kind): Promise<Figure[]> {
  await using store = await BenchObjectStore.start()
  const cache = bench.newFolder('lake-cost')
  const figures = await costOf(bench, kind, cache, store)
  await bench.removeFolder(cache)
  return figures
}

async function costOf(bench: BenchRun, kind: Kind, data: string, store?: BenchObjectStore): Promise<Figure[]> {
  const rows = bench.size(rowsMeasured, rowsPerRequest)
  const variant = `${kind} in ${store === undefined ? 'a folder' : 'a lake'}`
  await using server = await bench.startServer(data, undefined, store?.env)
  await sendAll(server.url, requestsOf[kind](server, 0, bench.size(rowsBefore, rowsPerRequest)), connections)
  await untilFlushed(bench, server)
  const [before, sent] = [await server.stats(), await StoreCounts.of(server)]
  await sendAll(server.url, requestsOf[kind](server, rowsBefore, rows), connections)
  await untilFlushed(bench, server)
  const used = ((await server.stats()).cpuSeconds - before.cpuSeconds) / rows
  bench.note(`${variant}: ${(used * 1e6).toFixed(1)} µs a row`)
  return [
    { variant, measure: 'processor time of a row', value: used * 1e6, unit: 'µs' },
    ...(store === undefined ? [] : (await StoreCounts.of(server)).figuresSince(sent, variant, 1e6 / rows)),
  ]
}

/** Requests while nothing happens, beside a standby, and with one span a second. */
async function requestsOverTime(bench: BenchRun): Promise<Figure[]> {
  return [...(await requestsAtRest(bench)), ...(await requestsOfFewSpans(bench))]
}

async function requestsAtRest(bench: BenchRun): Promise<Figure[]> {
  await using store = await BenchObjectStore.start()
  await using server = await bench.startServer(bench.newFolder('lake-idle'), undefined, store.env)
  const seconds = bench.size(idleSeconds, 1)
  const alone = await requestsDuring(bench, store, 'nothing happens', () => Bun.sleep(seconds * 1000))
  const standby = bench.startServer(bench.newFolder('lake-standby'), undefined, store.env)
  // It checks the store before it waits.
  await Bun.sleep(bench.size(standbyStartsMs, 1000))
  const beside = await requestsDuring(bench, store, 'beside a standby', () => Bun.sleep(seconds * 1000))
  await server.stop()
  await (await standby).stop()
  return [...alone, ...beside]
}

async function requestsOfFewSpans(bench: BenchRun): Promise<Figure[]> {
  await using store = await BenchObjectStore.start()
  await using server = await bench.startServer(bench.newFolder('lake-few'), undefined, store.env)
  return await requestsDuring(bench, store, 'one span a second', async () => {
    for (let second = 0; second < bench.size(slowSeconds, 1); second++) {
      await sendAll(server.url, requestsOf.spans(server, second, 1), 1)
      await Bun.sleep(1000)
    }
  })
}

async function requestsDuring(
  bench: BenchRun,
  store: BenchObjectStore,
  variant: string,
  work: () => Promise<void>,
): Promise<Figure[]> {
  const before = await store.counts()
  const startMs = performance.now()
  await work()
  const hours = (performance.now() - startMs) / 3_600_000
  const after = await store.counts()
  return billedKinds.map((kind) => {
    const value = ((after.get(kind) ?? 0) - (before.get(kind) ?? 0)) / hours
    bench.note(`${variant}: ${value.toFixed(0)} ${kind} an hour`)
    return { variant, measure: `${kind} requests an hour`, value, unit: '' }
  })
}

const billedKinds = ['put', 'get', 'list', 'head', 'delete'] as const

/** Waits until all rows are in data files. */
async function untilFlushed(bench: BenchRun, server: BenchServer): Promise<void> {
  for (let quiet = 0; quiet < quietChecks && !bench.isTiny; ) {
    await Bun.sleep(checkMs)
    const rows = sumOf(await metricsOf(server), 'tracelake_memtable_rows')
    quiet = rows < 100 ? quiet + 1 : 0
  }
}

const metricsOf = async ({ url, key }: BenchServer): Promise<string> =>
  await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).text()

/** The sum of the values of a metric, of those with these labels. */
function sumOf(text: string, name: string, labels = ''): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

/** Requests of a node to its store, and their bytes, by kind. */
class StoreCounts {
  private readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  static async of(server: BenchServer): Promise<StoreCounts> {
    return new StoreCounts(await metricsOf(server))
  }

  figuresSince(before: StoreCounts, variant: string, times: number): Figure[] {
    const since = (name: string, labels?: string) =>
      (sumOf(this.text, name, labels) - sumOf(before.text, name, labels)) * times
    return [
      ...billedKinds.map(
        (kind): Figure => ({
          variant,
          measure: `${kind} requests for a million rows`,
          value: since('tracelake_lake_requests_total', `kind="${kind}"`),
          unit: '',
        }),
      ),
      {
        variant,
        measure: 'sent for a million rows',
        value: since('tracelake_lake_sent_bytes_total') / 1e6,
        unit: 'MB',
      },
    ]
  }
}
