import type { BenchRun } from '../bench-run.ts'
import type { BenchServer } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { Connection } from '../http/connection.ts'
import { postRequest, sendAll } from '../http/requests.ts'
import { loadAverages } from '../machine.ts'
import { project, upsertBatches } from '../payload/calls.ts'
import type { LargeShape } from './large-store.ts'
import { copyOfLargeStore, indexBytes } from './large-store.ts'

const connections = 4
const batching = { callsPerBatch: 100, endsLater: 0 }
const shape = { bytes: 1100, numbers: 'short', ids: 'mixed' } as const

interface Store {
  readonly name: string
  readonly data: () => Promise<string>
  readonly calls: number
  readonly micros: number[]
}

/** Whether the size of a store affects the cost of a new call and the latency of reads. */
export const largeIngest: Benchmark = {
  name: 'large-ingest',
  description:
    'Processor time of the server for a call of about 1.1 KB (every other id random) into an empty store, into one of 10 million calls (or `--calls`) and into a simulated one ' +
    'of 1,000 data files, by turns; then a count every second during full ingest into the large one. Stores are kept in the temporary folder for later runs.',
  run: async (bench) => {
    const shapes = shapesOf(bench)
    const large = storeOf(bench, 'large', shapes.large)
    const many = storeOf(bench, '1,000 files simulated', shapes.many)
    const empty: Store = { name: 'empty', calls: 0, micros: [], data: async () => bench.newFolder('empty') }
    const turns = bench.size(3, 1)
    let first = 100_000_000
    for (let turn = 0; turn < turns; turn++) {
      for (const store of [empty, large, many]) {
        first += 1_000_000
        await takeTurn(bench, store, first)
      }
    }
    const counts = await countsDuringIngest(bench, await large.data(), first + 1_000_000)
    const figures: Figure[] = []
    const base = percentile(empty.micros, 0.5)
    for (const { name, calls, micros } of [empty, large, many]) {
      const variant = calls === 0 ? name : `${name}, ${calls.toLocaleString('en')} calls`
      const value = percentile(micros, 0.5)
      const target = calls === 0 ? {} : { target: { max: base * 1.1 } }
      figures.push({ variant, measure: 'server CPU for a call', value, unit: 'µs', ceiling: base, ...target })
      for (const [at, one] of micros.entries())
        figures.push({ variant, measure: `the same, turn ${at + 1}`, value: one, unit: 'µs' })
    }
    const variant = 'large, full ingest'
    const slowest = Math.max(...counts.latenciesMs)
    figures.push({ variant, measure: 'slowest count', value: slowest, unit: 'ms', target: { max: 1000 } })
    const idle = percentile(counts.idleMs, 0.5)
    figures.push({ variant, measure: 'count without ingest, p50', value: idle, unit: 'ms' })
    for (const share of [0.5, 0.95])
      figures.push({
        variant,
        measure: `count, p${share * 100}`,
        value: percentile(counts.latenciesMs, share),
        unit: 'ms',
      })
    figures.push({ variant, measure: 'calls meanwhile', value: counts.callsPerSecond, unit: 'calls/s' })
    for (const { name, calls, data } of [large, many]) {
      const bytes = await indexBytes(await data())
      const of = (measure: string, value: number): Figure => ({
        variant: name,
        measure,
        value: value / calls,
        unit: 'bytes',
      })
      figures.push(
        of('index on the disk, for a call', bytes.keys + bytes.groups),
        of('groups in memory, for a call', bytes.groups),
      )
      await bench.removeFolder(await data())
    }
    return figures
  },
}

function shapesOf(bench: BenchRun): { large: LargeShape; many: LargeShape } {
  if (bench.isTiny)
    return {
      large: { files: 2, rowsPerFile: 500, proseChars: 650 },
      many: { files: 5, rowsPerFile: 100, proseChars: 650, isSimulated: true },
    }
  const rowsPerFile = 131_072
  return {
    large: { files: Math.ceil((bench.largeCalls ?? 10_000_000) / rowsPerFile), rowsPerFile, proseChars: 650 },
    many: { files: 1000, rowsPerFile: 65_536, proseChars: 650, isSimulated: true },
  }
}

