import type { BenchRun } from '../bench-run.ts'
import { type BenchServer, runProgram } from '../bench-server.ts'
import { type Figure, percentile } from '../benchmark.ts'
import { sendAll } from '../http/requests.ts'
import type { Kind } from '../ingest/row-life.ts'
import { BenchObjectStore } from './object-store.ts'
import { questionRequests } from './questions.ts'

const requestsPerTurn = 100
const turns = 16
const warmUpRequests = 400
const ratioMax = 1.2
/** The system counts processor time in steps of this. */
const tickSeconds = 0.01

/**
 * What reads of cached data cost in a lake, beside a folder with the same files. Both servers run
 * all the while and are asked by many short turns, so that neither the layout of the files nor what
 * else the machine does decides; the ratio is the median of those of the turns.
 *
 * @param data a folder whose server has stopped
 */
export async function cachedReads(bench: BenchRun, kind: Kind, data: string): Promise<Figure[]> {
  await using store = await BenchObjectStore.start()
  await runProgram(['copy', data, store.env.TRACELAKE_LAKE], store.env)
  await using folder = await bench.startServer(data)
  await using lake = await bench.startServer(bench.newFolder('lake-cache'), undefined, store.env)
  const requests = bench.size(requestsPerTurn, 1)
  const ofFolder = await questionRequests(folder, kind, requests)
  const ofLake = await questionRequests(lake, kind, requests)
  const figures: Figure[] = []
  for (const [question, toFolder] of ofFolder) {
    const sides: readonly Side[] = [
      { server: folder, requests: toFolder },
      { server: lake, requests: ofLake.get(question)! },
    ]
    for (const side of sides)
      for (let sent = 0; sent < bench.size(warmUpRequests, 1); sent += requests) await costOfTurn(side)
    for (const { server } of sides) if (!bench.isTiny) await server.untilIdle()
    const costs: [folder: number, lake: number][] = []
    for (let turn = 0; turn < bench.size(turns, 2); turn++) {
      const [one, other] = turn % 2 === 0 ? sides : sides.toReversed()
      const [first, second] = [await costOfTurn(one!), await costOfTurn(other!)]
      costs.push(turn % 2 === 0 ? [first, second] : [second, first])
    }
    figures.push(...figuresOf(bench, kind, question, costs))
  }
  return figures
}

interface Side {
  readonly server: BenchServer
  readonly requests: readonly Uint8Array[]
}

/** Microseconds of processor time of a request. */
async function costOfTurn({ server, requests }: Side): Promise<number> {
  const before = await server.stats()
  await sendAll(server.url, requests, 1)
  const used = (await server.stats()).cpuSeconds - before.cpuSeconds
  return (Math.max(used, tickSeconds) / requests.length) * 1e6
}

function figuresOf(
  bench: BenchRun,
  kind: Kind,
  question: string,
  costs: readonly (readonly [folder: number, lake: number])[],
): Figure[] {
  const ratios = costs.map(([folder, lake]) => lake / folder)
  const value = percentile(ratios, 0.5)
  const [from, to] = [percentile(ratios, 0.25), percentile(ratios, 0.75)]
  const [inFolder, inLake] = [0, 1].map((side) =>
    percentile(
      costs.map((cost) => cost[side]!),
      0.5,
    ),
  )
  bench.note(
    `${kind}, ${question}: ${inFolder!.toFixed(0)} µs in a folder, ${inLake!.toFixed(0)} µs in a lake, ` +
      `ratio ${value.toFixed(2)} (half of the turns ${from.toFixed(2)} to ${to.toFixed(2)})`,
  )
  const measure = `processor time of ${question}`
  return [
    { variant: `${kind} in a folder`, measure, value: inFolder!, unit: 'µs' },
    { variant: `${kind} in a lake`, measure, value: inLake!, unit: 'µs' },
    { variant: kind, measure: `ratio of ${question}`, value, unit: '', target: { max: ratioMax } },
    { variant: kind, measure: `ratio of ${question}, lower quartile`, value: from, unit: '' },
    { variant: kind, measure: `ratio of ${question}, upper quartile`, value: to, unit: '' },
  ]
}
