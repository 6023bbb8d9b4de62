import { cp, readdir } from 'node:fs/promises'
import path from 'node:path'
import { syncFile } from '../../../src/runtime/platform/files/durable-files.ts'
import type { BenchRun } from '../bench-run.ts'
import type { BenchServer } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { postRequest, sendAll } from '../http/requests.ts'
import { exports } from '../ingest/spans.ts'
import { upsertBatches } from '../payload/calls.ts'

const connections = 4
const startsOfEach = 5
const shape = { bytes: 1000, numbers: 'short' } as const

/** What is in the log when the server is killed: rows as two kinds of client send them. */
const backlogs = {
  calls: (server: BenchServer, rows: number) =>
    [...upsertBatches(0, rows, shape, { callsPerBatch: 100, endsLater: 0 })].map(({ body }) =>
      postRequest(server, '/call/upsert_batch', body),
    ),
  spans: (server: BenchServer, rows: number) =>
    [...exports(rows, 512)].map((body) =>
      postRequest(server, '/otel/v1/traces', body, {
        'content-type': 'application/x-protobuf',
        project_id: spanProject,
      }),
    ),
}
const spanProject = 'bench/spans'
const callProject = 'bench/calls'
type Backlog = keyof typeof backlogs

/** More rows than a memtable holds: most of them are in data files when the server is killed. */
const sizes = [100_000, 500_000]

interface Times {
  /** Seconds from the start of the process until it listens. */
  readonly ready: number
  readonly write: number
  readonly answer: number
}

/** From the start of a killed server until it listens, accepts a write, and answers rightly. */
export const restart: Benchmark = {
  name: 'restart',
  description:
    'A server is killed (SIGKILL) after 100,000 calls, or as many spans, of about 1 KB, which are in its write-ahead ' +
    `log and in no data file, and after 500,000. ${startsOfEach} starts over copies of that folder: seconds from the ` +
    'start of the process until it listens, to the first accepted write, and to the first right count of all rows. ' +
    'With --before FOLDER the same at another checkout, by turns.',
  run: async (bench) => {
    const figures: Figure[] = []
    for (const size of sizes.slice(0, bench.size(sizes.length, 1)))
      for (const backlog of Object.keys(backlogs) as Backlog[])
        figures.push(...(await restartWith(bench, backlog, bench.size(size, size / 200))))
    return figures
  },
}

async function restartWith(bench: BenchRun, backlog: Backlog, rows: number): Promise<Figure[]> {
  const data = bench.newFolder('restart')
  await writeBacklog(bench, data, backlog, rows)
  const before = bench.checkoutBefore
  const programs = before === undefined ? [undefined] : [before, undefined]
  const times = new Map(programs.map((program) => [program, [] as Times[]]))
  for (let start = 0; start < bench.size(startsOfEach, 1); start++) {
    for (const program of programs) {
      const copy = bench.newFolder('restart-copy')
      await cp(data, copy, { recursive: true })
      await syncLogs(copy)
      const taken = await timeStart(bench, copy, backlog, rows, program)
      await bench.removeFolder(copy)
      const variant = `${rows} ${backlog}${program === undefined ? '' : ', before'}`
      const seconds = Object.values(taken).map((value: number) => value.toFixed(2))
      bench.note(`${variant}: ${seconds.join(', ')} s`)
      times.get(program)!.push(taken)
    }
  }
  await bench.removeFolder(data)
  return programs.flatMap((program): Figure[] => {
    const variant = `${rows} ${backlog}${program === undefined ? '' : ', before'}`
    const of = (member: keyof Times) => times.get(program)!.map((taken) => taken[member])
    return [
      { variant, measure: 'listens, p50', value: percentile(of('ready'), 0.5), unit: 's' },
      { variant, measure: 'first write, p50', value: percentile(of('write'), 0.5), unit: 's' },
      { variant, measure: 'first answer, p50', value: percentile(of('answer'), 0.5), unit: 's' },
      { variant, measure: 'first answer, slowest', value: Math.max(...of('answer')), unit: 's' },
    ]
  })
}

/** A killed server has synced its log; otherwise the first start would wait for the copy of it. */
async function syncLogs(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true }))
    if (name.endsWith('.arrows')) await syncFile(path.join(folder, name))
}

async function writeBacklog(bench: BenchRun, data: string, backlog: Backlog, rows: number): Promise<void> {
  const server = await bench.startServer(data)
  await sendAll(server.url, backlogs[backlog](server, rows), connections)
  await server.kill()
}

async function timeStart(
  bench: BenchRun,
  data: string,
  backlog: Backlog,
  rows: number,
  program: string | undefined,
): Promise<Times> {
  const startMs = performance.now()
  const server = await bench.startServer(data, program)
  const ready = (performance.now() - startMs) / 1000
  try {
    await ask(server, '/call/start', {
      start: {
        project_id: 'bench/other',
        op_name: 'op',
        started_at: new Date().toISOString(),
        attributes: {},
        inputs: {},
      },
    })
    const write = (performance.now() - startMs) / 1000
    const project = backlog === 'spans' ? spanProject : callProject
    const { count } = await ask(server, '/calls/query_stats', { project_id: project })
    if (count !== rows) throw new Error(`Restart a server with ${rows} rows: it counts ${count}`)
    return { ready, write, answer: (performance.now() - startMs) / 1000 }
  } finally {
    await server.kill()
  }
}

async function ask({ url, key }: BenchServer, path: string, body: unknown): Promise<{ count?: number }> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`Ask a restarted server: ${path} answered ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { count?: number }
}
