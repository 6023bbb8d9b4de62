import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ProjectReader } from '../../src/domains/access/caller.ts'
import { Costs } from '../../src/domains/costs/costs.ts'
import { CallStatistics } from '../../src/domains/usage/call-stats.ts'
import type { CallStatsRequest } from '../../src/domains/usage/model/call-stats.ts'
import type { ReadScope } from '../../src/engine/reads/reads.ts'
import type { Snapshot } from '../../src/engine/reads/snapshot.ts'
import { rollupSteps } from '../../src/engine/rollups/rollup-steps.ts'
import type { Store } from '../../src/engine/store.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { costsTable } from '../../src/engine/tables/costs-table.ts'
import type { Row } from '../../src/lib/table.ts'
import { changeLimits } from '../store/change-limits.ts'
import { StoreBench } from '../store/store-bench.ts'
import { Random, seedOf } from './random.ts'

/*
 * Asks random questions with and without the rollups of the data files, which must not change an
 * answer.
 */

const questions = Number(Bun.env['TRACELAKE_TEST_QUERIES'] ?? 12)
const random = new Random(seedOf('statistics from rollups'))
const projectId = 'acme/rollups'
const reader = { projectId, userId: 'u', reaches: () => true } as unknown as ProjectReader
const hourMicros = 3_600_000_000
/** Clocks change in Berlin three hours later. */
const start = Date.UTC(2026, 2, 28, 22) * 1000
const hours = 8
const rowsPerFile = 2_000
/** All with calls of eight hours, but for the last one, with those of three minutes. */
const files = 4
const models = ['gpt-4o', 'gemini-2.5-pro', 'unpriced']

let bench: StoreBench
let calls: string[] = []
/** Calls that state a cost. */
const stated = new Set<string>()
let withRollups: CallStatistics
let without: CallStatistics

const restoreLimits = changeLimits({ rollupMinutesShareMax: 1 })

beforeAll(async () => {
  bench = await StoreBench.open([callsTable, costsTable])
  withRollups = statisticsOf(bench.store)
  without = statisticsOf(withoutRollups(bench.store))
  for (let file = 0; file < files; file++) {
    const seconds = file === files - 1 ? 180 : hours * 3600
    const rows = Array.from({ length: rowsPerFile }, (_, at) =>
      startedCall(`${file}-${at}`, random.below(8) > 0, seconds),
    )
    const lonely = { op_name: 'lonely', started_at: start + (hours + 0.5) * hourMicros, ...blank }
    const others = file === files - 1 ? [] : [row({ id: `lonely-${file}`, ...lonely })]
    await bench.store.write('calls', [...rows, ...others])
    await bench.store.flush({ retainIncomplete: false })
  }
  calls = Array.from({ length: files * rowsPerFile }, (_, at) => `${Math.floor(at / rowsPerFile)}-${at % rowsPerFile}`)
}, 120_000)

afterAll(async () => {
  restoreLimits()
  await bench[Symbol.asyncDispose]()
})

const statisticsOf = (store: Store): CallStatistics => {
  const clock = { nowMs: () => bench.nowMs }
  return new CallStatistics({ store, clock, costs: new Costs({ store, clock }) })
}

/** The same store, whose snapshots know of no rollups. */
function withoutRollups(store: Store): Store {
  const read = <T>(tables: readonly string[], scope: ReadScope, ask: (snapshot: Snapshot) => Promise<T>) =>
    store.read(tables, scope, (snapshot) => {
      const blind = new Proxy(snapshot, {
        get: (whole, name) => {
          if (name === 'rolledUp') return async () => undefined
          const member = Reflect.get(whole, name) as unknown
          return typeof member === 'function' ? member.bind(whole) : member
        },
      })
      return ask(blind)
    })
  return { read } as unknown as Store
}

function usage(): Record<string, unknown> {
  const one = () => ({
    requests: random.pick([undefined, 1, 3]),
    prompt_tokens: random.pick([0, 7, 30, 120_000, 200_000, 200_001, null]),
    completion_tokens: random.pick([0, 5, 500]),
    total_tokens: random.pick([undefined, 12]),
    cache_read_input_tokens: random.pick([undefined, 3]),
    cost: random.below(200) === 0 ? 0.25 : undefined,
  })
  const count = random.pick([0, 1, 1, 1, 1, 1, 1, 2])
  return Object.fromEntries(Array.from({ length: count }, () => [random.pick(models), one()]))
}

