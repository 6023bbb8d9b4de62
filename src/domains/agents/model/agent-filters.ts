import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OpenObject } from '../../../formats/schemas/nullable.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { GroupRef, Measure, oneOf } from './agent-measures.ts'

const Bound = Type.Union([Type.Number(), Type.String({ description: 'ISO time' })])

const GroupFilter = OpenObject({
  measure: Measure,
  group_by: Nullable(Type.Array(GroupRef, { maxItems: 8, description: 'Groups to measure; those of the request' })),
  min: Nullable(Bound),
  max: Nullable(Bound),
})
export type GroupFilter = Static<typeof GroupFilter>

const values = (of: ReturnType<typeof Type.String> | ReturnType<typeof oneOf>) =>
  Type.Unsafe<string[]>(Type.Array(of, { minItems: 1, maxItems: operationLimits.filterValuesMax }))
const exclude = Type.Optional(Type.Boolean({ default: false, description: 'Leave matching conversations out' }))

const InsightFilter = Type.Union([
  OpenObject({
    field: oneOf(['intent_category', 'failure_category', 'intent_topic_id', 'failure_topic_id']),
    values: values(Type.String()),
    exclude,
  }),
  OpenObject({
    field: oneOf(['intent_sentiment']),
    values: values(oneOf(['frustrated', 'dissatisfied', 'neutral', 'satisfied', 'delighted'])),
    exclude,
  }),
  OpenObject({ field: oneOf(['failure_severity']), values: values(oneOf(['info', 'major', 'minor'])), exclude }),
])
export type InsightFilter = Static<typeof InsightFilter>

const SignalFilters = OpenObject({
  tags: Nullable(
    Type.Array(Type.String(), { maxItems: operationLimits.filterValuesMax, description: 'Any of these tags' }),
  ),
  ratings: Nullable(
    Type.Array(
      OpenObject({ scorer_key: Type.String(), op: oneOf(['gte', 'gt', 'lte', 'lt', 'eq']), value: Type.Number() }),
      { maxItems: 32, description: 'All of these conditions' },
    ),
  ),
})
export type SignalFilters = Static<typeof SignalFilters>

/** Members of a request that narrow the spans by their conversation or their group. */
export const spanFilters = {
  group_filters: Nullable(
    Type.Array(GroupFilter, { maxItems: 32, description: 'Ranges of figures that groups must be in' }),
  ),
  insight_filters: Nullable(
    Type.Array(InsightFilter, {
      maxItems: 32,
      description: 'What feedback on a conversation, or an attribute of its spans, states in a member of this name',
    }),
  ),
  signal_filters: Nullable(SignalFilters),
}
