import { postLines } from '../api/lines.ts'
import { contentOf, type Prompt, settingValue, storedMessage, type ToolCall } from '../prompt/prompt.ts'
import { piecesOf } from '../prompt/variables.ts'
import { isMembers } from './carried-request.ts'
import type { PlayColumn } from './workspace.ts'

/** How a run of a column is going. */
type RunState = 'waiting' | 'streaming' | 'done' | 'stopped' | 'incomplete' | 'failed'

/** What a provider answered instead of a completion. */
interface ProviderAnswer {
  readonly status: number
  readonly retry_after_ms: number | null
  readonly body: string
}

/** A run of a column: what came, and how fast. */
export interface Run {
  readonly state: RunState
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** Call that records it; undefined until the server says so. */
  readonly callId: string | undefined
  readonly traceId: string | undefined
  readonly firstTokenMs: number | undefined
  readonly durationMs: number | undefined
  readonly tokensIn: number | undefined
  readonly tokensOut: number | undefined
  readonly finish: string | undefined
  readonly error: string | undefined
  readonly answer: ProviderAnswer | undefined
}

const newRun: Run = {
  state: 'waiting',
  text: '',
  toolCalls: [],
  callId: undefined,
  traceId: undefined,
  firstTokenMs: undefined,
  durationMs: undefined,
  tokensIn: undefined,
  tokensOut: undefined,
  finish: undefined,
  error: undefined,
  answer: undefined,
}

/** A message of chat completions. */
export type ChatMessage = Readonly<Record<string, unknown>>

/** What a run sends. */
export interface RunRequest {
  readonly projectId: string
  readonly column: PlayColumn
  /** Values of variables by name. */
  readonly values: Readonly<Record<string, string>>
  /** Messages after those of the prompt: answers and results of tools. */
  readonly further: readonly ChatMessage[]
  /** Added to the seed, so that runs with a seed differ. */
  readonly at: number
  /** Text of an answer that broke off, which is continued. */
  readonly begun?: string
}

/** A text with its variables filled in; those without a value stay as they are. */
export const filled = (text: string, { format }: Prompt, values: Readonly<Record<string, string>>): string =>
  piecesOf(text, format)
    .map(({ text: piece, name }) => (name !== undefined && Object.hasOwn(values, name) ? values[name] : piece))
    .join('')

/** The inputs of the completion that a run asks for. @throws {SyntaxError} for faulty JSON */
export function inputsOf({ projectId, column, values, further, at, begun }: RunRequest): Record<string, unknown> {
  const { prompt, origin, isEdited } = column
  const { model, settings, schema, isText } = prompt
  const content = contentOf(prompt)
  const own = isText ? [{ role: 'system', content: content['content'] }] : prompt.messages.map(storedMessage)
  // A version as it is goes by its ref, so that the call counts for it.
  const isVersion = origin !== undefined && !isEdited && Object.keys(values).length > 0
  const messages = [
    ...(isVersion ? [] : own.map((message) => filledMessage(message, prompt, values))),
    ...further,
    ...(begun === undefined ? [] : [{ role: 'assistant', content: begun }]),
  ]
  const set = Object.entries(settings).filter(([, value]) => value.trim() !== '')
  const typed = Object.fromEntries(set.map(([name, value]) => [name, typedSetting(value)]))
  const seed = typed['seed']
  return {
    model,
    messages,
    ...(isVersion && {
      prompt: `ext:///${projectId}/object/${origin.name}:${origin.digest}`,
      template_vars: values,
    }),
    ...typed,
    ...(typeof seed === 'number' && { seed: seed + at }),
    ...(content['tools'] !== undefined && { tools: content['tools'] }),
    ...formatOf(typed['response_format'], schema.trim() === '' ? undefined : content['response_schema']),
  }
}

/** The format of the answer: its schema, with the name and other members that the settings hold. */
function formatOf(format: unknown, schema: unknown): { readonly response_format?: unknown } {
  const given = isMembers(format) && isMembers(format['json_schema']) ? format['json_schema'] : undefined
  if (schema !== undefined)
    return { response_format: { type: 'json_schema', json_schema: { name: 'answer', ...given, schema } } }
  // A format by a schema says nothing without it.
  return given !== undefined && given['schema'] === undefined ? { response_format: undefined } : {}
}

/** A setting of a call may be an object. */
function typedSetting(text: string): unknown {
  if (!text.trim().startsWith('{')) return settingValue(text)
  try {
    return JSON.parse(text)
  } catch {
    return text // It is text that begins like JSON.
  }
}

