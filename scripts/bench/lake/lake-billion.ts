import { mkdir } from 'node:fs/promises'
import type { BenchRun } from '../bench-run.ts'
import type { BenchServer } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { firstMicros, type LargeShape, stepMicros, timedCall, timedTrace } from '../large/large-store.ts'
import { project } from '../payload/calls.ts'
import { addLargeTable } from './large-lake.ts'
import { NodeCounts } from './node-counts.ts'

const checkMs = 500
const quietChecks = 4

/** A lake of a billion calls, and a node that opens it with an empty cache. */
export const lakeBillion: Benchmark = {
  name: 'lake-billion',
  description:
    'A lake with a billion calls in 7,630 data files, as large as the server writes them. Six have calls of their ' +
    'own; the others are links to one of these, with statistics of later times. A node with an empty cache opens it: ' +
    'time, memory, and the first question of each kind, with requests to the store, which is a folder.',
  run: async (bench) => {
    const shape: LargeShape = {
      files: bench.size(7_630, 12),
      rowsPerFile: bench.size(131_072, 4_096),
      proseChars: 300,
      areIdsTimed: true,
    }
    const lake = bench.newFolder('lake')
    await mkdir(lake, { recursive: true })
    const env = { TRACELAKE_LAKE: lake, TRACELAKE_LOG_LEVEL: 'info' }
    await (await bench.startServer(bench.newFolder('first-node'), undefined, env)).stop()
    const old = Math.floor(shape.files / 10)
    const ofDay = Math.min(dayFiles(shape), Math.floor(shape.files / 3))
    const middle = Math.floor(shape.files / 2)
    bench.note(`writing ${shape.files} files of ${shape.rowsPerFile} calls`)
    // All calls of the first one are within the day that is counted, and so are those of its links.
    // Small files are merged by the server, which needs rows as the statistics say.
    const made = bench.isTiny
      ? [...Array(shape.files).keys()]
      : [old + 1, old, old + ofDay, middle, middle + 1, shape.files - 1]
    await addLargeTable(lake, shape, made)
    const startMs = performance.now()
    await using server = await bench.startServer(bench.newFolder('node'), undefined, env)
    await untilHealthy(server)
    const startSeconds = (performance.now() - startMs) / 1000
    const figures: Figure[] = [
      { variant: 'start', measure: 'seconds until it serves', value: startSeconds, unit: 's', target: { max: 10 } },
    ]
    bench.note(`serves after ${startSeconds.toFixed(1)} s`)
    await untilQuiet(server)
    figures.push(...new NodeCounts(0, new Map()).figuresUntil(await NodeCounts.of(server), 'start and fetching ahead'))
    for (const question of questionsOf(shape, { old, ofDay, middle }))
      figures.push(...(await ask(bench, server, question)))
    const { rssBytesMax } = await server.stats()
    bench.note(`largest memory: ${(rssBytesMax / 1e6).toFixed(0)} MB`)
    figures.push({
      variant: 'all of it',
      measure: 'largest memory',
      value: rssBytesMax / 1e6,
      unit: 'MB',
      target: { max: 1_000 },
    })
    return figures
  },
}

interface Question {
  readonly name: string
  readonly path: string
  readonly body: object
  /** Throws if that is not the answer. */
  readonly check: (text: string) => void
}

/** Numbers of files that have calls of their own, and how many files a day has. */
interface Places {
  readonly old: number
  readonly ofDay: number
  readonly middle: number
}

const dayFiles = ({ rowsPerFile }: LargeShape): number => Math.floor(86_400e6 / (rowsPerFile * stepMicros))

