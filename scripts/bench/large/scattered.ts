import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { BenchRun } from '../bench-run.ts'
import type { BenchServer } from '../bench-server.ts'
import { type Benchmark, type Figure, percentile } from '../benchmark.ts'
import { postRequest, sendAll, type Target } from '../http/requests.ts'
import { project } from '../payload/calls.ts'
import { copyOfLargeStore, firstMicros, madeUpId, stepMicros } from './large-store.ts'

const rowsPerFile = 131_072
const changed = 1_000

/** Deletes and updates calls that are spread over all files of a store. */
export const scattered: Benchmark = {
  name: 'scattered',
  description:
    `Deletes ${changed} calls spread over a million of about 1.1 KB (or \`--calls\`), then renames as many others: how soon that is ` +
    'acknowledged, what questions cost afterwards, and what is written until the server is at rest. The store is kept in the ' +
    'temporary folder for later runs.',
  run: async (bench) => {
    const shape = bench.isTiny
      ? { files: 2, rowsPerFile: 2_000, proseChars: 650 }
      : { files: Math.ceil((bench.largeCalls ?? 1_000_000) / rowsPerFile), rowsPerFile, proseChars: 650 }
    const data = await copyOfLargeStore(bench, shape)
    const calls = shape.files * shape.rowsPerFile
    const times = bench.size(changed, 10)
    const idsFrom = (first: number) => Array.from({ length: times }, (_, at) => madeUpId(first + at * step))
    const step = Math.floor(calls / times)
    const run = new ScatteredRun(bench, await bench.startServer(data), { data, calls })
    try {
      await run.ask('before')
      await run.change('deleted', async (server) => {
        const body = JSON.stringify({ project_id: project, call_ids: idsFrom(0) })
        return await sendAll(server.url, [postRequest(server, '/calls/delete', body)], 1)
      })
      await run.expectCount('deleted', calls - times)
      await run.ask('deleted')
      await run.settle('deleted')
      await run.ask('deleted, at rest')
      await run.change('renamed', async (server) => {
        const requests = idsFrom(1).map((call_id) =>
          postRequest(server, '/call/update', JSON.stringify({ project_id: project, call_id, display_name: 'new' })),
        )
        return await sendAll(server.url, requests, 10)
      })
      await run.expectCount('renamed', calls - times)
      await run.ask('renamed')
      await run.settle('renamed')
      await run.ask('renamed, at rest')
      await run.stop()
      await run.start()
      await run.expectCount('started again', calls - times)
      await run.ask('started again')
      return run.figures
    } finally {
      await run.server.stop()
      await bench.removeFolder(data)
    }
  },
}

/** What is asked after changes, by name. */
function questions(calls: number): Record<string, { path: string; body: object }> {
  const newest = { sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 50 }
  const ofModel = { query: { $expr: { $eq: [{ $getField: 'inputs.model' }, { $literal: 'gpt-4o' }] } } }
  const span = {
    start: new Date(firstMicros / 1000).toISOString(),
    end: new Date((firstMicros + calls * stepMicros) / 1000).toISOString(),
    granularity: 3_600,
  }
  return {
    'count of all': { path: '/calls/query_stats', body: {} },
    'count by inputs.model': { path: '/calls/query_stats', body: ofModel },
    'newest 50': { path: '/calls/stream_query', body: newest },
    'newest 50 by inputs.model': { path: '/calls/stream_query', body: { ...newest, ...ofModel } },
    'call by id': { path: '/call/read', body: { id: madeUpId(7) } },
    'calls by hour': {
      path: '/calls/stats',
      body: { ...span, call_metrics: [{ metric: 'latency_ms', aggregations: ['avg'] }, { metric: 'error_count' }] },
    },
  }
}

class ScatteredRun {
  readonly figures: Figure[] = []
  server: BenchServer
  private readonly bench: BenchRun
  private readonly data: string
  private readonly calls: number
  private since = { cpuSeconds: 0, writtenBytes: 0 }

  constructor(bench: BenchRun, server: BenchServer, { data, calls }: { data: string; calls: number }) {
    this.bench = bench
    this.server = server
    this.data = data
    this.calls = calls
  }

