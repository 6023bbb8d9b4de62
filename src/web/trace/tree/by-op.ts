import { itemAt } from '../../../lib/present.ts'
import { type Column, endOf, kindOf, nameOf, type Skeleton } from '../skeleton.ts'
import { selfTimes } from '../timeline/self-time.ts'

/** The calls of a trace that have the same name. Times in milliseconds. */
export interface OpGroup {
  readonly name: string
  /** The kind that most of the calls have. */
  readonly kind: string
  readonly calls: number
  readonly errors: number
  readonly self: number
  readonly total: number
  readonly p50: number
  readonly p95: number
  readonly max: number
  /** Without usage that other calls state as well; NaN if no call has any. */
  readonly tokens: number
  /** Likewise. */
  readonly cost: number
  readonly slowestRow: number
  readonly firstErrorRow: number
}

/** Calls grouped by name, the most self time first. */
export function groupByOp(skeleton: Skeleton, now: number): OpGroup[] {
  const self = selfTimes(skeleton, now)
  const groups = new Map<string, number[]>()
  for (let row = 0; row < skeleton.size; row++) {
    const name = nameOf(skeleton, row)
    const rows = groups.get(name)
    if (rows) rows.push(row)
    else groups.set(name, [row])
  }
  return [...groups.values()].map((rows) => groupOf(skeleton, rows, self, now)).sort((a, b) => b.self - a.self)
}

function groupOf(skeleton: Skeleton, rows: readonly number[], self: Column<number>, now: number): OpGroup {
  const byDuration = rows
    .map((row) => ({ row, duration: endOf(skeleton, row, now) - skeleton.start(row) }))
    .sort((a, b) => a.duration - b.duration)
  const quantile = (share: number) => byDuration[Math.ceil(share * byDuration.length) - 1]?.duration ?? 0
  const isError = (row: number) => skeleton.statuses[skeleton.status(row)] === 'error'
  const counting = rows.filter((row) => !skeleton.usageRepeated(row))
  const slowest = itemAt(byDuration, byDuration.length - 1)
  return {
    name: nameOf(skeleton, itemAt(rows, 0)),
    kind: mostFrequent(rows.map((row) => kindOf(skeleton, row))),
    calls: rows.length,
    errors: rows.filter(isError).length,
    self: sum(rows, self),
    total: sum(byDuration, ({ duration }) => duration),
    p50: quantile(0.5),
    p95: quantile(0.95),
    max: slowest.duration,
    tokens: knownSum(counting, (row) => known(skeleton.tokensIn(row), skeleton.tokensOut(row))),
    cost: knownSum(counting, skeleton.cost),
    slowestRow: slowest.row,
    firstErrorRow: rows.find(isError) ?? -1,
  }
}

/** The most frequent kind; the first of several. */
function mostFrequent(kinds: readonly string[]): string {
  const groups = [...Map.groupBy(kinds, (kind) => kind)]
  return groups.reduce((most, each) => (each[1].length > most[1].length ? each : most))[0]
}

const known = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b)

const knownSum = (rows: readonly number[], of: (row: number) => number): number =>
  rows.reduce((total, row) => known(total, of(row)), Number.NaN)

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0)