function questionsOf(shape: LargeShape, { old, ofDay, middle }: Places): Question[] {
  const { files, rowsPerFile } = shape
  const secondsOf = (call: number) => (firstMicros + call * stepMicros) / 1e6
  const startOf = (text: string) => Date.parse(String(JSON.parse(text).started_at)) / 1000
  const is = (found: unknown, expected: unknown) => {
    if (found !== expected) throw new Error(`The answer is ${found}, not ${expected}`)
  }
  const near = (found: number, expected: number) => is(Math.abs(found - expected) < 0.001, true)
  const linesOf = (text: string) => text.split('\n').filter(Boolean)
  const oldCall = old * rowsPerFile + Math.floor(rowsPerFile / 3)
  const traced = (middle + 1) * rowsPerFile + 20
  const field = (name: string) => ({ $getField: name })
  const between = (first: number, end: number) => ({
    $expr: {
      $and: [
        { $gte: [field('started_at'), { $literal: secondsOf(first) }] },
        { $lt: [field('started_at'), { $literal: secondsOf(end) }] },
      ],
    },
  })
  const newest = { sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 50 }
  return [
    {
      name: 'a read by id',
      path: '/call/read',
      body: { id: timedCall(oldCall) },
      check: (text) => near(Date.parse(JSON.parse(text).call.started_at) / 1000, secondsOf(oldCall)),
    },
    {
      name: 'another read by id, of the same file',
      path: '/call/read',
      body: { id: timedCall(oldCall + Math.floor(rowsPerFile / 3)) },
      check: (text) => is(JSON.parse(text).call.id, timedCall(oldCall + Math.floor(rowsPerFile / 3))),
    },
    {
      name: 'a trace of 10',
      path: '/calls/stream_query',
      body: { filter: { trace_ids: [timedTrace(traced)] } },
      check: (text) => is(linesOf(text).length, 10),
    },
    {
      name: 'newest 50',
      path: '/calls/stream_query',
      body: newest,
      check: (text) => {
        is(linesOf(text).length, 50)
        near(startOf(linesOf(text)[0]!), secondsOf(files * rowsPerFile - 1))
      },
    },
    {
      name: '50 calls of an old hour',
      path: '/calls/stream_query',
      body: { query: between(middle * rowsPerFile, (middle + 1) * rowsPerFile), ...newest },
      check: (text) => {
        is(linesOf(text).length, 50)
        near(startOf(linesOf(text)[0]!), secondsOf((middle + 1) * rowsPerFile - 1))
      },
    },
    {
      name: 'count of a day',
      path: '/calls/query_stats',
      body: { query: between(oldCall, oldCall + ofDay * rowsPerFile) },
      check: (text) => is(JSON.parse(text).count, ofDay * rowsPerFile),
    },
    {
      name: 'count of all',
      path: '/calls/query_stats',
      body: {},
      check: (text) => is(JSON.parse(text).count, files * rowsPerFile),
    },
  ]
}

async function ask(bench: BenchRun, server: BenchServer, question: Question): Promise<Figure[]> {
  const { name, path, body, check } = question
  const before = await NodeCounts.of(server)
  const startMs = performance.now()
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: project, ...body }),
  })
  const text = await answer.text()
  const value = performance.now() - startMs
  if (answer.status !== 200) throw new Error(`${name}: answered ${answer.status}: ${text.slice(0, 300)}`)
  check(text)
  const after = await NodeCounts.of(server)
  bench.note(`${name}: ${value.toFixed(0)} ms, ${after.describeSince(before)}`)
  return [{ variant: name, measure: 'time', value, unit: 'ms' }, ...before.figuresUntil(after, name)]
}

async function untilHealthy({ url }: BenchServer): Promise<void> {
  while ((await fetch(`${url}/health`)).status !== 200) await Bun.sleep(20)
}

/** Waits until nothing more is fetched ahead. */
async function untilQuiet(server: BenchServer): Promise<void> {
  let bytes = -1
  for (let quiet = 0; quiet < quietChecks; ) {
    await Bun.sleep(checkMs)
    const counts = await NodeCounts.of(server)
    quiet = counts.bytes === bytes ? quiet + 1 : 0
    bytes = counts.bytes
  }
}
