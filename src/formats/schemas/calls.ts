import { type Static, Type } from '@sinclair/typebox'
import { explorationLimits } from '../../lib/limits/exploration.ts'
import { ProjectId } from '../../lib/project-id.ts'
import { Time, TimeText } from '../../lib/time.ts'
import { FreeObject, Nullable, NullableInteger, NullableText, NullableTime, OpenObject, underPath } from './members.ts'

const Text = Type.String()
const serverFills = { description: 'Set by the server from the API key; a value sent by the client is overwritten' }

const startMembers = {
  project_id: ProjectId,
  id: Nullable(Text),
  op_name: Text,
  display_name: Nullable(Text),
  trace_id: Nullable(Text),
  parent_id: Nullable(Text),
  thread_id: Nullable(Text),
  turn_id: Nullable(Text),
  started_at: Time,
  attributes: FreeObject,
  inputs: FreeObject,
  otel_dump: Nullable(FreeObject),
  ext_user_id: Type.Optional(Type.Union([Text, Type.Null()], serverFills)),
  ext_run_id: Nullable(Text),
  ext_run_step: Nullable(Type.Integer()),
}

/** The start of a call. */
export const StartedCall = OpenObject(startMembers)
export type StartedCall = Static<typeof StartedCall>

/** Counts of the client: token usage per model, calls per status, and anything else. */
const SummaryInsert = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true, description: '`usage`, `status_counts` and any other members' }),
)

const endMembers = {
  project_id: ProjectId,
  id: Text,
  trace_id: Nullable(Text),
  is_eval: Nullable(Type.Boolean()),
  ended_at: Time,
  started_at: Nullable(Time),
  exception: Nullable(Text),
  output: Type.Optional(Type.Unknown()),
  summary: SummaryInsert,
  ext_run_step_end: Nullable(Type.Integer()),
}

/** The end of a call. */
export const EndedCall = OpenObject(endMembers)
export type EndedCall = Static<typeof EndedCall>

/** Start and end together. */
export const CompletedCall = OpenObject({
  ...startMembers,
  id: Text,
  trace_id: Text,
  ended_at: Time,
  exception: Nullable(Text),
  output: Type.Optional(Type.Unknown()),
  summary: SummaryInsert,
  ext_run_step_end: Nullable(Type.Integer()),
})
export type CompletedCall = Static<typeof CompletedCall>

const mode = (value: string) =>
  Type.Optional(Type.String({ default: value, description: `"${value}"; may be omitted` }))

/** Start or end of a call in a batch. */
export const CallBatchItem = Type.Union([
  OpenObject({ mode: mode('start'), req: OpenObject({ start: StartedCall }) }),
  OpenObject({ mode: mode('end'), req: OpenObject({ end: EndedCall }) }),
])
export type CallBatchItem = Static<typeof CallBatchItem>

/** Starts and ends of calls, of any projects. */
export const CallBatch = OpenObject({ batch: Type.Array(CallBatchItem) })

/** Completed calls of the project in a path. */
export const CompletedCallsOfPath = OpenObject({ batch: Type.Array(underPath(CompletedCall)) })

export const CallIds = Type.Object({ id: Text, trace_id: Text })
export type CallIds = Static<typeof CallIds>

/** A call as returned by reads. */
export const Call = Type.Object({
  id: Text,
  project_id: Text,
  op_name: Text,
  display_name: NullableText,
  trace_id: Text,
  parent_id: NullableText,
  thread_id: NullableText,
  turn_id: NullableText,
  started_at: TimeText,
  attributes: FreeObject,
  inputs: FreeObject,
  ended_at: NullableTime,
  exception: NullableText,
  output: Type.Unknown(),
  summary: FreeObject,
  ext_user_id: NullableText,
  ext_username: Type.Optional(Text),
  ext_run_id: NullableText,
  ext_run_step: NullableInteger,
  ext_run_step_end: NullableInteger,
  deleted_at: NullableTime,
  expire_at: NullableTime,
  storage_size_bytes: NullableInteger,
  total_storage_size_bytes: NullableInteger,
})
export type Call = Static<typeof Call>

const { id, project_id, op_name, trace_id, started_at, summary, ...others } = Call.properties
const preview = Type.Optional(Type.Union([Text, Type.Null()], { description: 'With `preview_chars`' }))

