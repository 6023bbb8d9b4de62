import type { BenchServer } from '../bench-server.ts'
import { type Benchmark, type Figure, percentile } from '../benchmark.ts'
import { copyOfLargeStore } from './large-store.ts'
import { SteadyClients } from './steady-clients.ts'

const rowsPerFile = 131_072
const slowdownMax = 2
const memoryGrowthMax = 1.1

/** Each takes all the time or the memory that a statement may have, in another way. */
const statements = [
  'SELECT count(*) FROM calls a, calls b, calls c WHERE a.id < b.id AND b.id < c.id',
  'SELECT sum(a.range * b.range) FROM range(100000) a, range(100000) b, range(100000) c',
  'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t',
  "WITH RECURSIVE t(x) AS (SELECT 'x' UNION ALL SELECT x || x FROM t) SELECT max(length(x)) FROM t",
  "SELECT count(*) FROM calls, range(1000) WHERE regexp_matches(inputs, '(a|b|c)*(d|e|f)*[g-z]{3,20}(x|y)+z')",
  "SELECT length(repeat(repeat('abcdefgh', 100000), 400))",
  'SELECT list(inputs || output) FROM calls, range(50)',
  'SELECT count(DISTINCT inputs || range) FROM calls, range(100)',
]

/** What pages and writes take while an admin runs statements that use up their limits. */
export const sqlLoad: Benchmark = {
  name: 'sql-load',
  description:
    'Reads the newest page and writes 20 calls at a time in a store of 262,144 calls of about 1.1 KB (or `--calls`): alone, and while two ' +
    'connections of an admin run SQL statements until their limits end them. Memory is that of the server, flushed and idle.',
  run: async (bench) => {
    const files = bench.isTiny ? 1 : Math.ceil((bench.largeCalls ?? 2 * rowsPerFile) / rowsPerFile)
    const shape = { files, rowsPerFile: bench.size(rowsPerFile, 200), proseChars: 650 }
    const data = await copyOfLargeStore(bench, shape)
    await using server = await bench.startServer(data)
    const clients = new SteadyClients(server)
    // The first seconds read files for the first time, and grow the heap.
    await clients.during(Bun.sleep(bench.size(5_000, 10)))
    // About as long as the statements take, so that the memory before has what clients alone cost.
    const alone = await clients.during(Bun.sleep(bench.size(100_000, 100)))
    const before = await idleBytes(server, bench.size(5_000, 10))
    const running = runStatements(server, bench.isTiny ? statements.slice(5, 6) : statements)
    const beside = await clients.during(running)
    const perSecond = await running
    const after = await idleBytes(server, bench.size(20_000, 10))
    await server.stop()
    await bench.removeFolder(data)
    const latency = (measure: string, quiet: readonly number[], busy: readonly number[]): Figure[] => {
      const [p95, besideP95] = [percentile(quiet, 0.95), percentile(busy, 0.95)]
      // Tiny runs measure nothing, and must not fail for it.
      const target = bench.isTiny ? {} : { target: { max: slowdownMax * p95 } }
      return [
        { variant: 'alone', measure: `${measure}, p95`, value: p95, unit: 'ms' },
        { variant: 'beside SQL', measure: `${measure}, p95`, value: besideP95, unit: 'ms', ...target },
      ]
    }
    return [
      ...latency('newest page of 50', alone.pagesMs, beside.pagesMs),
      ...latency('20 calls written', alone.writesMs, beside.writesMs),
      { variant: 'alone', measure: 'memory', value: before / 1e6, unit: 'MB' },
      {
        variant: 'after SQL',
        measure: 'memory',
        value: after / 1e6,
        unit: 'MB',
        ...(bench.isTiny ? {} : { target: { max: (memoryGrowthMax * before) / 1e6 } }),
      },
      { variant: 'beside SQL', measure: 'statements', value: perSecond, unit: '/s' },
    ]
  },
}

/**
 * Runs each statement twice, on two connections. Their limits end most of them, so any answer
 * counts but that the server is gone.
 *
 * @returns statements in a second
 */
async function runStatements({ url, key }: BenchServer, chosen: readonly string[]): Promise<number> {
  const startMs = performance.now()
  const run = async (statement: string): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/sql`, { method: 'POST', headers, body: JSON.stringify({ statement }) })
    await answer.arrayBuffer()
    if (answer.status === 403 || answer.status === 400) throw new Error(`Run ${statement}: answered ${answer.status}`)
  }
  const all = async (): Promise<void> => {
    for (const statement of chosen) await run(statement)
  }
  await Promise.all([all(), all()])
  return (2 * chosen.length) / ((performance.now() - startMs) / 1000)
}

/** Memory of the server when what was written is in files, and some time has passed. */
async function idleBytes(server: BenchServer, restMs: number): Promise<number> {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
  await fetch(`${server.url}/flush`, { method: 'POST', headers, body: '{}' })
  await Bun.sleep(restMs)
  return (await server.stats()).rssBytes
}
