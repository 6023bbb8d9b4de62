import { itemAt } from '../../lib/present.ts'
import { type AgentSpan, spanKeyOf } from './agent-span.ts'
import type { SpanAggregation, SpanMeasure } from './model/agent-filters.ts'
import { noField } from './span-groups.ts'
import { measureOf, type Scalar } from './span-values.ts'

/** Values of one measure. */
export class Aggregate {
  private readonly values: Exclude<Scalar, null>[] = []
  private rows = 0

  add(value: Scalar): void {
    this.rows++
    if (value !== null) this.values.push(value)
  }

  /** Null if no value identifies it. */
  statistic(aggregation: SpanAggregation, countsRows: boolean): Scalar {
    const numbers = this.values.filter((value) => typeof value === 'number')
    switch (aggregation) {
      case 'count':
        return countsRows ? this.rows : this.values.length
      case 'count_distinct':
        return new Set(this.values).size
      case 'count_true':
        return this.values.filter((value) => value === true).length
      case 'count_false':
        return this.values.filter((value) => value === false).length
      case 'sum':
        return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0)
      case 'avg':
        return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length
      case 'min':
        return least(this.values, 1)
      case 'max':
        return least(this.values, -1)
    }
  }

  /** Interpolated linearly. @param percent from 0 to 100 */
  percentile(percent: number): number | null {
    const sorted = this.values.filter((value) => typeof value === 'number').toSorted((a, b) => a - b)
    if (sorted.length === 0) return null
    const place = (percent / 100) * (sorted.length - 1)
    const below = Math.floor(place)
    const [low, high] = [itemAt(sorted, below), itemAt(sorted, Math.min(below + 1, sorted.length - 1))]
    return low + (high - low) * (place - below)
  }
}

function least(values: readonly Exclude<Scalar, null>[], sign: 1 | -1): Scalar {
  let found: Scalar = null
  for (const value of values) {
    if (found === null || (value < found ? 1 : -1) * sign > 0) found = value
  }
  return found
}

/** Which spans the filter of a measure lets count, by their keys; undefined for all. */
export type Counted = (measure: SpanMeasure) => ReadonlySet<string> | undefined

/**
 * A statistic of the spans of a group, as a measure asks for it.
 *
 * @throws DomainError InvalidField for a value that spans do not have
 */
export function measuring(measure: SpanMeasure, counted: Counted): (spans: readonly AgentSpan[]) => Scalar {
  const { value, aggregation } = measure
  const read = value == null ? () => null : measureOf(value)
  if (read === undefined) throw noField('Measure', value?.key ?? '')
  const among = counted(measure)
  return (spans) => {
    const aggregate = new Aggregate()
    for (const span of spans) if (among === undefined || among.has(spanKeyOf(span))) aggregate.add(read(span))
    return aggregate.statistic(aggregation, value == null)
  }
}
