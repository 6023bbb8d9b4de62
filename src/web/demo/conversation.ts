import type { BatchItem } from './batch-item.ts'
import type { Topic } from './topics.ts'
import { TraceWriter } from './trace-writer.ts'

const model = 'gpt-4o'
const policy = 'You are an agent of an airline. Ask before you change anything. The current time is in the request.'

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
}

/**
 * A conversation of two turns as calls: a thread of two traces. Every ninth one fails in a tool,
 * every seventeenth as a whole.
 */
export function conversationItems(projectId: string, topic: Topic, index: number, startedMs: number): BatchItem[] {
  const threadId = `demo-${String(index).padStart(3, '0')}`
  const messages: Message[] = [
    { role: 'system', content: policy },
    { role: 'user', content: topic.asks },
  ]
  const first = new TraceWriter(projectId, threadId, startedMs)
  const failing = index % 9 === 4 ? topic.tools.length - 1 : -1
  first.call('airline_agent', { message: topic.asks }, 'agent', () => {
    guard(first, topic.asks)
    topic.tools.forEach((tool, at) => {
      answer(first, messages, `Calling ${tool.name}`, 20)
      first.call(tool.name, tool.inputs, 'tool', () => {
        first.pass(60 + ((index * 37 + at * 91) % 400))
        if (at === failing)
          return { output: null, exception: 'TimeoutError: the reservation system did not answer in 2 s' }
        return { output: tool.output }
      })
      messages.push({ role: 'tool', content: JSON.stringify(tool.output) })
    })
    if (index % 17 === 11) return { output: null, exception: 'MaxStepsError: 30 steps without a final answer' }
    answer(first, messages, topic.answers, 60)
    return { output: topic.answers }
  })
  messages.push({ role: 'user', content: topic.thanks })
  const second = new TraceWriter(projectId, threadId, first.nowMs + 40_000)
  second.call('airline_agent', { message: topic.thanks }, 'agent', () => {
    guard(second, topic.thanks)
    answer(second, messages, topic.closes, 30)
    return { output: topic.closes }
  })
  return [...first.items, ...second.items]
}

function guard(trace: TraceWriter, text: string): void {
  trace.call('check_input', { text }, 'guardrail', () => {
    trace.pass(35)
    return { output: { allowed: true } }
  })
}

function answer(trace: TraceWriter, messages: Message[], content: string, tokens: number): void {
  const read = Math.round(messages.reduce((sum, message) => sum + message.content.length, 0) / 4)
  trace.call('openai.chat.completions.create', { model, messages: [...messages] }, 'llm', () => {
    trace.pass(300 + tokens * 14 + (read % 170))
    const usage = { requests: 1, prompt_tokens: read, completion_tokens: tokens, total_tokens: read + tokens }
    return {
      output: { model, choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }], usage },
      usage: { [model]: usage },
    }
  })
  messages.push({ role: 'assistant', content })
}
