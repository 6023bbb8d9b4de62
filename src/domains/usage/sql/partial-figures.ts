import { assertNever } from '../../../lib/errors.ts'
import type { Figure } from '../model/call-stats.ts'

/** What the figures of a metric are computed from, as SQL over a row. */
export interface Partials {
  /** How many values the row stands for, and how many of them are not 0. */
  readonly n: string
  readonly trues: string
  readonly sum: string
  readonly min: string
  readonly max: string
}

/** The partials of a single value. */
export const ofValue = (value: string): Partials => ({
  n: `(${value} IS NOT NULL)::INTEGER`,
  trues: `coalesce(${value} <> 0, false)::INTEGER`,
  sum: `(${value})::DOUBLE`,
  min: value,
  max: value,
})

/** Select list of the partials of metric number `index`. */
export const partialsSql = (partials: Partials, index: number): string =>
  names.map((name) => `${partials[name]} AS m${index}_${name}`).join(', ')

const names = ['n', 'trues', 'sum', 'min', 'max'] as const

/**
 * SQL of an aggregate over the partials of metric number `index`, as DOUBLE; the same as
 * `figuresSql` over the values. Percentiles are null.
 */
export function figureOfPartialsSql({ of }: Figure, index: number): string {
  const [n, trues, sum] = ['n', 'trues', 'sum'].map((name) => `coalesce(sum(m${index}_${name}), 0)::DOUBLE`)
  if (typeof of === 'number') return 'NULL::DOUBLE'
  switch (of) {
    case 'sum':
      return sum!
    case 'avg':
      return `coalesce(${sum} / nullif(${n}, 0), 0)`
    case 'min':
      return `min(m${index}_min)::DOUBLE`
    case 'max':
      return `max(m${index}_max)::DOUBLE`
    case 'count':
      return n!
    case 'count_true':
      return trues!
    case 'count_false':
      return `(${n} - ${trues})`
    default:
      return assertNever(of)
  }
}