/** A call as returned by queries: `omit_null` and `preview_chars` leave out and add members. */
export const FoundCall = Type.Composite([
  Type.Object({ id, project_id, op_name, trace_id, started_at, summary }),
  Type.Partial(Type.Object(others)),
  Type.Object({ inputs_preview: preview, output_preview: preview }),
])
export const FoundCalls = Type.Object({ calls: Type.Array(FoundCall) })

const texts = (description: string) => Type.Optional(Type.Union([Type.Array(Text), Type.Null()], { description }))

/**
 * Filters calls: all members must match (AND), any value of a member suffices (OR), an empty list
 * matches everything.
 */
export const CallsFilter = OpenObject({
  op_names: texts('Op names, or prefixes ending in `:*` to match all versions of an op'),
  input_refs: texts('Refs in the inputs, or prefixes ending in `:*`'),
  output_refs: texts('Refs in the output, or prefixes ending in `:*`'),
  parent_ids: texts('Parent call ids'),
  trace_ids: texts('Trace ids'),
  call_ids: texts('Call ids'),
  thread_ids: texts('Thread ids'),
  turn_ids: texts('Turn ids'),
  trace_roots_only: Nullable(Type.Boolean({ description: 'Only root calls (calls without a parent)' })),
  ext_user_ids: texts('User ids'),
  ext_run_ids: texts('Runs, as entity/project/run or as bare run ids'),
})
export type CallsFilter = Static<typeof CallsFilter>

export const SortBy = OpenObject({
  field: Type.String({ maxLength: explorationLimits.fieldPathCharsMax }),
  direction: Type.Union([Type.Literal('asc'), Type.Literal('desc')]),
})
export type SortBy = Static<typeof SortBy>

/** The values of the sort keys in a row, then its id: a page continues after it. */
export const afterRow = (key: string) =>
  Type.Optional(
    Type.Union([Type.Array(Type.Unknown()), Type.Null()], {
      description:
        'Continues after a row: the values of the sort keys as that row has them, in the order of `sort_by` ' +
        `(\`${key}\` if omitted), followed by its id. Rows that arrive in the meantime do not shift the page.`,
      examples: [['2026-01-02T03:04:05.678901Z', '0198f2d6-5c7e-7b7a-9c58-1d2f3a4b5c6d']],
    }),
  )

/** Parsed by the query compiler, which reports errors with their path. */
export const QueryExpression = Type.Unknown({
  description: 'Filter expression: an object with the single member `$expr`',
})

const flag = (description: string) =>
  Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { default: false, description }))

/** The engine that searches data files. */
const RequestedEngine = Type.Optional(
  Type.Union([Type.Literal('duckdb'), Type.Literal('clickhouse'), Type.Null()], {
    description:
      'Engine that searches data files; by default, the amount of data decides. `clickhouse` needs a configured ' +
      'server, and refuses what it would not answer exactly',
  }),
)

export const CallsQuery = OpenObject({
  project_id: ProjectId,
  filter: Nullable(CallsFilter),
  limit: Nullable(Type.Integer({ description: 'Maximum number of calls; unlimited if omitted' })),
  offset: Nullable(Type.Integer({ description: 'Number of calls to skip' })),
  sort_by: Nullable(Type.Array(SortBy)),
  query: Type.Optional(QueryExpression),
  include_costs: flag('Include the model costs of each call'),
  include_feedback: flag('Include the feedback on each call'),
  include_storage_size: flag('Include the storage size of each call'),
  include_total_storage_size: flag('Include the storage size of the whole trace in its root call'),
  include_usernames: flag("Include the name of each call's user"),
  columns: texts('Columns to return; all if omitted'),
  after: afterRow('started_at'),
  omit_null: flag('Leave out members that are null, and columns that are not requested'),
  preview_chars: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: explorationLimits.previewCharsMax,
      description:
        'Add `inputs_preview` and `output_preview`: up to this many characters of the most informative text: ' +
        'the text itself, that of the last message, or that of the only member, else JSON. `inputs` and `output` ' +
        'are then left out unless `columns` names them.',
    }),
  ),
  expand_columns: texts('Dotted paths to refs that are expanded to the objects they refer to'),
  return_expanded_column_values: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], {
      default: true,
      description: 'If false, expanded refs are used for filtering and sorting only',
    }),
  ),
  engine: RequestedEngine,
})
export type CallsQuery = Static<typeof CallsQuery>