function row(cells: Record<string, Row[number]>): Row {
  const whole = { project_id: projectId, trace_id: 't', written_at: bench.nowMs * 1000, ...cells }
  return callsTable.columns.map(({ name }) => (whole as Record<string, Row[number]>)[name] ?? null)
}

const end = (startedAt: number) => ({
  ended_at: startedAt + random.below(60) * 250_000,
  exception: random.below(6) === 0 ? 'failed' : null,
  summary: random.below(12) === 0 ? null : JSON.stringify({ usage: usage() }),
})

const blank = { attributes: '{}', inputs: '{}', ext_user_id: 'u' }

function startedCall(id: string, isEnded: boolean, seconds = hours * 3600): Row {
  const startedAt = start + random.below(seconds) * 1_000_000 + random.pick([0, 1, 999_999])
  const started = row({
    id,
    parent_id: random.below(3) === 0 ? null : 'parent',
    op_name: random.pick(['answer', 'retrieve']),
    started_at: startedAt,
    ...blank,
    usage_below: random.pick([null, null, 0, 1]),
    usage_elsewhere: random.below(8) === 0 ? 1 : null,
    ...(isEnded && end(startedAt)),
  })
  if (started.some((cell) => typeof cell === 'string' && cell.includes('"cost"'))) stated.add(id)
  return started
}

function question(): CallStatsRequest {
  const from = start + random.pick([-2, 0, 0, 1, 2.5]) * hourMicros + random.pick([0, 0, 1, 700_000_000])
  const until = from + random.pick([1, 2, 6, 9, 30]) * hourMicros + random.pick([0, 0, 1, 1_500_000_000])
  const field = (path: string) => ({ $getField: path })
  const asked = {
    project_id: projectId,
    start: new Date(from / 1000).toISOString(),
    end: new Date(until / 1000).toISOString(),
    granularity: random.pick([3600, 3600, 7200, 86_400, 3_153_600_000, 1800, 5400, 60, 300, 90]),
    timezone: random.pick(['UTC', 'UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu']),
    totals: random.pick([undefined, true]),
    filter: random.pick([undefined, { trace_roots_only: true }, { op_names: ['answer'] }]),
    query: random.pick([
      undefined,
      { $expr: { $eq: [field('summary.ext.status'), { $literal: 'error' }] } },
      { $expr: { $not: [{ $eq: [field('op_name'), { $literal: 'retrieve' }] }] } },
      { $expr: { $eq: [field('parent_id'), { $literal: 'parent' }] } },
    ]),
    group_by: random.pick([undefined, undefined, 'op_name', 'model', 'summary.ext.status', 'id']),
    group_limit: random.pick([1, 3]),
    call_metrics: random.pick([
      [{ metric: 'latency_ms', percentiles: [50, 95, 99], aggregations: ['count'] }],
      [{ metric: 'latency_ms', aggregations: ['avg', 'min', 'max', 'sum', 'count_true', 'count_false'] }],
      [{ metric: 'call_count' }, { metric: 'error_count', aggregations: ['sum', 'avg', 'min', 'max', 'count_false'] }],
      [{ metric: 'error_count', percentiles: [50] }],
      undefined,
    ]),
    usage_metrics: random.pick([
      undefined,
      [{ metric: 'total_cost' }, { metric: 'input_tokens' }],
      [{ metric: 'output_tokens', aggregations: ['avg', 'count'] }, { metric: 'cache_read_input_tokens' }],
      [{ metric: 'input_cost' }, { metric: 'output_cost' }],
      [{ metric: 'total_tokens', aggregations: ['max'], percentiles: [90] }],
    ]),
    histogram: random.pick([undefined, undefined, { metric: 'latency_ms', buckets: 5 }]),
  }
  return asked as unknown as CallStatsRequest
}

/** Sums of floating-point numbers depend on the order, which differs from one time to the next. */
const rounded = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'number' ? Number(item.toPrecision(11)) : item))

