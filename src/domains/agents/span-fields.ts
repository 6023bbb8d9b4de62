import { isJsonObject } from '../../lib/json-value.ts'

/** Names of spans' fields → paths of the calls that hold them. */
const paths: ReadonlyMap<string, string> = new Map(
  Object.entries({
    span_id: 'id',
    trace_id: 'trace_id',
    parent_span_id: 'parent_id',
    span_name: 'attributes.otel_span.name',
    span_kind: 'attributes.otel_span.kind',
    started_at: 'started_at',
    ended_at: 'ended_at',
    duration_ms: 'summary.ext.latency_ms',
    status_code: 'attributes.otel_span.status.code',
    status_message: 'attributes.otel_span.status.message',
    error_type: 'attributes.error_type',
    operation_name: 'attributes.operation_name',
    provider_name: 'attributes.provider',
    agent_name: 'attributes.agent_name',
    agent_id: 'attributes.agent_id',
    agent_description: 'attributes.agent_description',
    agent_version: 'attributes.agent_version',
    request_model: 'attributes.model_parameters.model',
    request_temperature: 'attributes.model_parameters.temperature',
    request_max_tokens: 'attributes.model_parameters.max_tokens',
    request_top_p: 'attributes.model_parameters.top_p',
    request_seed: 'attributes.model_parameters.seed',
    request_frequency_penalty: 'attributes.model_parameters.frequency_penalty',
    request_presence_penalty: 'attributes.model_parameters.presence_penalty',
    request_choice_count: 'attributes.model_parameters.choice.count',
    response_model: 'attributes.model',
    response_id: 'attributes.response_id',
    conversation_id: 'thread_id',
    conversation_name: 'attributes.conversation_name',
    tool_name: 'attributes.tool_name',
    tool_type: 'attributes.tool_type',
    tool_call_id: 'attributes.tool_call_id',
    tool_description: 'attributes.tool_description',
    output_type: 'attributes.output_type',
    data_source_id: 'attributes.data_source_id',
    input_tokens: 'attributes.otel_span.attributes.gen_ai.usage.input_tokens',
    output_tokens: 'attributes.otel_span.attributes.gen_ai.usage.output_tokens',
    reasoning_tokens: 'attributes.otel_span.attributes.gen_ai.usage.reasoning.output_tokens',
    cache_creation_input_tokens: 'attributes.otel_span.attributes.gen_ai.usage.cache_creation.input_tokens',
    cache_read_input_tokens: 'attributes.otel_span.attributes.gen_ai.usage.cache_read.input_tokens',
    server_address: 'attributes.otel_span.attributes.server.address',
    server_port: 'attributes.otel_span.attributes.server.port',
    parent_call_id: 'attributes.otel_span.attributes.weave.parent_call.id',
    parent_call_trace_id: 'attributes.otel_span.attributes.weave.parent_call.trace_id',
    ext_user_id: 'ext_user_id',
    ext_run_id: 'ext_run_id',
    ext_run_step: 'ext_run_step',
    ext_run_step_end: 'ext_run_step_end',
  }),
)

/** Attributes of the GenAI conventions, without prefix, that differ from the name of the field. */
const attributeNames: Readonly<Record<string, string>> = {
  'usage.input_tokens': 'input_tokens',
  'usage.output_tokens': 'output_tokens',
  'usage.reasoning_tokens': 'reasoning_tokens',
  'usage.reasoning.output_tokens': 'reasoning_tokens',
  'usage.cache_creation.input_tokens': 'cache_creation_input_tokens',
  'usage.cache_read.input_tokens': 'cache_read_input_tokens',
}

const vendorNames: Readonly<Record<string, string>> = {
  wb_user_id: 'ext_user_id',
  wb_run_id: 'ext_run_id',
  wb_run_step: 'ext_run_step',
  wb_run_step_end: 'ext_run_step_end',
}

/** The field that a name, an attribute (`gen_ai.agent.name`) or its end (`agent.name`) means. */
export function fieldOf(name: string): string | undefined {
  const short = name.replace(/^(?:gen_ai|weave)\./, '')
  const candidates = [vendorNames[name], name, attributeNames[short], short.replaceAll('.', '_')]
  return candidates.find((candidate) => candidate !== undefined && paths.has(candidate))
}

const customPrefix = /^custom_attrs_(?:string|int|float|bool)\./

/** The path of a call that holds a field of its span; any other name is that of an attribute. */
export function pathOf(name: string): string {
  const path = paths.get(fieldOf(name) ?? '')
  return path ?? `attributes.otel_span.attributes.${name.replace(customPrefix, '')}`
}

/** Levels of a query that are translated; the query language allows fewer. */
const levelsMax = 200

/** A query over spans as one over calls. */
export function queryOverCalls(query: unknown, levels = levelsMax): unknown {
  if (levels === 0) return query
  if (Array.isArray(query)) return query.map((item) => queryOverCalls(item, levels - 1))
  if (!isJsonObject(query)) return query
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (name === '$literal') return [name, value]
      if (name === '$getField' && typeof value === 'string') return [name, pathOf(value)]
      return [name, queryOverCalls(value, levels - 1)]
    }),
  )
}
