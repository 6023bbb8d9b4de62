import { assertNever } from '../../../lib/errors.ts'
import type { Parameters } from '../../../query/sql/parameters.ts'
import type { Figure } from '../model/call-stats.ts'

/**
 * SQL of aggregates over `value` per group, as DOUBLE. Without values, sums, averages and counts
 * are 0 and the others null.
 */
export function figuresSql(value: string, figures: readonly Figure[], parameters: Parameters): string[] {
  // All percentiles in one identical call, so that DuckDB keeps and sorts the values once.
  const shares = figures.flatMap(({ of }) => (typeof of === 'number' ? [parameters.bind(of / 100)] : []))
  const percentiles = `quantile_cont(${value}, [${shares.map((share) => `${share}::DOUBLE`).join(', ')}])`
  let percentile = 0
  return figures.map(({ of }) => {
    if (typeof of === 'number') return `${percentiles}[${++percentile}]::DOUBLE`
    switch (of) {
      case 'sum':
        return `coalesce(sum(${value}), 0)::DOUBLE`
      case 'avg':
        return `coalesce(avg(${value}), 0)::DOUBLE`
      case 'min':
        return `min(${value})::DOUBLE`
      case 'max':
        return `max(${value})::DOUBLE`
      case 'count':
        return `count(${value})::DOUBLE`
      case 'count_true':
        return `(count(*) FILTER (${value} <> 0))::DOUBLE`
      case 'count_false':
        return `(count(*) FILTER (${value} = 0))::DOUBLE`
      default:
        return assertNever(of)
    }
  })
}