/** The number of files whose rollups a question about everything, or its sums, uses. */
const coveredFiles = async (onlySums = false, stepMicros: number = rollupSteps.hour): Promise<number> => {
  const { signal } = new AbortController()
  const of = { range: undefined, whole: undefined, stepMicros, onlySums }
  const found = await bench.store.read(['calls'], { projectId, signal }, (snapshot) => snapshot.rolledUp('calls', of))
  const [lists] = found?.lists.branches ?? []
  return lists?.source.kind === 'files' ? lists.source.paths.length : 0
}

async function untilCovered(files: number, onlySums = false): Promise<void> {
  while ((await coveredFiles(onlySums)) < files) await Bun.sleep(20)
}

async function expectSameAnswers(): Promise<void> {
  const { signal } = new AbortController()
  for (let at = 0; at < questions; at++) {
    const asked = question()
    const [actual, expected] = [
      await withRollups.stats(reader, asked, signal),
      await without.stats(reader, asked, signal),
    ]
    expect(`${JSON.stringify(asked)} ${rounded(actual)}`).toBe(`${JSON.stringify(asked)} ${rounded(expected)}`)
  }
}

test('answers are the same from files alone', async () => {
  await untilCovered(files)
  expect(await coveredFiles(false, rollupSteps.minute)).toBe(1)
  await expectSameAnswers()
}, 300_000)

test('answers are the same while late ends, deletions and new calls are in memory', async () => {
  const some = calls.filter((id) => id.startsWith('2-')).slice(0, 60)
  await bench.store.write('calls', [
    ...some.slice(0, 30).map((id) => row({ id, ...end(start + hourMicros) })),
    ...some.slice(30).map((id) => callsTable.tombstone(projectId, id, bench.nowMs * 1000)),
    ...Array.from({ length: 50 }, (_, at) => startedCall(`new-${at}`, true)),
  ])
  await untilCovered(files - 1)
  expect(await coveredFiles()).toBe(files - 1)
  await expectSameAnswers()
}, 300_000)

test('answers are the same after the changed files were rewritten', async () => {
  await bench.store.flush({ retainIncomplete: false })
  await untilCovered(files)
  await expectSameAnswers()
}, 300_000)

test('answers are the same while changes in all files wait, and after more of them', async () => {
  using _limits = Object.assign({}, { [Symbol.dispose]: changeLimits({ rewrittenFreelyBytesMax: 0 }) })
  const change = async (from: number, to: number) => {
    const ids = [0, 1, 2, 3].flatMap((file) => Array.from({ length: to - from }, (_, at) => `${file}-${from + at}`))
    const some = ids.filter((id) => !stated.has(id))
    await bench.store.write('calls', [
      ...some.filter((_, at) => at % 2 === 0).map((id) => row({ id, ...end(start + hourMicros) })),
      ...some.filter((_, at) => at % 2 === 1).map((id) => callsTable.tombstone(projectId, id, bench.nowMs * 1000)),
    ])
  }
  await change(100, 140)
  await bench.store.flush({ retainIncomplete: true, mayWait: true })
  await untilCovered(files, true)
  expect(await coveredFiles()).toBe(0)
  await expectSameAnswers()
  await change(120, 160)
  const lonely = [0, 1, 2].map((file) => callsTable.tombstone(projectId, `lonely-${file}`, bench.nowMs * 1000))
  await bench.store.write('calls', lonely)
  await untilCovered(files, true)
  await expectSameAnswers()
  await bench.store.flush({ retainIncomplete: true, mayWait: true })
  await untilCovered(files, true)
  await expectSameAnswers()
}, 300_000)

test('answers are the same while deletions of calls with stated costs, which are fractions, wait', async () => {
  const gone = [...stated].filter((each) => each.startsWith('1-'))
  await bench.store.write(
    'calls',
    gone.map((id) => callsTable.tombstone(projectId, id, bench.nowMs * 1000)),
  )
  await untilCovered(2, true)
  await expectSameAnswers()
  await bench.store.flush({ retainIncomplete: false })
}, 300_000)

test('answers are the same after a compaction', async () => {
  await bench.store.compact()
  await untilCovered(1)
  await expectSameAnswers()
}, 300_000)

test('answers are the same when rollups have vanished', async () => {
  await untilCovered(1)
  for (const name of new Bun.Glob('*.index').scanSync(`${bench.tableFolder}/_filters`))
    await Bun.file(`${bench.tableFolder}/_filters/${name}`).delete()
  await expectSameAnswers()
}, 300_000)
