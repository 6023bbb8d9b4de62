import { durationScale, durationTick } from '../../chart/duration-scale.ts'
import { type Series, seriesColor } from '../../chart/series-values.ts'
import type { Span } from '../../chart/span.ts'
import { formatDuration } from '../../format/duration.ts'
import { opName } from '../../format/ids.ts'
import { formatCost, formatCount, formatNumber, formatShare, formatShort } from '../../format/number.ts'
import { wholeOpName } from '../../format/op-names.ts'
import { boardText } from '../../text/board.ts'
import { bucketsOf, statistic } from '../chart-data.ts'
import type { StatsRow } from '../read-stats.ts'
import type { CallsSource, Card, Metric, Shape } from './board.ts'
import { areTraces, type CardStats, groupPathOf, groupsByReportedModel, groupsMax, isOfUsage } from './card-request.ts'

/** A group of calls: those with a value, those without one, or all others. */
export type Group =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'other' }

/** Values of a group over time. */
export interface GroupSeries extends Series {
  /** Undefined without groups. */
  readonly group: Group | undefined
  /** What the values are of: calls, or scores. */
  readonly count: number
}

/** What a card shows of calls. */
export interface CardData {
  readonly buckets: readonly Span[]
  readonly series: readonly GroupSeries[]
  /** Value of all groups together; undefined if it cannot be told from theirs. */
  readonly total: number | null | undefined
  readonly count: number
}

/** Metrics whose values over groups and times add up. */
export const addsUp = (metric: Metric): boolean => metric === 'calls' || metric === 'errors' || isOfUsage(metric)

/** The shape that is drawn: what does not add up is not stacked. */
export function drawnShape({ shape, source }: Pick<Card, 'shape' | 'source'>): Shape {
  if (source.kind === 'sql' || addsUp(source.metric)) return shape
  return shape === 'area' || (shape === 'bars' && source.group.trim() !== '') ? 'line' : shape
}

const members: Readonly<Record<Exclude<Metric, 'error_rate'>, string>> = {
  calls: 'sum_call_count',
  errors: 'sum_error_count',
  p50: 'p50_latency_ms',
  p90: 'p90_latency_ms',
  p95: 'p95_latency_ms',
  p99: 'p99_latency_ms',
  tokens_in: 'sum_input_tokens',
  tokens_out: 'sum_output_tokens',
  cost: 'sum_total_cost',
  score: 'avg_score',
}

/** Value of rows of one bucket and group: several models of a group are added up. */
function metricValue(metric: Metric, rows: readonly (StatsRow | undefined)[]): number | null {
  const sum = (name: string) => rows.reduce((all, row) => all + (statistic(row, name) ?? 0), 0)
  if (metric === 'error_rate') {
    const calls = sum('sum_call_count')
    return calls === 0 ? null : sum('sum_error_count') / calls
  }
  if (addsUp(metric)) return sum(members[metric])
  if (metric === 'score' && sum('count_score') === 0) return null
  return statistic(rows[0], members[metric])
}

function countOf(metric: Metric, rows: readonly StatsRow[]): number {
  const name = metric === 'score' ? 'count_score' : metric.startsWith('p') ? 'count_latency_ms' : 'count'
  return rows.reduce((all, row) => all + (statistic(row, name) ?? 0), 0)
}

interface OwnRows {
  readonly group: Group | undefined
  readonly rows: readonly StatsRow[]
  readonly totals: readonly StatsRow[]
}

/** The series of a card and their totals, in the order of the answer. */
export function cardData(source: CallsSource, stats: CardStats, span: Span): CardData {
  const { metric } = source
  const [rows, totals] = rowsOf(metric, stats)
  const buckets = bucketsOf(rows, stats.granularity * 1_000, span)
  const isGrouped = groupPathOf(source) !== undefined
  const groups = groupsByReportedModel(source)
    ? byModel(metric, rows, totals)
    : isGrouped
      ? byGroup(rows, totals)
      : [{ group: undefined, rows, totals }]
  const series = groups.map(({ group, rows: own, totals: ownTotals }, index): GroupSeries => {
    const byBucket = Map.groupBy(own, ({ timestamp }) => placeOf(buckets, Date.parse(timestamp)))
    return {
      name: group === undefined ? nameOfMetric(source) : groupName(source, group),
      group,
      color: group === undefined ? plainColor(metric) : groupColor(group, index),
      values: buckets.map((_, at) => {
        const found = byBucket.get(at) ?? []
        return found.length === 0 && !addsUp(metric) ? null : metricValue(metric, found)
      }),
      total: ownTotals.length === 0 && !addsUp(metric) ? null : metricValue(metric, ownTotals),
      count: countOf(metric, ownTotals),
    }
  })
  return {
    buckets,
    series,
    total: addsUp(metric) || metric === 'error_rate' || !isGrouped ? metricValue(metric, totals) : undefined,
    count: countOf(metric, totals),
  }
}

