import { readdir } from 'node:fs/promises'
import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import { TableLayout } from '../../../src/engine/layout.ts'
import { callsTable } from '../../../src/engine/tables/calls-table.ts'
import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { postRequest, sendAll } from '../http/requests.ts'
import { copyByLinks, copyOfLargeStore, madeUpId, madeUpTrace } from '../large/large-store.ts'
import { addSimulatedFiles } from '../large/repeated-store.ts'
import { loadAverages } from '../machine.ts'
import { project } from '../payload/calls.ts'

const rowsPerFile = 131_072

/** What the size of a store costs at a start, in memory, and in reads by random ids. */
export const largeStart: Benchmark = {
  name: 'large-start',
  description:
    'Process start to the first answered GET /health, memory then and after reads, and reads of one call by its id and of traces, of stores of 10 and 100 ' +
    'million calls: a million, and links of a file of them whose indexes have other keys. By turns with `--before FOLDER`, if given. ' +
    'The million is kept in the temporary folder for later runs.',
  run: async (bench) => {
    const real = bench.size(8, 2)
    const shape = { files: real, rowsPerFile: bench.size(rowsPerFile, 500), proseChars: 650 }
    const figures: Figure[] = []
    for (const simulated of [bench.size(69, 2), bench.size(755, 8)]) {
      const first = await copyOfLargeStore(bench, shape)
      await addSimulatedFiles(first, simulated)
      const calls = `${((real + simulated) * shape.rowsPerFile).toLocaleString('en')} calls`
      const programs = [{ name: 'now', checkout: undefined as string | undefined, data: first }]
      if (bench.checkoutBefore !== undefined) {
        programs.unshift({ name: 'before', checkout: bench.checkoutBefore, data: bench.newFolder('before') })
        await copyByLinks(first, programs[0]!.data)
      }
      for (const { name, checkout, data } of programs) await writeGroups(bench, `${calls}, ${name}`, data, checkout)
      for (let turn = 1; turn <= bench.size(2, 1); turn++)
        for (const { name, checkout, data } of programs)
          figures.push(...(await oneStart(bench, `${calls}, ${name}, turn ${turn}`, { data, checkout, shape, turn })))
      await bench.removeFolder(first)
    }
    return figures
  },
}

/** The first start writes the groups in the background. */
async function writeGroups(bench: BenchRun, name: string, data: string, checkout?: string): Promise<void> {
  const startMs = performance.now()
  await using server = await bench.startServer(data, checkout)
  if (!bench.isTiny) {
    const folder = new TableLayout(data, callsTable.name).filters
    while (!(await readdir(folder)).some((name) => name.endsWith('.group'))) await Bun.sleep(500)
    await server.untilIdle()
  }
  const { cpuSeconds, rssBytesMax } = await server.stats()
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
  bench.note(`${name}: groups after ${seconds} s, ${cpuSeconds} s of processor time, ${mb(rssBytesMax)} MB at most`)
}

interface Start {
  readonly data: string
  readonly checkout: string | undefined
  readonly shape: { readonly files: number; readonly rowsPerFile: number }
  readonly turn: number
}

async function oneStart(bench: BenchRun, variant: string, { data, checkout, shape, turn }: Start): Promise<Figure[]> {
  const startMs = performance.now()
  await using server = await bench.startServer(data, checkout)
  const answer = await fetch(`${server.url}/health`)
  if (!answer.ok) throw new Error(`Start a server: /health answered ${answer.status}`)
  const startedMs = performance.now() - startMs
  const started = await server.stats()
  const figures: Figure[] = [
    { variant, measure: 'start', value: startedMs, unit: 'ms', target: { max: 2000 } },
    { variant, measure: 'start, processor time', value: started.cpuSeconds * 1000, unit: 'ms' },
    { variant, measure: 'memory then', value: started.rssBytes / 1e6, unit: 'MB', target: { max: 400 } },
  ]
  if (!bench.isTiny) await server.untilIdle()
  figures.push({ variant, measure: 'memory, idle', value: (await server.stats()).rssBytes / 1e6, unit: 'MB' })
  const random = new SeededRandom(turn)
  const call = () => random.integer(0, (shape.files * shape.rowsPerFile) / 2 - 1) * 2
  const bodies: Record<string, () => unknown> = {
    'a call by a random id': () => ({ id: madeUpId(call()) }),
    'a missing random id': () => ({ id: madeUpId(-call() - 2) }),
    'a trace of 10': () => ({ filter: { trace_ids: [madeUpTrace(call())] }, limit: 10 }),
  }
  for (const [measure, body] of Object.entries(bodies)) {
    const path = measure.startsWith('a trace') ? '/calls/stream_query' : '/call/read'
    const requests = (count: number) =>
      Array.from({ length: count }, () =>
        postRequest(server, path, JSON.stringify({ project_id: project, ...(body() as object) })),
      )
    await sendAll(server.url, requests(bench.size(100, 5)), 1)
    const before = (await server.stats()).cpuSeconds
    const count = bench.size(200, 5)
    const { latenciesMs } = await sendAll(server.url, requests(count), 1)
    const cpuMs = (((await server.stats()).cpuSeconds - before) / count) * 1000
    figures.push(
      { variant, measure, value: percentile(latenciesMs, 0.5), unit: 'ms' },
      { variant, measure: `${measure}, processor time`, value: cpuMs, unit: 'ms' },
    )
  }
  figures.push({ variant, measure: 'memory after reads', value: (await server.stats()).rssBytes / 1e6, unit: 'MB' })
  bench.note(
    `${variant}: ${figures.map(({ value, unit }) => `${value.toFixed(1)} ${unit}`).join(', ')}, load ${loadAverages()}`,
  )
  return figures
}

const mb = (bytes: number): string => (bytes / 1e6).toFixed(0)
