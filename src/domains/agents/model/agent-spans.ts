import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { QueryExpression } from '../../../formats/schemas/calls.ts'
import {
  Nullable,
  NullableInteger,
  NullableNumber,
  NullableText,
  NullableTime,
  OpenObject,
} from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { TimeText } from '../../../lib/time.ts'
import { CustomSource, Distribution, GroupRef, Measure, oneOf, SpanValueRef, spanFilters } from './agent-filters.ts'
import { agentPage, startedBetween } from './agents.ts'

export const SpansRequest = OpenObject({
  project_id: ProjectId,
  query: Nullable(QueryExpression),
  group_by: Nullable(Type.Array(GroupRef, { maxItems: 8 })),
  measures: Nullable(Type.Array(Measure, { maxItems: 32 })),
  group_distributions: Nullable(Type.Array(Distribution, { maxItems: 32 })),
  ...spanFilters,
  custom_attr_columns: Nullable(Type.Array(SpanValueRef, { description: 'Ignored: all attributes are returned' })),
  include_costs: Nullable(Type.Boolean({ default: false })),
  include_details: Nullable(Type.Boolean({ default: false, description: 'Messages, payloads of tools, whole spans' })),
  ...agentPage,
  ...startedBetween,
})
export type SpansRequest = Static<typeof SpansRequest>

const Messages = Type.Array(Type.Object({ role: Type.String(), content: Type.String(), finish_reason: Type.String() }))
const Texts = Type.Array(Type.String())
const mapOf = (value: TSchema) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { additionalProperties: value }))

/** A span as these operations return it. */
export const Span = Type.Object({
  project_id: Type.String(),
  trace_id: Type.String(),
  span_id: Type.String(),
  parent_span_id: NullableText,
  span_name: NullableText,
  span_kind: NullableText,
  started_at: TimeText,
  ended_at: NullableTime,
  status_code: Type.String(),
  status_message: NullableText,
  error_type: NullableText,
  operation_name: NullableText,
  provider_name: NullableText,
  agent_name: NullableText,
  agent_id: NullableText,
  agent_description: NullableText,
  agent_version: NullableText,
  request_model: NullableText,
  response_model: NullableText,
  response_id: NullableText,
  conversation_id: NullableText,
  conversation_name: NullableText,
  input_tokens: NullableNumber,
  output_tokens: NullableNumber,
  reasoning_tokens: NullableNumber,
  cache_creation_input_tokens: NullableNumber,
  cache_read_input_tokens: NullableNumber,
  input_cost_usd: NullableNumber,
  output_cost_usd: NullableNumber,
  cache_creation_cost_usd: NullableNumber,
  cache_read_cost_usd: NullableNumber,
  total_cost_usd: NullableNumber,
  request_temperature: NullableNumber,
  request_max_tokens: NullableNumber,
  request_top_p: NullableNumber,
  request_frequency_penalty: NullableNumber,
  request_presence_penalty: NullableNumber,
  request_seed: NullableNumber,
  request_choice_count: NullableNumber,
  request_stop_sequences: Texts,
  finish_reasons: Texts,
  output_type: NullableText,
  tool_name: NullableText,
  tool_type: NullableText,
  tool_call_id: NullableText,
  tool_description: NullableText,
  tool_call_arguments: NullableText,
  tool_call_result: NullableText,
  tool_definitions: NullableText,
  reasoning_content: NullableText,
  compaction_summary: NullableText,
  compaction_items_before: NullableInteger,
  compaction_items_after: NullableInteger,
  system_instructions: Texts,
  input_messages: Messages,
  output_messages: Messages,
  content_refs: Texts,
  artifact_refs: Texts,
  object_refs: Texts,
  server_address: NullableText,
  server_port: NullableInteger,
  parent_call_id: NullableText,
  parent_call_trace_id: NullableText,
  ext_user_id: NullableText,
  ext_run_id: NullableText,
  ext_run_step: NullableInteger,
  ext_run_step_end: NullableInteger,
  custom_attrs_string: mapOf(Type.String()),
  custom_attrs_int: mapOf(Type.Number()),
  custom_attrs_float: mapOf(Type.Number()),
  custom_attrs_bool: mapOf(Type.Boolean()),
  raw_span_dump: NullableText,
})
export type Span = Static<typeof Span>

const Preview = Type.Union([
  Type.Object({ role: oneOf(['user_message', 'assistant_message']), text: Type.String() }),
  Type.Null(),
])

/** How the values of an attribute are distributed among the spans of a group. */
const DistributionAnswer = Type.Object({
  alias: Type.String(),
  source: CustomSource,
  key: Type.String(),
  value_type: oneOf(['string', 'int', 'float', 'bool']),
  total_count: Type.Integer(),
  present_count: Type.Integer(),
  missing_count: Type.Integer(),
  other_count: Type.Integer({ description: 'Spans with a value that is not listed' }),
  bins: Type.Array(
    Type.Object({ index: Type.Integer(), min: Type.Number(), max: Type.Number(), count: Type.Integer() }),
  ),
  values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() })),
})

/** Spans with the same values. */
export const SpanGroup = Type.Object({
  group_keys: Type.Unsafe<Record<string, string | number | boolean | null>>(
    Type.Object({}, { additionalProperties: true }),
  ),
  span_count: Type.Integer(),
  invocation_count: Type.Integer(),
  conversation_count: Type.Integer(),
  error_count: Type.Integer(),
  total_input_tokens: Type.Number(),
  total_output_tokens: Type.Number(),
  total_reasoning_tokens: Type.Number(),
  total_cache_creation_input_tokens: Type.Number(),
  total_cache_read_input_tokens: Type.Number(),
  total_input_cost_usd: NullableNumber,
  total_output_cost_usd: NullableNumber,
  total_cost_usd: NullableNumber,
  total_duration_ms: Type.Number(),
  agent_names: Texts,
  agent_versions: Texts,
  provider_names: Texts,
  request_models: Texts,
  conversation_names: Texts,
  first_seen: NullableTime,
  last_seen: NullableTime,
  first_message: Preview,
  last_message: Preview,
  metrics: Type.Unsafe<Record<string, string | number | boolean | null>>(
    Type.Object({}, { additionalProperties: true }),
  ),
  distributions: Type.Record(Type.String(), DistributionAnswer),
})
export type SpanGroup = Static<typeof SpanGroup>

export const SpansAnswer = Type.Object({
  spans: Type.Array(Span),
  groups: Type.Array(SpanGroup),
  total_count: Type.Integer(),
})
export type SpansAnswer = Static<typeof SpansAnswer>

export const CustomAttributesRequest = OpenObject({
  project_id: ProjectId,
  query: Nullable(QueryExpression),
  limit: agentPage.limit,
  offset: agentPage.offset,
  ...startedBetween,
})
export type CustomAttributesRequest = Static<typeof CustomAttributesRequest>

export const CustomAttributesAnswer = Type.Object({
  attributes: Type.Array(
    Type.Object({
      key: Type.String(),
      source: CustomSource,
      value_type: oneOf(['string', 'int', 'float', 'bool']),
      span_count: Type.Integer(),
    }),
  ),
  limit: Type.Integer(),
  offset: Type.Integer(),
  has_more: Type.Boolean(),
})
export type CustomAttributesAnswer = Static<typeof CustomAttributesAnswer>
