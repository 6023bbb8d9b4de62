import type { Trace } from '../../src/demo/traces/call-items.ts'
import { SeededRandom } from '../../src/demo/traces/seeded-random.ts'
import { Timeline } from '../../src/demo/traces/timeline.ts'
import { TraceBuilder } from '../../src/demo/traces/trace-builder.ts'
import { completionOf, model } from './completion.ts'
import type { AssistantMessage, Conversation, ToolCall, ToolMessage } from './conversation.ts'

/** The recording has no times; the conversations begin here, one after the other. */
const firstBeginsMs = Date.parse('2024-05-15T12:00:00Z')
const betweenConversationsMs = 45_000

/**
 * One conversation as a trace: the agent's run at the root, below it one call for each answer of
 * the model and one for each tool that it used, all with the recorded content. Ids and times are
 * the same on every run. The conversation is a thread; a turn lasts from one message of the
 * traveller to the next and is opened by the first answer in it.
 *
 * @param index place of the conversation in the recording
 */
export function toTrace(conversation: Conversation, index: number, projectId: string): Trace {
  const { task_id, trial, reward, info, traj } = conversation
  const builder = new TraceBuilder({
    projectId,
    key: ['airline', task_id, trial],
    threadId: `airline-task-${task_id}-trial-${trial}`,
    attributes: { task_id, trial, dataset: 'tau-bench-airline' },
    time: new Timeline(firstBeginsMs + index * betweenConversationsMs, new SeededRandom(index)),
  })
  const { instruction, user_id, actions } = info.task
  builder.call('airline_agent.run', { instruction, user_id, expected_actions: actions }, () => {
    retell(conversation, builder)
    return { output: { reward, last_message: traj.at(-1) ?? null } }
  })
  return builder.trace(`Task ${task_id}, trial ${trial}`)
}

function retell({ traj }: Conversation, builder: TraceBuilder): void {
  const toolCalls = new Map<string, ToolCall>()
  traj.forEach((message, index) => {
    switch (message.role) {
      case 'user':
        builder.time.passTyping(message.content ?? '')
        builder.turnId = undefined
        break
      case 'assistant':
        for (const toolCall of message.tool_calls ?? []) toolCalls.set(toolCall.id, toolCall)
        answer(message, traj.slice(0, index), builder)
        break
      case 'tool':
        useTool(message, toolCalls.get(message.tool_call_id), builder)
        break
    }
  })
}

function answer(message: AssistantMessage, messages: Conversation['traj'], builder: TraceBuilder): void {
  builder.turnId ??= builder.nextId
  builder.call('openai.chat.completions.create', { model, messages }, (id) => {
    const output = completionOf(id, messages, message, builder.time.nowMs())
    builder.time.passGenerating(output.usage.completion_tokens)
    return { output, usage: { [model]: { requests: 1, ...output.usage } } }
  })
}

function useTool(message: ToolMessage, toolCall: ToolCall | undefined, builder: TraceBuilder): void {
  const args = structured(toolCall?.function.arguments ?? '{}')
  builder.call(`tool.${message.name}`, isObject(args) ? args : { arguments: args }, () => {
    builder.time.pass(120)
    const output = structured(message.content)
    return message.content.startsWith('Error: ') ? { output, exception: message.content } : { output }
  })
}

/** Objects and lists that arrive as JSON text become queryable; any other text stays as it is. */
function structured(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
