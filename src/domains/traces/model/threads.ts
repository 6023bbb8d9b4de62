import { type Static, Type } from '@sinclair/typebox'
import { CallsQuery, SortBy } from '../../../formats/schemas/calls.ts'
import { Nullable, NullableNumber, OpenObject } from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time, TimeText } from '../../../lib/time.ts'

/** A query of threads. */
export const ThreadsRequest = OpenObject({
  project_id: ProjectId,
  filter: Nullable(
    OpenObject({
      after_datetime: Nullable(Time),
      before_datetime: Nullable(Time),
      thread_ids: Nullable(Type.Array(Type.String())),
    }),
  ),
  limit: Nullable(Type.Integer()),
  offset: Nullable(Type.Integer()),
  sort_by: Nullable(Type.Array(SortBy)),
  query: CallsQuery.properties.query,
  engine: CallsQuery.properties.engine,
  include_details: Nullable(
    Type.Boolean({
      default: false,
      description:
        'Adds messages, tokens, costs, errors and feedback. At most 1,000 threads, 100 unless `limit` is given',
    }),
  ),
})
export type ThreadsRequest = Static<typeof ThreadsRequest>

/** A thread, as one line of the response. `include_details` adds the last members. */
export const Thread = Type.Object({
  thread_id: Type.String(),
  turn_count: Type.Integer(),
  start_time: TimeText,
  last_updated: TimeText,
  first_turn_id: Type.String(),
  last_turn_id: Type.String({ description: 'The turn that ended last' }),
  p50_turn_duration_ms: NullableNumber,
  p99_turn_duration_ms: NullableNumber,
  first_message: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Beginning of what the first turn was asked' }),
  ),
  last_message: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Beginning of what the last turn answered' }),
  ),
  total_tokens: Type.Optional(Type.Number({ description: 'Tokens of the turns and the calls below them' })),
  total_cost: Type.Optional(
    Type.Union([Type.Number(), Type.Null()], { description: 'Null if none of the models has a price' }),
  ),
  error_count: Type.Optional(Type.Integer({ description: 'Failed calls' })),
  feedback_count: Type.Optional(Type.Integer({ description: 'Feedback on the turns and the calls below them' })),
})
