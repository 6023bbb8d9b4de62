import { itemAt, memberOf } from '../../lib/present.ts'
import { post } from '../api/client.ts'
import { type FirstTurn, storeDemoDataset } from './demo-dataset.ts'
import { storeDemoEvaluations } from './demo-evaluations.ts'
import { type JudgedCall, storeDemoPrompts, storeDemoScores } from './demo-prompts.ts'
import { storeDemoQueue } from './demo-queue.ts'
import type { DemoPosition } from './demo-steps.ts'
import { type Topic, topics } from './demo-topics.ts'

/** An item of `/call/upsert_batch`. */
type BatchItem =
  | { readonly mode: 'start'; readonly req: { readonly start: CallStart } }
  | { readonly mode: 'end'; readonly req: { readonly end: CallEnd } }

interface CallStart {
  readonly id: string
  readonly parent_id: string | null
  readonly thread_id: string
  readonly started_at: string
  readonly inputs: object
}

interface CallEnd {
  readonly id: string
  readonly ended_at: string
  readonly exception: string | null
}

interface Outcome {
  readonly output: unknown
  readonly exception?: string
  readonly usage?: object
}

/** Writes calls down as the program that makes them would run: they nest, and time passes. */
class TraceWriter {
  readonly items: BatchItem[] = []
  nowMs: number
  private readonly shared: { readonly project_id: string; readonly trace_id: string; readonly thread_id: string }
  private readonly open: string[] = []

  constructor(projectId: string, threadId: string, startedMs: number) {
    this.shared = { project_id: projectId, trace_id: crypto.randomUUID(), thread_id: threadId }
    this.nowMs = startedMs
  }

  /** Lets time pass, in milliseconds. */
  pass(ms: number): void {
    this.nowMs += ms
  }

  /** Runs `body` as a call. */
  call(op_name: string, inputs: object, kind: string, body: () => Outcome): void {
    const id = crypto.randomUUID()
    const parent_id = this.open.at(-1) ?? null
    // The root of each trace is a turn of the thread.
    const turn = parent_id === null ? { turn_id: id } : {}
    const start = { ...this.shared, ...turn, id, parent_id, op_name, inputs, attributes: { kind, demo: true } }
    this.items.push({ mode: 'start', req: { start: { ...start, started_at: this.time() } } })
    this.open.push(id)
    this.pass(3)
    const { output, exception = null, usage } = body()
    this.pass(2)
    this.open.pop()
    const summary = usage === undefined ? {} : { usage }
    const end = { project_id: this.shared.project_id, id, ended_at: this.time(), output, exception, summary }
    this.items.push({ mode: 'end', req: { end } })
  }

  private time(): string {
    return new Date(this.nowMs).toISOString()
  }
}

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
function conversationItems(
  projectId: string,
  topic: Topic,
  index: number,
  startedMs: number,
  prompt: string | undefined,
): BatchItem[] {
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
      answer(first, messages, `Calling ${tool.name}`, 20, prompt)
      first.call(tool.name, tool.inputs, 'tool', () => {
        first.pass(60 + ((index * 37 + at * 91) % 400))
        if (at === failing)
          return { output: null, exception: 'TimeoutError: the reservation system did not answer in 2 s' }
        return { output: tool.output }
      })
      messages.push({ role: 'tool', content: JSON.stringify(tool.output) })
    })
    if (index % 17 === 11) return { output: null, exception: 'MaxStepsError: 30 steps without a final answer' }
    answer(first, messages, topic.answers, 60, prompt)
    return { output: topic.answers }
  })
  messages.push({ role: 'user', content: topic.thanks })
  const second = new TraceWriter(projectId, threadId, first.nowMs + 40_000)
  second.call('airline_agent', { message: topic.thanks }, 'agent', () => {
    guard(second, topic.thanks)
    answer(second, messages, topic.closes, 30, prompt)
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

function answer(
  trace: TraceWriter,
  messages: Message[],
  content: string,
  tokens: number,
  prompt: string | undefined,
): void {
  const read = Math.round(messages.reduce((sum, message) => sum + message.content.length, 0) / 4)
  const inputs = { model, ...(prompt !== undefined && { prompt }), messages: [...messages] }
  trace.call('openai.chat.completions.create', inputs, 'llm', () => {
    trace.pass(300 + tokens * 14 + (read % 170))
    const usage = { requests: 1, prompt_tokens: read, completion_tokens: tokens, total_tokens: read + tokens }
    return {
      output: { model, choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }], usage },
      usage: { [model]: usage },
    }
  })
  messages.push({ role: 'assistant', content })
}

