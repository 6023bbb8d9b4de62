import { type AgentSpan, spanKeyOf } from './agent-span.ts'
import { Aggregate } from './aggregate.ts'
import type { SpanMeasure } from './model/agent-measures.ts'
import { noField } from './span-groups.ts'
import { measureOf, type Scalar } from './span-values.ts'

/** Which spans the filter of a measure lets count, by their keys; undefined for all. */
export type Counted = (measure: SpanMeasure) => ReadonlySet<string> | undefined

/**
 * A figure of the spans of a group, as a measure asks for it.
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
    return aggregate.figure(aggregation, value == null)
  }
}
