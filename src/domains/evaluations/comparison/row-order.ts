import { itemAt } from '../../../lib/present.ts'
import type { ComparedRows, ComparedRowsRequest, RowsShown } from '../model/comparison.ts'
import type { ComparedRunRows } from './compared-rows.ts'

/** How a score changed against the baseline, by run and row. */
export interface Changes {
  /** Values of the score, larger being better; NaN without one. */
  readonly values: readonly Float64Array[]
  /** Their differences from the baseline; NaN for the baseline itself and rows without a pair. */
  readonly improvements: readonly Float64Array[]
  readonly baseline: number
  /** Differences up to this size are none. */
  readonly margin: number
}

/** The changes of a score. */
export function changesOf(
  rows: ComparedRunRows,
  of: {
    readonly ids: readonly string[]
    readonly baseline: number
    readonly score: string | null
    readonly margin: number
    readonly lowerIsBetter: boolean
  },
): Changes {
  const { ids, baseline, score, margin, lowerIsBetter } = of
  const sign = lowerIsBetter ? -1 : 1
  const values = ids.map((id) =>
    score === null ? rows.filled() : rows.valuesOf(score, id).values.map((value) => value * sign),
  )
  const before = itemAt(values, baseline)
  const improvements = values.map((own, run) =>
    run === baseline ? rows.filled() : own.map((value, at) => value - itemAt(before, at)),
  )
  return { values, improvements, baseline, margin }
}

/** The rows that match, those that are shown in order, and how many each choice would show. */
export function selectRows(
  rows: ComparedRunRows,
  changes: Changes,
  {
    matches,
    request,
    sortRun,
  }: { readonly matches: Uint8Array | undefined; readonly request: ComparedRowsRequest; readonly sortRun: number },
): {
  readonly matching: readonly number[]
  readonly shown: readonly number[]
  readonly counts: ComparedRows['counts']
} {
  const matching = matches === undefined ? rows.order : rows.order.filter((at) => matches[at] === 1)
  const is: Readonly<Record<RowsShown, (at: number) => boolean>> = {
    all: () => true,
    changed: (at) => changes.improvements.some((own) => Math.abs(itemAt(own, at)) > changes.margin),
    regressions: (at) => changes.improvements.some((own) => itemAt(own, at) < -changes.margin),
    disagreement: (at) =>
      spread(
        changes.values.filter((_, run) => run !== changes.baseline),
        at,
      ) > changes.margin,
    incomplete: (at) => changes.values.some((own) => Number.isNaN(itemAt(own, at))),
  }
  const chosen = { show: request.show ?? 'all', sort: request.sort ?? 'row' }
  const counts = { all: matching.length, changed: 0, regressions: 0, disagreement: 0, incomplete: 0 }
  const shown: number[] = []
  for (const at of matching) {
    for (const show of ['changed', 'regressions', 'disagreement', 'incomplete'] as const) {
      if (is[show](at)) counts[show]++
    }
    if (is[chosen.show](at)) shown.push(at)
  }
  if (chosen.sort === 'row') return { matching, shown, counts }
  const keys = new Float64Array(rows.positions.size)
  for (const at of shown) keys[at] = sortKey(changes, { sort: chosen.sort, at, sortRun })
  // Stable: equal rows stay in the order of the baseline. Rows without a key come last.
  shown.sort((a, b) => compareKeys(itemAt(keys, a), itemAt(keys, b)))
  return { matching, shown, counts }
}

function sortKey(
  { improvements, values }: Changes,
  {
    sort,
    at,
    sortRun,
  }: { readonly sort: 'loss' | 'gain' | 'difference' | 'value'; readonly at: number; readonly sortRun: number },
): number {
  if (sort === 'value') return itemAt(itemAt(values, sortRun), at)
  let [least, most] = [Number.NaN, Number.NaN]
  for (const own of improvements) {
    const change = itemAt(own, at)
    if (Number.isNaN(change)) continue
    if (!(change >= least)) least = change
    if (!(change <= most)) most = change
  }
  if (sort === 'loss') return least
  return sort === 'gain' ? -most : -Math.max(Math.abs(least), Math.abs(most))
}

const compareKeys = (a: number, b: number): number =>
  Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : a - b

function spread(values: readonly Float64Array[], at: number): number {
  let [least, most] = [Infinity, -Infinity]
  for (const own of values) {
    const value = itemAt(own, at)
    if (Number.isNaN(value)) continue
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return most - least
}