const conversations = 40
const dayMs = 24 * 60 * 60 * 1_000

/**
 * The items of all conversations, the last of which has just ended.
 *
 * @param prompts refs of the versions of the agent's prompt: each was in use for a while
 */
export function demoItems(projectId: string, nowMs: number, prompts: readonly string[] = []): BatchItem[] {
  return Array.from({ length: conversations }, (_, index) => {
    // More and more towards now, as in a day of work.
    const beforeMs = 120_000 + dayMs * ((conversations - 1 - index) / conversations) ** 1.5
    const prompt = prompts[Math.floor((index / conversations) ** 2 * prompts.length)]
    return conversationItems(projectId, itemAt(topics, index % topics.length), index, nowMs - beforeMs, prompt)
  }).flat()
}

const itemsPerRequest = 200

/**
 * Sends the demo: prompts, conversations spread over the last day with their scores, a dataset,
 * runs of an evaluation, and a queue.
 *
 * @param onProgress called as each step begins and goes on
 * @throws {Problem}
 */
export async function loadDemo(projectId: string, onProgress: (position: DemoPosition) => void): Promise<void> {
  onProgress({ step: 'prompts', done: 0, all: 0 })
  const prompts = await storeDemoPrompts(projectId)
  const nowMs = Date.now()
  const items = demoItems(projectId, nowMs, prompts)
  const all = items.length / 2
  onProgress({ step: 'calls', done: 0, all })
  for (let at = 0; at < items.length; at += itemsPerRequest) {
    await post('/call/upsert_batch', { batch: items.slice(at, at + itemsPerRequest) })
    onProgress({ step: 'calls', done: Math.min(at + itemsPerRequest, items.length) / 2, all })
  }
  onProgress({ step: 'dataset', done: 0, all: 0 })
  await storeDemoScores(projectId, judgedCalls(items, prompts))
  const answered = answeredFirstTurns(items)
  const datasets = await storeDemoDataset(projectId, answered)
  onProgress({ step: 'runs', done: 0, all: 0 })
  await storeDemoEvaluations(projectId, prompts, datasets, nowMs)
  const calls = answered.map(({ call }) => call)
  await storeDemoQueue(projectId, calls, (done, all) => onProgress({ step: 'queue', done, all }))
}

/** The calls that begin the conversations and have an answer, in their order. */
function answeredFirstTurns(items: readonly BatchItem[]): readonly FirstTurn[] {
  const threads = new Map<string, string>()
  const failed = new Set<string>()
  for (const { req } of items) {
    if ('end' in req) {
      if (req.end.exception !== null) failed.add(req.end.id)
    } else if (req.start.parent_id === null && !threads.has(req.start.thread_id))
      threads.set(req.start.thread_id, req.start.id)
  }
  return [...threads.values()].map((call, index) => ({ call, index })).filter(({ call }) => !failed.has(call))
}

/** The calls that used a version of the prompt. */
function judgedCalls(items: readonly BatchItem[], prompts: readonly string[]): JudgedCall[] {
  return items.flatMap(({ req }) => {
    if (!('start' in req)) return []
    const { id, inputs } = req.start
    const version = prompts.indexOf(String(memberOf(inputs, 'prompt') ?? ''))
    return version < 0 ? [] : [{ id, version }]
  })
}
