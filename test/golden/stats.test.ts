import { expect, test } from 'bun:test'
import { PriceBook, type ProjectPrice } from '../../src/domains/costs/price-book.ts'
import { usageRates } from '../../src/domains/costs/price-usage.ts'
import type { Statistic, UsageMetric } from '../../src/domains/usage/model/call-stats.ts'
import {
  compileCallStatistics,
  compileUsageTexts,
  type MetricStatistics,
} from '../../src/domains/usage/sql/call-statistics.ts'
import { compileUsageModels, compileUsageStatistics } from '../../src/domains/usage/sql/usage-statistics.ts'
import { Accumulator, UsageFromTexts } from '../../src/domains/usage/usage-from-texts.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { type Cell, columnIndex, type Row } from '../../src/lib/table.ts'
import { formatTime } from '../../src/lib/time.ts'
import { shapedColumns } from '../../src/lib/typed-rows.ts'
import { always } from '../../src/query/expression.ts'
import { compileZoneOffsets } from '../../src/query/sql/stats/time-buckets.ts'
import { Fixture, projectId } from './fixture.ts'
import { Random, seedOf } from './random.ts'

/*
 * Compares statistics from columns and SQL with the same statistics computed call by call.
 */

const hourMicros = 3_600_000_000
const start = Date.UTC(2026, 2, 28) * 1000
const scope = { projectId, where: always, start, end: start + 48 * hourMicros }
const names = ['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false', 0, 50, 99.9, 100] as const
const statistics: Statistic[] = names.map((of) => ({ of, name: String(of) }))
// Tiers (Gemini), cached tokens, a name without a price, names that look like code.
const models = ['gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'nobody knows', `it's "this"`, '__proto__']

function randomUsage(random: Random): Record<string, unknown> {
  const tokens = () => random.pick([0, 1, 7, 250_000, 12.5, '30', null, -4, random.below(5000)])
  const one = () => ({
    requests: random.pick([undefined, 0, 1, 3]),
    [random.pick(['prompt_tokens', 'input_tokens'])]: tokens(),
    [random.pick(['completion_tokens', 'output_tokens'])]: tokens(),
    total_tokens: tokens(),
    cache_read_input_tokens: random.pick([undefined, tokens()]),
    cache_creation_input_tokens: random.pick([undefined, tokens()]),
    cache_creation: { ephemeral_1h_input_tokens: tokens() },
  })
  const count = random.pick([0, 1, 1, 1, 2, 3])
  const entries = Array.from({ length: count }, () => [
    random.pick(models),
    random.pick([one(), one(), one(), null, 'x']),
  ])
  return Object.fromEntries(entries)
}

function randomCall(random: Random, index: number): Row {
  const startedAt = start + (random.below(52 * 3600) - 2 * 3600) * 1_000_000 + random.below(1_000_000)
  const cells: Record<string, Cell> = {
    project_id: projectId,
    id: `c${index}`,
    op_name: 'op',
    started_at: startedAt,
    ended_at: random.pick([null, startedAt, startedAt + random.below(90_000_000)]),
    exception: random.pick([null, null, '', 'E']),
    usage_below: random.pick([null, null, 0, 1]),
    usage_elsewhere: random.below(8) === 0 ? 1 : null,
    summary: random.pick([
      null,
      '{}',
      '{"usage":null}',
      ...Array(5).fill(JSON.stringify({ usage: randomUsage(random) })),
    ]),
  }
  const row: Row = callsTable.columns.map(({ name }) => cells[name] ?? null)
  callsTable.derive(row)
  return row
}

async function fixtureWith(rows: readonly Row[]): Promise<Fixture> {
  const fixture = await Fixture.open()
  for (const row of rows) {
    const cells = callsTable.columns.flatMap(({ name, type, storedIn }, index) => {
      const cell = row[index]!
      if (storedIn === 'wal' || cell === null) return []
      return [[name, type === 'time' ? formatTime(cell as number) : cell] as const]
    })
    await fixture.insert(Object.fromEntries(cells))
  }
  return fixture
}

const cellOf = (value: unknown): Cell => (typeof value === 'bigint' ? Number(value) : (value as Cell))
const rowsOf = async (fixture: Fixture, sql: Omit<Sql, 'shape'>): Promise<Cell[][]> =>
  (await fixture.rows(sql)).map((row) => row.map(cellOf))

const columnsOf = (rows: Cell[][]): Cell[][] => rows[0]!.map((_, column) => rows.map((row) => row[column]!))

const sorted = (rows: readonly (readonly Cell[])[]) =>
  rows
    .map((row) => row.map((cell) => (typeof cell === 'number' ? Number(cell.toPrecision(12)) : cell)))
    .sort((a, b) => (JSON.stringify(a.slice(0, 3)) < JSON.stringify(b.slice(0, 3)) ? -1 : 1))

const seed = seedOf('statistics')
const zones = ['UTC', 'Asia/Kathmandu', 'Europe/Berlin', 'Australia/Lord_Howe']
const buckets = (timezone: string, offsetSeconds?: number) => ({ granularitySeconds: 5400, timezone, offsetSeconds })

test('call statistics match a call-by-call computation', async () => {
  const random = new Random(seed)
  const rows = Array.from({ length: 400 }, (_, index) => randomCall(random, index))
  const fixture = await fixtureWith(rows)
  const metrics = (['latency_ms', 'call_count', 'error_count'] as const).map((metric) => ({ metric, statistics }))
  const asked = buckets('UTC', 0)
  const expected = new Map<number, Record<string, Accumulator>>()
  const counts = new Map<number, number>()
  for (const row of rows) {
    const cell = (name: string) => row[columnIndex(callsTable, name)]!
    const startedAt = cell('started_at') as number
    if (startedAt < start || startedAt >= scope.end) continue
    const bucket = startedAt - (startedAt % 5_400_000_000)
    const values =
      expected.get(bucket) ?? Object.fromEntries(metrics.map(({ metric }) => [metric, new Accumulator(statistics)]))
    expected.set(bucket, values)
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
    if (cell('ended_at') !== null) {
      values['latency_ms']!.add(Math.floor(((cell('ended_at') as number) - startedAt) / 1000))
    }
    values['call_count']!.add(1)
    values['error_count']!.add(cell('exception') ? 1 : 0)
  }
  const naive = [...expected].map(([bucket, values]) => [
    bucket,
    0,
    counts.get(bucket)!,
    ...metrics.flatMap(({ metric }) => statistics.map(({ of }) => values[metric]!.statistic(of))),
  ])
  const found = await rowsOf(fixture, compileCallStatistics(scope, asked, fixture.calls, metrics))
  expect(sorted(found)).toEqual(sorted(naive))
})

test.each([false, true])('usage statistics match a call-by-call computation; own prices: %p', async (hasOwnPrices) => {
  const random = new Random(seed)
  const fixture = await fixtureWith(Array.from({ length: 400 }, (_, index) => randomCall(random, index)))
  const prices = new PriceBook(projectId, hasOwnPrices ? [ownPrice('nobody knows', start), ownPrice('GPT-4o', 0)] : [])
  const tokens = ['input_tokens', 'output_tokens', 'total_tokens', 'cache_read_input_tokens'] as const
  const costs = ['cache_creation_input_tokens', 'input_cost', 'output_cost', 'total_cost'] as const
  const metrics: MetricStatistics<UsageMetric>[] = [...tokens, ...costs].map((metric) => ({ metric, statistics }))
  const named = (await rowsOf(fixture, compileUsageModels(scope, fixture.calls))).map(([model]) => model as string)
  expect(named.toSorted()).toEqual(models.toSorted())
  const rates = named.flatMap((model) => {
    const price = prices.priceThroughout(model, scope.start, scope.end)
    if (price === undefined) throw new Error(`the price of ${model} changes`)
    return price === null ? [] : usageRates(model, price)
  })
  const usage = new UsageFromTexts(metrics, prices)
  const texts = compileUsageTexts(scope, buckets('UTC', 0), fixture.calls)
  usage.add(shapedColumns(texts, columnsOf(await rowsOf(fixture, texts))))
  const naive = usage.statistics
  const found = await rowsOf(fixture, compileUsageStatistics(scope, buckets('UTC', 0), fixture.calls, metrics, rates))
  expect(naive.some(({ statistics }) => statistics.at(-1)! > 0)).toBe(true)
  expect(sorted(found)).toEqual(
    sorted(naive.map(({ bucket, place, model, statistics }) => [bucket, place, model, ...statistics])),
  )
})

test('a call stored by an earlier version, without derived columns, counts among the models', async () => {
  const fixture = await Fixture.open()
  const summary = '{"usage":{"m":{"prompt_tokens":1}}}'
  await fixture.insert({ id: 'old', started_at: formatTime(start), summary })
  expect(await rowsOf(fixture, compileUsageModels(scope, fixture.calls))).toEqual([[null]])
})

test.each(zones)('buckets in %s follow local time', async (zone) => {
  const random = new Random(seed)
  const fixture = await fixtureWith(Array.from({ length: 200 }, (_, index) => randomCall(random, index)))
  const count: MetricStatistics<'call_count'>[] = [{ metric: 'call_count', statistics: [{ of: 'sum', name: 'sum' }] }]
  // The two days before the clocks change in Berlin, and the two days around the change.
  for (const from of [start - 48 * hourMicros, start]) {
    const range = { ...scope, start: from, end: from + 48 * hourMicros }
    const offsets = (await rowsOf(fixture, compileZoneOffsets(range, buckets(zone)))).map(
      ([offset]) => offset as number,
    )
    expect(offsets.length).toBe(zone === 'Europe/Berlin' && from === start ? 2 : 1)
    if (offsets.length > 1) continue
    const local = await rowsOf(fixture, compileCallStatistics(range, buckets(zone), fixture.calls, count))
    const shifted = await rowsOf(fixture, compileCallStatistics(range, buckets(zone, offsets[0]), fixture.calls, count))
    expect(sorted(shifted)).toEqual(sorted(local))
  }
})

const ownPrice = (llmId: string, effectiveAt: number): ProjectPrice => ({
  llmId,
  providerId: 'default',
  effectiveAt,
  promptTokenCost: 0.25,
  completionTokenCost: 1.5,
  cacheReadInputTokenCost: 0.125,
  cacheCreationInputTokenCost: 0.375,
  promptTokenCostUnit: 'USD',
  completionTokenCostUnit: 'USD',
  createdBy: null,
  createdAt: 0,
})
