import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { jaeger } from './jaeger.ts'
import { makeSpans, NotAvailable, type Peer, type Question, questions, type Spans } from './peer.ts'
import { folderBytes, PeerServer, sendDeliveries } from './peer-server.ts'
import { phoenix } from './phoenix.ts'
import { tracelake } from './tracelake.ts'
import { victoriaTraces } from './victoria-traces.ts'

/** What is installed stays here for later runs. */
const toolsFolder = path.join(import.meta.dir, '../../../.tools/peers')

/** The same spans and questions for this program and for other trace stores. */
export const peers: Benchmark = {
  name: 'peers',
  isOnRequest: true,
  comparesVariants: true,
  description:
    '62,000 spans of model calls, one trace of them with 10,000, brought in over OTLP by four connections; then what people ask of a trace store. ' +
    'The same for VictoriaTraces (`--victoria-traces FILE`), Jaeger and Phoenix, which are installed from their registries if those can be reached. ' +
    'Processor time of the ingest is that of the whole life of the server until it has written everything, less that of ' +
    'an idle one. Each question is asked for a second, and then for four more.',
  run: async (bench) => {
    const spans = makeSpans(bench.size(5_200, 60), bench.size(10_000, 100))
    const figures: Figure[] = []
    for await (const peer of available(bench)) figures.push(...(await measure(bench, peer, spans)))
    return figures
  },
}

async function* available(bench: BenchRun): AsyncGenerator<Peer> {
  yield tracelake('OTLP')
  yield tracelake('JSON')
  if (bench.isTiny) return
  await mkdir(toolsFolder, { recursive: true })
  const others: Record<string, () => Peer | Promise<Peer>> = {
    VictoriaTraces: () => victoriaTraces(bench.victoriaTraces),
    Jaeger: () => jaeger(toolsFolder),
    Phoenix: () => phoenix(toolsFolder),
  }
  for (const [name, make] of Object.entries(others)) {
    try {
      yield await make()
    } catch (cause) {
      if (!(cause instanceof NotAvailable)) throw cause
      bench.note(`${name} is left out: ${cause.message}`)
    }
  }
}

async function measure(bench: BenchRun, peer: Peer, spans: Spans): Promise<Figure[]> {
  const variant = `${peer.name} (${peer.version})`
  const folder = bench.newFolder('peer')
  await mkdir(folder, { recursive: true })
  const figures: Figure[] = []
  const add = (measure: string, value: number, unit: Figure['unit']) => {
    figures.push({ variant, measure, value, unit })
    bench.note(`${peer.name}: ${measure} ${value.toFixed(1)} ${unit}`)
  }
  try {
    const idle = await PeerServer.start(peer, folder)
    add('start', idle.startSeconds, 's')
    await settle(bench, idle)
    add('idle memory', (await idle.stats()).rssBytes / 1e6, 'MB')
    const idleSeconds = await idle.stop()

    const server = await PeerServer.start(peer, folder)
    const { url, intakeUrl } = server.launch
    const startMs = performance.now()
    await sendDeliveries(intakeUrl ?? url, peer.deliveries(spans), 4)
    add('acknowledged after', (performance.now() - startMs) / 1000, 's')
    await untilStored(peer, spans, url)
    await settle(bench, server)
    add('ingest, processor time', (await server.stop()) - idleSeconds, 's')
    add('disk', (await folderBytes(folder)) / 1e6, 'MB')

    const asked = await PeerServer.start(peer, folder)
    try {
      await settle(bench, asked)
      const own = await peer.questions(spans, asked.launch.url)
      for (const name of questions) {
        const question = own[name]
        if (question === undefined) continue
        const size = question.sizeOf(await asked.ask(question.request(0)))
        if (size !== question.size) {
          const wrong = `${peer.name} answers ${name} with ${size} instead of ${question.size}`
          if (peer.isOurs) throw new Error(wrong)
          bench.note(wrong)
          continue
        }
        const young = await askOften(bench, asked, question, { from: 2, secondsMax: 1 })
        const { ms, cpuMs } = await askOften(bench, asked, question, { from: 2 + young.times, secondsMax: 4 })
        add(name, ms, 'ms')
        add(`${name}, processor time`, cpuMs, 'ms')
        add(`${name}, processor time at first`, young.cpuMs, 'ms')
      }
    } finally {
      await asked.stop()
    }
  } finally {
    await bench.removeFolder(folder)
  }
  return figures
}

const settle = (bench: BenchRun, server: PeerServer): Promise<void> =>
  bench.isTiny ? Promise.resolve() : server.settle()

const storedMinutesMax = 30

async function untilStored(peer: Peer, spans: Spans, url: string): Promise<void> {
  const startMs = performance.now()
  while (!(await peer.isStored(spans, url))) {
    if (performance.now() - startMs > storedMinutesMax * 60_000)
      throw new Error(`Wait for ${peer.name}: not all spans can be read after ${storedMinutesMax} minutes`)
    await Bun.sleep(1000)
  }
}

/**
 * Median latency and mean processor time of a question. A program whose code is compiled while it
 * runs takes longer at first, so it is asked twice: when it is young, and then.
 */
async function askOften(
  bench: BenchRun,
  server: PeerServer,
  question: Question,
  { from, secondsMax }: { readonly from: number; readonly secondsMax: number },
): Promise<{ ms: number; cpuMs: number; times: number }> {
  const before = (await server.stats()).cpuSeconds
  const startMs = performance.now()
  const latencies: number[] = []
  const timesMin = bench.size(5, 1)
  const isLongEnough = () => bench.isTiny || performance.now() - startMs >= secondsMax * 1000
  while (latencies.length < timesMin || !isLongEnough()) {
    const askedMs = performance.now()
    await server.ask(question.request(from + latencies.length))
    latencies.push(performance.now() - askedMs)
  }
  const times = latencies.length
  const cpuMs = (((await server.stats()).cpuSeconds - before) / times) * 1000
  return { ms: percentile(latencies, 0.5), cpuMs, times }
}
