import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { sendAll } from '../http/load.ts'
import { postRequest } from '../http/requests.ts'
import { exports } from '../otlp/spans.ts'
import { upsertBatches } from '../payload/batches.ts'
import { percentile } from '../percentile.ts'
import type { BenchServer } from '../server/bench-server.ts'

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

/** From the start of a killed server to its first accepted write and its first right answer. */
export const restart: Benchmark = {
  name: 'restart',
  description:
    'A server is killed (SIGKILL) with 100,000 calls, or as many spans, of about 1 KB in its write-ahead log that ' +
    `are in no data file. ${startsOfEach} starts over the same log: seconds from the start of the process to the ` +
    'first accepted write and to the first right count of all rows. With --before FOLDER the same at another ' +
    'checkout, by turns.',
  run: async (bench) => {
    const figures: Figure[] = []
    for (const backlog of Object.keys(backlogs) as Backlog[]) figures.push(...(await restartWith(bench, backlog)))
    return figures
  },
}

async function restartWith(bench: BenchRun, backlog: Backlog): Promise<Figure[]> {
  const rows = bench.size(100_000, 600)
  const data = bench.newFolder('restart')
  await writeBacklog(bench, data, backlog, rows)
  const before = bench.checkoutBefore
  const programs = before === undefined ? [undefined] : [before, undefined]
  const times = new Map(programs.map((program) => [program, { write: [] as number[], answer: [] as number[] }]))
  for (let start = 0; start < bench.size(startsOfEach, 1); start++) {
    for (const program of programs) {
      const { write, answer } = await timeStart(bench, data, backlog, rows, program)
      bench.note(`${backlog}${program === undefined ? '' : ', before'}: ${write.toFixed(2)} s, ${answer.toFixed(2)} s`)
      times.get(program)!.write.push(write)
      times.get(program)!.answer.push(answer)
    }
  }
  await bench.removeFolder(data)
  return programs.flatMap((program): Figure[] => {
    const variant = `${bench.size(100_000, 600)} ${backlog}${program === undefined ? '' : ', before'}`
    const { write, answer } = times.get(program)!
    return [
      { variant, measure: 'first write, p50', value: percentile(write, 0.5), unit: 's' },
      { variant, measure: 'first answer, p50', value: percentile(answer, 0.5), unit: 's' },
      { variant, measure: 'first answer, slowest', value: Math.max(...answer), unit: 's' },
    ]
  })
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
): Promise<{ write: number; answer: number }> {
  const startMs = performance.now()
  const server = await bench.startServer(data, program)
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
    return { write, answer: (performance.now() - startMs) / 1000 }
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