  /** The first answer to each question after a change, and further ones. */
  async ask(variant: string): Promise<void> {
    for (const [name, { path: to, body }] of Object.entries(questions(this.calls))) {
      const request = postRequest(this.server, to, JSON.stringify({ project_id: project, ...body }))
      const { latenciesMs: first } = await sendAll(this.server.url, [request], 1)
      const times = this.bench.size(Math.max(3, Math.min(50, Math.floor(1000 / first[0]!))), 1)
      const before = await this.server.stats()
      const { latenciesMs } = await sendAll(
        this.server.url,
        Array.from({ length: times }, () => request),
        1,
      )
      const { cpuSeconds } = await this.server.stats()
      this.add(variant, `${name}, first`, first[0]!, 'ms')
      this.add(variant, `${name}, p50`, percentile(latenciesMs, 0.5), 'ms')
      this.add(variant, `${name}, processor time`, ((cpuSeconds - before.cpuSeconds) / times) * 1000, 'ms')
    }
  }

  async change(variant: string, send: (target: Target) => Promise<{ latenciesMs: readonly number[] }>): Promise<void> {
    this.since = await this.spent()
    const { latenciesMs } = await send(this.server)
    this.add(variant, 'acknowledged, p50', percentile(latenciesMs, 0.5), 'ms')
    this.add(variant, 'acknowledged, longest', Math.max(...latenciesMs), 'ms')
  }

  /** The first count after a change, which has to be right. */
  async expectCount(variant: string, expected: number): Promise<void> {
    const headers = { authorization: `Bearer ${this.server.key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ project_id: project })
    const startMs = performance.now()
    const response = await fetch(`${this.server.url}/calls/query_stats`, { method: 'POST', headers, body })
    const { count } = (await response.json()) as { count: number }
    this.add(variant, 'first answer', performance.now() - startMs, 'ms')
    if (count !== expected) throw new Error(`Count the calls: ${count} instead of ${expected}`)
  }

  /** Waits until the server has been at rest for some time, beyond the pause before a flush. */
  async settle(variant: string): Promise<void> {
    const pauseMs = this.bench.size(10_000, 10)
    const quietMax = this.bench.size(4, 1)
    for (let quiet = 0; quiet < quietMax; ) {
      const { cpuSeconds } = await this.server.stats()
      await Bun.sleep(pauseMs)
      const isQuiet = (await this.server.stats()).cpuSeconds - cpuSeconds < (pauseMs / 1000) * 0.1
      quiet = isQuiet || this.bench.isTiny ? quiet + 1 : 0
    }
    const spent = await this.spent()
    this.add(variant, 'processor time until at rest', spent.cpuSeconds - this.since.cpuSeconds, 's')
    this.add(variant, 'written until at rest', (spent.writtenBytes - this.since.writtenBytes) / 1e6, 'MB')
    this.add(variant, 'data folder', (await folderBytes(this.data)) / 1e6, 'MB')
  }

  async stop(): Promise<void> {
    const startMs = performance.now()
    await this.server.stop()
    this.add('stop', 'time', (performance.now() - startMs) / 1000, 's')
    this.add('stop', 'data folder', (await folderBytes(this.data)) / 1e6, 'MB')
  }

  /** Starts again with the changes that wait in the log. */
  async start(): Promise<void> {
    const startMs = performance.now()
    this.server = await this.bench.startServer(this.data)
    this.add('started again', 'listening', (performance.now() - startMs) / 1000, 's')
    const { cpuSeconds } = await this.server.stats()
    this.add('started again', 'processor time', cpuSeconds, 's')
  }

  private async spent(): Promise<{ cpuSeconds: number; writtenBytes: number }> {
    const { cpuSeconds } = await this.server.stats()
    return { cpuSeconds, writtenBytes: await writtenBytes(this.server.pid) }
  }

  private add(variant: string, measure: string, value: number, unit: Figure['unit']): void {
    this.bench.note(`${variant}: ${measure}: ${value.toFixed(1)} ${unit}`)
    this.figures.push({ variant, measure, value, unit })
  }
}

/** Bytes that a process has caused to be written to the disk; 0 outside of Linux. */
async function writtenBytes(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0
  return Number(/^write_bytes: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0)
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(
    names.map(
      async (name) =>
        await stat(path.join(folder, name)).then(
          (found) => (found.isFile() ? found.size : 0),
          () => 0,
        ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