function storeOf(bench: BenchRun, name: string, large: LargeShape): Store {
  let data: Promise<string> | undefined
  return {
    name,
    calls: large.files * large.rowsPerFile,
    micros: [],
    data: () => {
      data ??= copyOfLargeStore(bench, large)
      return data
    },
  }
}

/** Starts a server, warms it up, and measures the cost of calls including background work. */
async function takeTurn(bench: BenchRun, store: Store, first: number): Promise<void> {
  const [warming, measured] = [bench.size(20_000, 200), bench.size(150_000, 400)]
  await using server = await bench.startServer(await store.data())
  await settle(bench, server)
  await sendAll(server.url, requests(server, first, first + warming), connections)
  await settle(bench, server)
  const before = await server.stats()
  const from = first + warming
  const load = await sendAll(server.url, requests(server, from, from + measured), connections)
  await settle(bench, server)
  const micros = (((await server.stats()).cpuSeconds - before.cpuSeconds) / measured) * 1e6
  store.micros.push(micros)
  await sendAll(server.url, requests(server, from + measured, from + measured + warming), connections)
  const startMs = performance.now()
  await sendAll(server.url, [countRequest(server)], 1)
  const countMs = performance.now() - startMs
  bench.note(
    `${store.name}: ${micros.toFixed(1)} µs a call, ${(measured / load.seconds).toFixed(0)} calls/s, count after them ${countMs.toFixed(0)} ms, ` +
      `${((await server.stats()).rssBytes / 1e6).toFixed(0)} MB, load ${loadAverages()}`,
  )
}

/** Waits until the server is idle. */
async function settle(bench: BenchRun, server: BenchServer): Promise<void> {
  if (bench.isTiny) return
  let quiet = 0
  for (let half = 0; half < 120 && quiet < 4; half++) {
    const before = await server.stats()
    await Bun.sleep(500)
    quiet = (await server.stats()).cpuSeconds - before.cpuSeconds <= 0.02 ? quiet + 1 : 0
  }
}

async function countsDuringIngest(bench: BenchRun, data: string, first: number) {
  const calls = bench.size(1_000_000, 400)
  await using server = await bench.startServer(data)
  await settle(bench, server)
  const latenciesMs: number[] = []
  let isDone = false
  const count = countRequest(server)
  await sendAll(server.url, [count, count], 1)
  const idle = await sendAll(server.url, Array<Uint8Array>(bench.size(10, 1)).fill(count), 1)
  bench.note(`counts without ingest: ${idle.latenciesMs.map((ms) => ms.toFixed(0)).join(' ')} ms`)
  const counting = (async () => {
    using connection = await Connection.open(server.url)
    do {
      const { status, totalMs } = await connection.exchange(count)
      if (status !== 200) throw new Error(`Count during ingest: answered ${status}`)
      latenciesMs.push(totalMs)
      bench.note(`count: ${totalMs.toFixed(0)} ms, load ${loadAverages()}`)
      await Bun.sleep(Math.max(0, 1000 - totalMs))
    } while (!isDone)
  })()
  try {
    const load = await sendAll(server.url, requests(server, first, first + calls), connections)
    return { latenciesMs, idleMs: idle.latenciesMs, callsPerSecond: calls / load.seconds }
  } finally {
    isDone = true
    await counting
  }
}

const countRequest = (server: BenchServer): Uint8Array =>
  postRequest(server, '/calls/query_stats', JSON.stringify({ project_id: project }))

function* requests(server: BenchServer, from: number, to: number): Generator<Uint8Array> {
  for (const { body } of upsertBatches(from, to, shape, batching)) yield postRequest(server, '/call/upsert_batch', body)
}