function rowsOf(metric: Metric, stats: CardStats): [rows: readonly StatsRow[], totals: readonly StatsRow[]] {
  if (metric === 'score') return [stats.score_buckets ?? [], stats.score_totals ?? []]
  if (isOfUsage(metric)) return [stats.usage_buckets, stats.usage_totals]
  return [stats.call_buckets, stats.call_totals]
}

/** The first bucket may begin before the range does. */
const placeOf = (buckets: readonly Span[], time: number): number =>
  Math.max(
    0,
    buckets.findLastIndex(({ from }) => from <= time),
  )

/** In the order of the answer: most calls first, then those without a value, then the others. */
function byGroup(rows: readonly StatsRow[], totals: readonly StatsRow[]): OwnRows[] {
  const keyOf = ({ group, is_other }: StatsRow) => JSON.stringify([group ?? null, is_other === true])
  const own = Map.groupBy(rows, keyOf)
  return [...Map.groupBy(totals, keyOf)].flatMap(([key, ownTotals]) => {
    const [first] = ownTotals
    return first === undefined ? [] : [{ group: groupOf(first), rows: own.get(key) ?? [], totals: ownTotals }]
  })
}

function groupOf({ group, is_other }: StatsRow): Group {
  if (is_other === true) return { kind: 'other' }
  return group === null || group === undefined ? { kind: 'none' } : { kind: 'value', value: group }
}

/** Models with most of the metric first; what is behind the eighth is one group. */
function byModel(metric: Metric, rows: readonly StatsRow[], totals: readonly StatsRow[]): OwnRows[] {
  const own = Map.groupBy(rows, ({ model }) => model ?? '')
  const sorted = [...Map.groupBy(totals, ({ model }) => model ?? '')].sort(
    ([, a], [, b]) => (metricValue(metric, b) ?? 0) - (metricValue(metric, a) ?? 0),
  )
  const named = sorted.slice(0, groupsMax).map(
    ([model, ownTotals]): OwnRows => ({
      group: { kind: 'value', value: model },
      rows: own.get(model) ?? [],
      totals: ownTotals,
    }),
  )
  const rest = sorted.slice(groupsMax)
  if (rest.length === 0) return named
  const others = rest.flatMap(([model]) => own.get(model) ?? [])
  return [...named, { group: { kind: 'other' }, rows: others, totals: rest.flatMap(([, ownTotals]) => ownTotals) }]
}

function groupName(source: CallsSource, group: Group): string {
  const path = groupPathOf(source)
  if (group.kind === 'other') return boardText.other
  if (group.kind === 'none') return path === 'usage.models' ? boardText.noModel : boardText.noValue
  return path === 'op_name' ? wholeOpName(opName(String(group.value))) : String(group.value)
}

/** One colour for each of the groups that are named; none is that of the others. */
function groupColor({ kind }: Group, index: number): string {
  if (kind === 'other') return seriesColor(groupsMax - 1)
  if (kind === 'none') return 'var(--bar-weak)'
  return index < groupsMax - 1 ? seriesColor(index) : 'var(--text-2)'
}

const plainColor = (metric: Metric): string =>
  metric === 'errors' || metric === 'error_rate' ? 'var(--error-fill)' : metric === 'calls' ? 'var(--bar)' : 'var(--c1)'

const nameOfMetric = (source: CallsSource): string =>
  boardText.titleOf(source.metric, areTraces(source), '', source.scorePath)

/** The title of a card: its own, or what it shows. */
export function titleOf({ title, source }: Pick<Card, 'title' | 'source'>): string {
  if (title !== '') return title
  if (source.kind === 'sql') return boardText.sqlTitle
  return boardText.titleOf(source.metric, areTraces(source), source.group.trim(), source.scorePath)
}

/** How values of a metric are written, and those on an axis. */
export function formatsOf(metric: Metric): {
  readonly format: (value: number) => string
  readonly formatTick?: (value: number, highest: number) => string
  readonly isCount: boolean
  readonly scaleOf?: (highest: number) => readonly number[]
} {
  if (metric === 'calls' || metric === 'errors') return { format: formatCount, formatTick: formatShort, isCount: true }
  if (metric === 'cost') return { format: formatCost, formatTick: costTick, isCount: false }
  if (isOfUsage(metric)) return { format: formatShort, isCount: true }
  if (metric === 'error_rate') return { format: formatShare, isCount: false }
  if (metric === 'score') return { format: formatNumber, isCount: false }
  return { format: formatDuration, formatTick: durationTick, isCount: false, scaleOf: durationScale }
}

/** Costs on an axis: `$0.25`. */
export const costTick = (cost: number): string => `$${Number(cost.toPrecision(2))}`
