import { itemAt } from '../../lib/present.ts'
import { type Series, seriesColor } from '../chart/series-values.ts'
import type { Span } from '../chart/span.ts'
import { chartText } from '../text/chart.ts'
import { dashboardText } from '../text/dashboards.ts'
import type { StatsRow } from './read-stats.ts'

/** Buckets of a chart with the series over them. */
export interface ChartData {
  readonly buckets: readonly Span[]
  readonly series: readonly Series[]
  /** Sum of all series, where it means something. */
  readonly sum: number
}

const modelsMax = 6

/** A figure of a row; null if it has none. */
export const statistic = (row: StatsRow | undefined, name: string): number | null => {
  const value = row?.[name]
  return typeof value === 'number' ? value : null
}

/** The stretches of time of rows; the first and the last end with the span. */
export function bucketsOf(rows: readonly StatsRow[], stepMs: number, span: Span): Span[] {
  const starts = [...new Set(rows.map(({ timestamp }) => Date.parse(timestamp)))].sort((a, b) => a - b)
  return starts
    .map((from) => ({ from: Math.max(from, span.from), to: Math.min(from + stepMs, span.to) }))
    .filter(({ from, to }) => from < to)
}

/** Percentiles of latency in milliseconds. */
export function latencyChart(
  rows: readonly StatsRow[],
  total: StatsRow | undefined,
  buckets: readonly Span[],
): ChartData {
  const at = indexed(rows, buckets)
  const lines = [
    { name: 'p50', color: 'var(--text)' },
    { name: 'p95', color: 'var(--c1)' },
    { name: 'p99', color: 'var(--c1)', isDotted: true },
  ]
  const series = lines.map((line) => ({
    ...line,
    values: at.map((row) => statistic(row, `${line.name}_latency_ms`)),
    total: statistic(total, `${line.name}_latency_ms`),
  }))
  return { buckets, series, sum: 0 }
}

/** How many calls there are, whatever became of them. */
export const callsIn = (rows: readonly StatsRow[]): number =>
  added(rows.map((row) => statistic(row, 'sum_call_count') ?? 0))

/**
 * Calls by status: those that failed at the base, so that they can be compared, and running ones on
 * top. A call with an error inside is not OK: lists say the same of it.
 *
 * @param rows one for each bucket and status
 */
export function volumeChart(rows: readonly StatsRow[], buckets: readonly Span[]): ChartData {
  const special = ['error', 'descendant_error', 'running']
  const count = (isCounted: (status: string) => boolean) => {
    const counted = rows.filter(({ group }) => isCounted(group ?? ''))
    const values = buckets.map((_, index) => callsIn(rowsIn(counted, buckets, index)))
    return { values, total: added(values) }
  }
  const inside = count((status) => status === 'descendant_error')
  const running = count((status) => status === 'running')
  const series = [
    { name: chartText.error, color: 'var(--error-fill)', ...count((status) => status === 'error') },
    ...(inside.total > 0 ? [{ name: dashboardText.inside, color: 'var(--warn-fill)', ...inside }] : []),
    { name: chartText.ok, color: 'var(--bar)', ...count((status) => !special.includes(status)) },
    ...(running.total > 0 ? [{ name: dashboardText.running, color: 'var(--accent)', ...running }] : []),
  ]
  return { buckets, series, sum: added(series.map(({ total }) => total)) }
}

/** Tokens: cached ones are neutral, they are the cheap part. */
export function tokensChart(rows: readonly StatsRow[], buckets: readonly Span[]): ChartData {
  const sumIn = (index: number, name: string) =>
    added(rowsIn(rows, buckets, index).map((row) => statistic(row, name) ?? 0))
  const sum = (name: string) => buckets.map((_, index) => sumIn(index, name))
  const cached = sum('sum_cache_read_input_tokens')
  const input = buckets.map((_, index) =>
    Math.max(0, sumIn(index, 'sum_input_tokens') - sumIn(index, 'sum_cache_read_input_tokens')),
  )
  const output = sum('sum_output_tokens')
  const series = [
    { name: dashboardText.cached, color: 'var(--bar)', values: cached, total: added(cached) },
    { name: dashboardText.input, color: 'var(--c1)', values: input, total: added(input) },
    { name: dashboardText.output, color: 'var(--c2)', values: output, total: added(output) },
  ]
  return { buckets, series, sum: added(series.map(({ total }) => total)) }
}

/** Cost by model, the most expensive first; what is behind the sixth is one series. */
export function costChart(rows: readonly StatsRow[], buckets: readonly Span[]): ChartData {
  const models = [...new Set(rows.map(({ model }) => model ?? dashboardText.noModel))]
  const all = models
    .map((name) => {
      const own = rows.filter(({ model }) => (model ?? dashboardText.noModel) === name)
      const values = buckets.map((_, index) =>
        added(rowsIn(own, buckets, index).map((row) => statistic(row, 'sum_total_cost') ?? 0)),
      )
      return { name, values, total: added(values) }
    })
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total)
  const named = all.slice(0, modelsMax).map((one, index) => ({ ...one, color: seriesColor(index) }))
  const rest = all.slice(modelsMax)
  const others = {
    name: dashboardText.others,
    color: seriesColor(7),
    values: buckets.map((_, index) => added(rest.map(({ values }) => values[index] ?? 0))),
    total: added(rest.map(({ total }) => total)),
  }
  const series = rest.length === 0 ? named : [...named, others]
  return { buckets, series, sum: added(all.map(({ total }) => total)) }
}

const added = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Rows of a bucket; the first one may begin before the span does. */
const rowsIn = (rows: readonly StatsRow[], buckets: readonly Span[], index: number): readonly StatsRow[] => {
  const { from: start, to } = itemAt(buckets, index)
  const from = index === 0 ? Number.NEGATIVE_INFINITY : start
  return rows.filter(({ timestamp }) => Date.parse(timestamp) >= from && Date.parse(timestamp) < to)
}

const indexed = (rows: readonly StatsRow[], buckets: readonly Span[]): (StatsRow | undefined)[] =>
  buckets.map((_, index) => rowsIn(rows, buckets, index)[0])
