import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type BenchServer, processStats } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { project } from '../payload/calls.ts'
import { ClickHouse } from './clickhouse.ts'
import { copyOfLargeStore, firstMicros, rareWord } from './large-store.ts'
import { repeatFiles } from './repeated-store.ts'

const rowsPerFile = 131_072
const files = 4
const days = 7

const field = (name: string) => ({ $getField: name })
const literal = (value: unknown) => ({ $literal: value })
const contains = (text: string, name = 'output') => ({
  $contains: { input: field(name), substr: literal(text) },
})
const isMini = { $eq: [field('inputs.model'), literal('gpt-4o-mini')] }
const isScored = { $gt: [field('feedback.[ext.runnable.quality].payload.output'), literal(0.5)] }
const when = (...all: object[]) => ({ query: { $expr: all.length === 1 ? all[0] : { $and: all } } })
const week = {
  start: new Date(firstMicros / 1000).toISOString(),
  end: new Date(firstMicros / 1000 + days * 86_400_000).toISOString(),
  granularity: 86_400,
  call_metrics: [{ metric: 'latency_ms', percentiles: [50, 95, 99] }],
}

/** What is asked, by name. */
const questions: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  'count of a path condition': { path: '/calls/query_stats', body: when(isMini) },
  'count of an absent word': { path: '/calls/query_stats', body: when(contains('Xylophagous')) },
  'count of a rare word': { path: '/calls/query_stats', body: when(contains(rareWord)) },
  'count of a part of words': { path: '/calls/query_stats', body: when(contains('otically bal')) },
  'count of a frequent word': { path: '/calls/query_stats', body: when(contains('bal')) },
  'count of a frequent word and a path condition': { path: '/calls/query_stats', body: when(contains('bal'), isMini) },
  'percentiles by day': { path: '/calls/stats', body: week },
  'percentiles by day of a rare word': { path: '/calls/stats', body: { ...week, ...when(contains(rareWord)) } },
  'count of a rare word, joined with scores': { path: '/calls/query_stats', body: when(contains(rareWord), isScored) },
}

/** What DuckDB and ClickHouse take for questions about a hundred million calls. */
export const heavyQuestions: Benchmark = {
  name: 'heavy-questions',
  description:
    'Questions about 100 million calls of about 1.1 KB (or `--calls`), which are four data files linked many times: with `engine` ' +
    '"duckdb", and with "clickhouse" if `--chdb` names a Python with the package chdb.',
  isOnRequest: true,
  run: async (bench) => {
    const shape = {
      files: bench.isTiny ? 2 : files,
      rowsPerFile: bench.size(rowsPerFile, 2_000),
      proseChars: 650,
      days,
    }
    const data = await copyOfLargeStore(bench, shape)
    const rows = shape.files * shape.rowsPerFile
    const times = bench.isTiny ? 2 : Math.ceil((bench.largeCalls ?? 100_000_000) / rows)
    await repeatFiles(data, times)
    await using clickHouse = bench.chdb === undefined ? undefined : await ClickHouse.start(bench.chdb, data)
    const figures: Figure[] = []
    {
      const settings = { TRACELAKE_QUERY_TIMEOUT_S: '1800', ...clickHouse?.settings }
      await using server = await bench.startServer(data, undefined, settings)
      await scoreRareCalls(server)
      await ask(server, 'duckdb', questions['count of an absent word']!)
      bench.note(`${rows * times} calls; ${await memoryOf(server)} MB of memory before`)
      for (const [variant, question] of Object.entries(questions)) {
        const answers = new Set<string>()
        // Statistics of all calls are none that ClickHouse answers.
        const isForBoth = clickHouse !== undefined && 'query' in question.body
        for (const engine of ['duckdb', ...(isForBoth ? ['clickhouse'] : [])]) {
          const cost = await costOf(server, clickHouse, () => ask(server, engine, question))
          answers.add(cost.answer)
          const { ms, cpuMs, theirCpuMs, readMb, memoryMb } = cost
          bench.note(
            `${variant}, ${engine}: ${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of processor time, ${theirCpuMs.toFixed(0)} in ` +
              `ClickHouse, ${readMb.toFixed(0)} MB read, ${memoryMb.toFixed(0)} MB of memory more: ${cost.answer.slice(0, 60)}`,
          )
          figures.push(
            { variant, measure: `${engine}: time`, value: ms, unit: 'ms' },
            { variant, measure: `${engine}: processor time`, value: cpuMs + theirCpuMs, unit: 'ms' },
            { variant, measure: `${engine}: read`, value: readMb, unit: 'MB' },
            { variant, measure: `${engine}: memory of tracelake beyond before`, value: memoryMb, unit: 'MB' },
          )
        }
        if (answers.size > 1) throw new Error(`${variant}: the engines differ: ${[...answers].join(' and ')}`)
      }
    }
    await bench.removeFolder(data)
    return figures
  },
}