function filledMessage(message: ChatMessage, prompt: Prompt, values: Readonly<Record<string, string>>): ChatMessage {
  const { role, content } = message
  if (role === 'assistant') return message
  if (typeof content === 'string') return { ...message, content: filled(content, prompt, values) }
  if (!Array.isArray(content)) return message
  return {
    ...message,
    content: content.map((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
        ? { ...part, text: filled(part.text, prompt, values) }
        : part,
    ),
  }
}

/** A piece of a tool call. */
interface CallPart {
  readonly index?: number
  readonly id?: string
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

interface Line {
  readonly _meta?: { readonly ext_call_id: string | null; readonly trace_id: string | null }
  readonly error?: string
  readonly provider_answer?: ProviderAnswer
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null
      readonly tool_calls?: readonly CallPart[]
    }
    readonly finish_reason?: string | null
  }[]
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null
}

interface RunOptions {
  readonly signal: AbortSignal
  readonly onChange: (run: Run) => void
}

/** Runs a column, and tells of every change. It never throws, as `runCompletion`. */
export const runColumn = (request: RunRequest, options: RunOptions): Promise<Run> =>
  runCompletion({ projectId: request.projectId, inputs: () => inputsOf(request), begun: request.begun }, options)

/**
 * Asks a model, and tells of every change. It never throws: what goes wrong is in the run, with the
 * text that had come.
 *
 * @param asked `inputs` may throw; `begun` is the text of an answer that is continued
 */
export async function runCompletion(
  asked: {
    readonly projectId: string
    readonly inputs: () => Record<string, unknown>
    readonly begun?: string | undefined
  },
  { signal, onChange }: RunOptions,
): Promise<Run> {
  const startedMs = performance.now()
  let run: Run = { ...newRun, text: asked.begun ?? '' }
  const set = (changes: Partial<Run>) => {
    run = { ...run, ...changes }
    onChange(run)
    return run
  }
  onChange(run)
  const ended = (state: RunState, more: Partial<Run> = {}) =>
    set({ state, durationMs: performance.now() - startedMs, ...more })
  try {
    const body = { project_id: asked.projectId, source: 'playground', retry: false, inputs: asked.inputs() }
    for await (const lines of postLines<Line>('/completions/create_stream', body, { signal })) {
      const before = run
      for (const line of lines) run = withLine(run, line, () => performance.now() - startedMs)
      if (run !== before) onChange(run)
    }
  } catch (error) {
    if (signal.aborted) return ended('stopped')
    const hasText = run.text !== '' || run.toolCalls.length > 0
    return ended(hasText ? 'incomplete' : 'failed', { error: error instanceof Error ? error.message : String(error) })
  }
  if (run.error !== undefined) return ended(run.text === '' && run.toolCalls.length === 0 ? 'failed' : 'incomplete')
  return ended(run.finish === undefined ? 'incomplete' : 'done')
}

function withLine(run: Run, line: Line, elapsedMs: () => number): Run {
  if (line._meta)
    return { ...run, callId: line._meta.ext_call_id ?? undefined, traceId: line._meta.trace_id ?? undefined }
  if (line.error !== undefined) return { ...run, error: line.error, answer: line.provider_answer }
  const [choice] = line.choices ?? []
  const { content, tool_calls: calls = [] } = choice?.delta ?? {}
  const hasToken = Boolean(content) || calls.length > 0
  return {
    ...run,
    text: run.text + (content ?? ''),
    toolCalls: calls.length === 0 ? run.toolCalls : withCalls(run.toolCalls, calls),
    finish: choice?.finish_reason ?? run.finish,
    tokensIn: line.usage?.prompt_tokens ?? run.tokensIn,
    tokensOut: line.usage?.completion_tokens ?? run.tokensOut,
    ...(hasToken && { state: 'streaming' as const, firstTokenMs: run.firstTokenMs ?? elapsedMs() }),
  }
}

function withCalls(before: readonly ToolCall[], parts: readonly CallPart[]): readonly ToolCall[] {
  const calls = [...before]
  for (const [at, { index = at, id, function: called }] of parts.entries()) {
    const known = calls[index] ?? { id: '', name: '', arguments: '' }
    calls[Math.min(index, calls.length)] = {
      id: known.id || (id ?? ''),
      name: known.name || (called?.name ?? ''),
      arguments: known.arguments + (called?.arguments ?? ''),
    }
  }
  return calls
}
