import { type Static, Type } from '@sinclair/typebox'
import { afterRow, QueryExpression, SortBy } from '../../../formats/schemas/calls.ts'
import {
  FreeObject,
  Nullable,
  NullableInteger,
  NullableText,
  NullableTime,
  OpenObject,
} from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { TimeText } from '../../../lib/time.ts'

const texts = (description: string) =>
  Nullable(Type.Array(Type.String(), { maxItems: operationLimits.filterValuesMax, description }))

/** Conditions that all have to hold; an empty or absent member restricts nothing. */
export const LogsFilter = OpenObject({
  trace_ids: texts('Traces that the records were sent with'),
  span_ids: texts('Spans that the records were sent with'),
  thread_ids: texts('Conversations (sessions)'),
  turn_ids: texts('Turns of coding agents: ids of calls'),
  call_ids: texts('Calls that were created from the records, or whose spans they were sent with'),
  event_names: texts('Names of events, such as `claude_code.api_request`'),
  service_names: texts('Services'),
  severity_min: Nullable(Type.Integer({ description: 'Smallest severity number, such as 17 for errors' })),
  after: Nullable(Type.String({ format: 'date-time', description: 'Only records after this time' })),
  before: Nullable(Type.String({ format: 'date-time', description: 'Only records before this time' })),
})
export type LogsFilter = Static<typeof LogsFilter>

export const LogsQuery = OpenObject({
  project_id: ProjectId,
  filter: Nullable(LogsFilter),
  query: Type.Optional(QueryExpression),
  fields: Nullable(
    Type.Array(Type.String(), {
      description: 'Columns, or paths such as `attributes.prompt.id`; all columns if omitted',
    }),
  ),
  sort_by: Nullable(Type.Array(SortBy)),
  limit: Nullable(Type.Integer({ description: 'Maximum number of records; unlimited if omitted' })),
  offset: Nullable(Type.Integer({ description: 'Number of records to skip' })),
  after: afterRow('time'),
})
export type LogsQuery = Static<typeof LogsQuery>

/** A log record as a query returns it. */
export const FoundLog = Type.Object({
  project_id: Type.String(),
  id: Type.String(),
  time: TimeText,
  observed_at: NullableTime,
  trace_id: NullableText,
  span_id: NullableText,
  thread_id: NullableText,
  turn_id: NullableText,
  call_id: NullableText,
  event_name: NullableText,
  severity_number: NullableInteger,
  severity_text: NullableText,
  service_name: NullableText,
  body: Type.Unknown(),
  attributes: FreeObject,
  resource: FreeObject,
  scope: FreeObject,
  ext_user_id: Type.String(),
})