type Question = (typeof questions)[string]

async function ask(server: BenchServer, engine: string, { path: to, body }: Question) {
  const forced = 'query' in body ? { engine } : {}
  const response = await fetch(server.url + to, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json', prefer: 'explain' },
    body: JSON.stringify({ project_id: project, ...body, ...forced }),
    // Bun would give up after five minutes.
    timeout: false,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`Ask ${engine}: ${response.status} ${text}`)
  // ClickHouse maps files, so the system does not count what it reads.
  const [, searched = '0'] = /searched;desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '') ?? []
  return { text, searched: engine === 'clickhouse' ? Number(searched) : 0 }
}

/** What one question costs both processes. */
async function costOf(server: BenchServer, theirs: ClickHouse | undefined, run: () => ReturnType<typeof ask>) {
  await forgetPeak(server.pid)
  const pids = [server.pid, ...(theirs === undefined ? [] : [theirs.pid])]
  const used = () =>
    Promise.all(pids.map(async (pid) => ({ ...(await processStats(pid)), read: await bytesRead(pid) })))
  const [before, startMs] = [await used(), performance.now()]
  const { text, searched } = await run()
  const ms = performance.now() - startMs
  const after = await used()
  const spent = after.map(({ cpuSeconds, read }, at) => ({
    cpuMs: (cpuSeconds - (before[at]?.cpuSeconds ?? 0)) * 1000,
    read: read - (before[at]?.read ?? 0),
  }))
  return {
    answer: text,
    ms,
    cpuMs: spent[0]?.cpuMs ?? 0,
    theirCpuMs: spent[1]?.cpuMs ?? 0,
    readMb: ((spent[0]?.read ?? 0) + searched) / 1e6,
    memoryMb: ((after[0]?.rssBytesMax ?? 0) - (before[0]?.rssBytes ?? 0)) / 1e6,
  }
}

const memoryOf = async (server: BenchServer) => ((await server.stats()).rssBytes / 1e6).toFixed(0)

/** Lets the largest size of a process begin anew. Linux only. */
const forgetPeak = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined)

/** Bytes that a process has read, whether from a disk or from memory. Linux only. */
async function bytesRead(pid: number): Promise<number> {
  const text = await readFile(path.join('/proc', String(pid), 'io'), 'utf8').catch(() => '')
  return Number(/^rchar: (\d+)/m.exec(text)?.[1] ?? 0)
}

/** Scores the calls with a rare word, one of them badly. */
async function scoreRareCalls(server: BenchServer): Promise<void> {
  const rare = { path: '/calls/query', body: { ...when(contains(rareWord)), columns: ['id'] } }
  const { calls }: { calls: { id: string }[] } = JSON.parse((await ask(server, 'duckdb', rare)).text)
  for (const [at, id] of [...new Set(calls.map((call) => call.id))].entries()) {
    const response = await fetch(`${server.url}/feedback/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        project_id: project,
        ext_ref: `ext:///${project}/call/${id}`,
        feedback_type: 'ext.runnable.quality',
        payload: { output: at === 0 ? 0.25 : 0.75 },
        runnable_ref: `ext:///${project}/object/quality:v1`,
      }),
    })
    if (!response.ok) throw new Error(`Score a call: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
}
