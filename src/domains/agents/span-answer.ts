import { formatTime } from '../../lib/time.ts'
import { type AgentSpan, costOf, membersOf, textOf } from './agent-span.ts'
import type { Span } from './model/agent-spans.ts'
import { contentOf, messagesOf, reasoningIn, toolPayload } from './span-messages.ts'
import type { SpanWithPayload } from './span-reader.ts'
import { fieldValue, numberOf } from './span-values.ts'

/** A span as it is answered. @param isDetailed whether to include messages and other payloads */
export function spanAnswer(projectId: string, read: SpanWithPayload, isDetailed: boolean): Span {
  const { span, payload } = read
  const { usage } = span
  const text = (field: string) => textOf(fieldValue(span, field))
  const number = (field: string) => numberOf(fieldValue(span, field))
  return {
    project_id: projectId,
    trace_id: span.traceId,
    span_id: span.id,
    parent_span_id: span.parentId,
    span_name: span.name,
    span_kind: text('span_kind'),
    started_at: formatTime(span.startedAt),
    ended_at: span.endedAt === null ? null : formatTime(span.endedAt),
    status_code: span.status,
    status_message: span.statusMessage,
    error_type: text('error_type'),
    operation_name: text('operation_name'),
    provider_name: text('provider_name'),
    agent_name: text('agent_name'),
    agent_id: text('agent_id'),
    agent_description: text('agent_description'),
    agent_version: text('agent_version'),
    request_model: text('request_model'),
    response_model: text('response_model'),
    response_id: text('response_id'),
    conversation_id: span.conversationId,
    conversation_name: text('conversation_name'),
    input_tokens: usage?.input ?? null,
    output_tokens: usage?.output ?? null,
    reasoning_tokens: usage?.reasoning ?? null,
    cache_creation_input_tokens: usage?.cacheCreation ?? null,
    cache_read_input_tokens: usage?.cacheRead ?? null,
    input_cost_usd: usage?.inputCost ?? null,
    output_cost_usd: usage?.outputCost ?? null,
    cache_creation_cost_usd: usage?.cacheCreationCost ?? null,
    cache_read_cost_usd: usage?.cacheReadCost ?? null,
    total_cost_usd: costOf(usage),
    request_temperature: number('request_temperature'),
    request_max_tokens: number('request_max_tokens'),
    request_top_p: number('request_top_p'),
    request_frequency_penalty: number('request_frequency_penalty'),
    request_presence_penalty: number('request_presence_penalty'),
    request_seed: number('request_seed'),
    request_choice_count: number('request_choice_count'),
    request_stop_sequences: texts(membersOf(span.attributes['model_parameters'])['stop_sequences']),
    finish_reasons: texts(span.attributes['finish_reasons']),
    output_type: text('output_type'),
    tool_name: text('tool_name'),
    tool_type: text('tool_type'),
    tool_call_id: text('tool_call_id'),
    tool_description: text('tool_description'),
    ...noPayload,
    ...vendorMembers(span),
    server_address: text('server_address'),
    server_port: number('server_port'),
    parent_call_id: text('parent_call_id'),
    parent_call_trace_id: text('parent_call_trace_id'),
    ext_user_id: span.userId,
    ext_run_id: span.run.id,
    ext_run_step: span.run.step,
    ext_run_step_end: span.run.stepEnd,
    custom_attrs_string: span.custom.string,
    custom_attrs_int: span.custom.int,
    custom_attrs_float: span.custom.float,
    custom_attrs_bool: span.custom.bool,
    raw_span_dump: isDetailed ? payload.dump : null,
    ...(isDetailed && payloadOf(read)),
  }
}

const noPayload = {
  tool_call_arguments: null,
  tool_call_result: null,
  tool_definitions: null,
  reasoning_content: null,
  system_instructions: [],
  input_messages: [],
  output_messages: [],
}

function payloadOf(read: SpanWithPayload): Partial<Span> {
  const { span } = read
  const { messages } = messagesOf(read)
  const listed = (source: 'inputs' | 'output') =>
    messages
      .filter((message) => message.source === source && !(source === 'inputs' && message.role === 'system'))
      .map((message) => ({ role: message.role, content: contentOf(message), finish_reason: '' }))
  const tool = span.kind === 'tool' ? toolPayload(read) : { arguments: null, result: null }
  const tools = span.attributes['tools']
  return {
    tool_call_arguments: tool.arguments,
    tool_call_result: tool.result,
    tool_definitions: tools === undefined ? null : typeof tools === 'string' ? tools : JSON.stringify(tools),
    reasoning_content: reasoningIn(messages.filter(({ source }) => source === 'output').flatMap(({ parts }) => parts)),
    system_instructions: messages.filter(({ role }) => role === 'system').map(contentOf),
    input_messages: listed('inputs'),
    output_messages: listed('output'),
  }
}

/** Members that only the vendor's own attributes have. */
function vendorMembers({ vendor }: AgentSpan) {
  const compaction = membersOf(vendor['compaction'])
  return {
    compaction_summary: textOf(compaction['summary']),
    compaction_items_before: integerOf(compaction['items_before']),
    compaction_items_after: integerOf(compaction['items_after']),
    content_refs: texts(vendor['content_refs']),
    artifact_refs: texts(vendor['artifact_refs']),
    object_refs: texts(vendor['object_refs']),
  }
}

const integerOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null

function texts(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
