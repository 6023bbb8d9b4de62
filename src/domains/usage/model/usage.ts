import { type Static, Type } from '@sinclair/typebox'
import { CallsQuery } from '../../../formats/schemas/calls.ts'
import { Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const Wanted = Nullable(
  Type.Boolean({ description: 'If false, the size is not computed and reported as 0; defaults to true' }),
)

/** Selects which sizes of a project to compute. */
export const ProjectStatsRequest = OpenObject({
  project_id: ProjectId,
  include_trace_storage_size: Wanted,
  include_object_storage_size: Wanted,
  include_table_storage_size: Wanted,
  include_file_storage_size: Wanted,
})
export type ProjectStatsRequest = Static<typeof ProjectStatsRequest>

/** Sizes of a project in bytes, as sent by clients: JSON text and file contents. */
export const ProjectStats = Type.Object({
  trace_storage_size_bytes: Type.Integer({ description: 'Attributes, inputs, output and summary of calls' }),
  objects_storage_size_bytes: Type.Integer({ description: 'Content of object versions that are not deleted' }),
  tables_storage_size_bytes: Type.Integer({ description: 'Distinct table rows' }),
  files_storage_size_bytes: Type.Integer(),
})
export type ProjectStats = Static<typeof ProjectStats>

const Count = Type.Number()
const Cost = Type.Union([Type.Number(), Type.Null()], { description: 'Null unless `include_costs` is set' })

/** Token usage and costs of one model, summed over calls. */
export const AggregatedUsage = Type.Object({
  requests: Count,
  prompt_tokens: Count,
  completion_tokens: Count,
  total_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
  prompt_tokens_total_cost: Cost,
  completion_tokens_total_cost: Cost,
  cache_read_input_tokens_total_cost: Cost,
  cache_creation_input_tokens_total_cost: Cost,
})
export type AggregatedUsage = Static<typeof AggregatedUsage>

const { project_id, filter, query, engine } = CallsQuery.properties
const common = {
  project_id,
  include_costs: Type.Optional(Type.Boolean({ default: false })),
  limit: Type.Optional(
    Type.Integer({ default: 10_000, description: 'Maximum number of calls to process, from 1 to 500,000' }),
  ),
}

export const TraceUsageRequest = OpenObject({ ...common, filter, query, engine })
export type TraceUsageRequest = Static<typeof TraceUsageRequest>

export const CallsUsageRequest = OpenObject({
  ...common,
  call_ids: Type.Array(Type.String()),
  with_descendants: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether the usage of the calls below each call is added to its own' }),
  ),
})
export type CallsUsageRequest = Static<typeof CallsUsageRequest>

/** Usage by call and model. */
export const CallUsage = Type.Object({
  call_usage: Type.Record(Type.String(), Type.Record(Type.String(), AggregatedUsage)),
  unfinished_call_ids: Type.Array(Type.String(), { description: 'Ids of the calls that are still running, sorted' }),
  repeated_call_ids: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'With `with_descendants: false`: ids of the calls whose usage calls below or one beside them state too, ' +
        'sorted. Statistics count it there',
    }),
  ),
})
export type CallUsage = Static<typeof CallUsage>
