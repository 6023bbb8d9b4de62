import type { Message } from '../../formats/schemas/messages.ts'
import { formatTime } from '../../lib/time.ts'
import { type AgentSpan, costOf, durationMs, parentOf, type SpanUsage, textOf } from './agent-span.ts'
import type { ChatMessage, TraceChat } from './model/agent-chats.ts'
import { spanAnswer } from './span-answer.ts'
import { sumOrNull } from './span-groups.ts'
import { contentOf, messagesOf, reasoningIn, textOfMessage, toolPayload } from './span-messages.ts'
import type { SpanWithPayload } from './span-reader.ts'
import { fieldValue } from './span-values.ts'

/** The messages and tool calls of a trace, in order. @param read its spans, oldest first */
export function traceChat(traceId: string, read: readonly SpanWithPayload[]): TraceChat {
  const spans = read.map(({ span }) => span)
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.id}`, span]))
  const root = spans.find((span) => parentOf(span, byId) === undefined)
  const answering = answeringSpans(spans, byId)
  const timeline = new Timeline()
  for (const one of read) timeline.add(one, answering.has(one.span))
  const text = (field: string) => spans.map((span) => textOf(fieldValue(span, field))).find((value) => value !== null)
  const ends = spans.flatMap(({ endedAt }) => endedAt ?? [])
  return {
    trace_id: traceId,
    root_span_name: root?.name ?? null,
    agent_name: text('agent_name') ?? null,
    agent_version: text('agent_version') ?? null,
    provider: text('provider_name') ?? null,
    status_code: root?.status ?? null,
    started_at: spans[0] === undefined ? null : formatTime(spans[0].startedAt),
    ended_at: ends.length === 0 ? null : formatTime(ends.reduce((a, b) => Math.max(a, b))),
    total_duration_ms: root === undefined ? null : durationMs(root),
    ...totalsOf(spans),
    ext_user_id: root?.userId ?? null,
    messages: timeline.messages,
    feedback: null,
  }
}

/** Model calls, and agents without one below them. */
function answeringSpans(spans: readonly AgentSpan[], byId: ReadonlyMap<string, AgentSpan>): ReadonlySet<AgentSpan> {
  const models = spans.filter(({ kind }) => kind === 'llm')
  const above = new Set<AgentSpan>()
  for (const span of models) {
    for (let one = parentOf(span, byId); one !== undefined && !above.has(one); one = parentOf(one, byId)) above.add(one)
  }
  const agents = spans.filter((span) => span.kind === 'agent' && !above.has(span))
  return new Set([...models.filter((span) => !above.has(span)), ...agents])
}

function totalsOf(spans: readonly AgentSpan[]) {
  const own = spans.filter(({ countsUsage }) => countsUsage)
  const sum = (read: (usage: SpanUsage) => number) =>
    own.reduce((total, { usage }) => total + (usage === undefined ? 0 : read(usage)), 0)
  return {
    total_input_tokens: sum(({ input }) => input),
    total_output_tokens: sum(({ output }) => output),
    total_reasoning_tokens: sum(({ reasoning }) => reasoning),
    total_cache_creation_input_tokens: sum(({ cacheCreation }) => cacheCreation),
    total_cache_read_input_tokens: sum(({ cacheRead }) => cacheRead),
    total_cost_usd: sumOrNull(own.map(({ usage }) => costOf(usage))),
  }
}

type Payloads = Partial<Pick<ChatMessage, 'user_message' | 'assistant_message' | 'tool_call' | 'agent_start'>> &
  Partial<Pick<ChatMessage, 'context_compacted'>>

class Timeline {
  readonly messages: ChatMessage[] = []
  private isAsked = false

  add(read: SpanWithPayload, answers: boolean): void {
    const { span } = read
    const { messages } = span.kind === 'llm' || span.kind === 'agent' ? messagesOf(read) : { messages: [] }
    this.ask(span, messages)
    if (span.kind === 'agent') this.push(span, 'agent_start', { agent_start: agentStart(read, messages) })
    if (span.kind === 'tool') this.push(span, 'tool_call', { tool_call: toolCall(read) })
    const compacted = compaction(read)
    if (compacted !== undefined) this.push(span, 'context_compacted', { context_compacted: compacted })
    if (answers) this.answer(span, messages)
  }

  /** Only the first user message of a trace: later ones repeat it. */
  private ask(span: AgentSpan, messages: readonly Message[]): void {
    const userMessage = messages.findLast(({ source, role }) => source === 'inputs' && role === 'user')
    const text = userMessage === undefined ? '' : textOfMessage(userMessage)
    if (this.isAsked || text === '') return
    this.isAsked = true
    this.push(span, 'user_message', { user_message: { text, content_refs: [] } })
  }

  private answer(span: AgentSpan, messages: readonly Message[]): void {
    const answers = messages.filter(({ source, role }) => source === 'output' && role === 'assistant')
    const text = answers
      .map(textOfMessage)
      .filter((each) => each !== '')
      .join('\n')
    const reasoning = reasoningIn(answers.flatMap(({ parts }) => parts))
    if (text === '' && reasoning === null) return
    const { usage } = span
    const assistant = {
      text,
      model: textOf(fieldValue(span, 'response_model')),
      reasoning_content: reasoning,
      input_tokens: usage?.input ?? null,
      output_tokens: usage?.output ?? null,
      reasoning_tokens: usage?.reasoning ?? null,
      input_cost_usd: usage?.inputCost ?? null,
      output_cost_usd: usage?.outputCost ?? null,
      total_cost_usd: costOf(usage),
      duration_ms: durationMs(span),
      status: span.status,
      content_refs: [],
    }
    this.push(span, 'assistant_message', { assistant_message: assistant })
  }

  private push(span: AgentSpan, type: ChatMessage['type'], payload: Payloads): void {
    this.messages.push({
      type,
      span_id: span.id,
      agent_name: textOf(span.attributes['agent_name']),
      agent_version: textOf(span.attributes['agent_version']),
      started_at: formatTime(span.startedAt),
      status_code: span.status,
      status_message: span.statusMessage,
      error_type: textOf(span.attributes['error_type']),
      user_message: null,
      assistant_message: null,
      tool_call: null,
      agent_start: null,
      context_compacted: null,
      agent_handoff: null,
      feedback: null,
      ...payload,
    })
  }
}

function agentStart({ span }: SpanWithPayload, messages: readonly Message[]) {
  const system = messages.filter(({ role }) => role === 'system').map(contentOf)
  const tools = span.attributes['tools']
  return {
    model: textOf(fieldValue(span, 'request_model')),
    status: span.status,
    system_instructions: system.length === 0 ? null : system.join('\n'),
    tool_definitions: tools === undefined ? null : typeof tools === 'string' ? tools : JSON.stringify(tools),
  }
}

function toolCall(read: SpanWithPayload) {
  const { span } = read
  const payload = toolPayload(read)
  return {
    tool_name: textOf(span.attributes['tool_name']) ?? span.name,
    tool_arguments: payload.arguments,
    tool_result: payload.result,
    duration_ms: durationMs(span),
    status: span.status,
    content_refs: [],
  }
}

function compaction(read: SpanWithPayload): ChatMessage['context_compacted'] | undefined {
  const { compaction_summary, compaction_items_before, compaction_items_after } = spanAnswer('', read, false)
  const isEmpty = (compaction_summary ?? compaction_items_before ?? compaction_items_after) === null
  return isEmpty ? undefined : { compaction_summary, compaction_items_before, compaction_items_after }
}
