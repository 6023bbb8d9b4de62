import { isJsonObject } from '../../lib/json-value.ts'
import type { CallRecord, TranscriptCall } from '../record.ts'
import type { Origin } from '../source.ts'
import { type Block, isBlock, plainText, type TranscriptLine, textOf } from './transcript.ts'

/** Where the calls of a conversation belong. */
export interface Place {
  readonly traceId: string
  /** The tool call that started a subagent; undefined for the user's own conversation. */
  readonly parentId: string | undefined
  readonly turnId: string
}

interface Turn extends Place {
  readonly first: TranscriptLine
  readonly prompt: readonly Block[]
  lastMs: number
  answer: string
}

interface Reply {
  readonly id: string
  readonly first: TranscriptLine
  readonly startMs: number
  readonly input: readonly unknown[]
  message: Readonly<Record<string, unknown>>
  readonly blocks: Block[]
  endMs: number
}

interface ToolUse {
  readonly line: TranscriptLine
  readonly turn: Turn
  readonly block: Block
}

/**
 * Turns the lines of one conversation into calls: a prompt into a turn, the lines of one response
 * into a model call, a tool use and its result into a tool call. Only the turn in progress is kept
 * in memory.
 */
export class Conversation {
  private readonly origin: Origin
  private readonly fixedPlace: Place | undefined
  private turn: Turn | undefined
  private reply: Reply | undefined
  /** Messages since the last response: the input of the next one. */
  private news: unknown[] = []
  private readonly toolUses = new Map<string, ToolUse>()

  /** @param place of a subagent's conversation, which belongs to the turn of its parent */
  constructor(origin: Origin, place?: Place) {
    this.origin = origin
    this.fixedPlace = place
  }

  *take(line: TranscriptLine): Generator<CallRecord> {
    if (line.role === 'assistant') return yield* this.takeReply(line)
    yield* this.endReply()
    const results = line.blocks.filter(({ type }) => type === 'tool_result')
    for (const block of results) yield* this.endTool(line, block)
    const others = line.blocks.filter(({ type }) => type !== 'tool_result')
    // A compacted or injected message belongs to the turn in progress.
    const isPrompt = results.length === 0 && others.length > 0 && !(line.isMeta && this.turn !== undefined)
    if (isPrompt && (this.fixedPlace === undefined || this.turn === undefined)) {
      yield* this.endTurn()
      this.turn = this.startTurn(line, others)
    }
    if (this.turn !== undefined) this.turn.lastMs = Math.max(this.turn.lastMs, line.atMs)
    this.news.push({ role: 'user', content: line.blocks })
  }

  *end(): Generator<CallRecord> {
    yield* this.endReply()
    yield* this.endTurn()
  }

  /** Where a subagent belongs that a tool use of this conversation started with `prompt`. */
  placeOfAgent(prompt: string): Place | undefined {
    for (const { block, turn } of this.toolUses.values()) {
      const input = block['input']
      if (isJsonObject(input) && input['prompt'] === prompt) return agentPlace(turn, String(block['id']))
    }
    return undefined
  }

  private startTurn(line: TranscriptLine, prompt: readonly Block[]): Turn {
    const place = this.fixedPlace ?? { traceId: line.uuid.replaceAll('-', ''), parentId: undefined, turnId: line.uuid }
    return { ...place, first: line, prompt, lastMs: line.atMs, answer: '' }
  }

  private *takeReply(line: TranscriptLine): Generator<CallRecord> {
    // A transcript may begin in the middle.
    this.turn ??= this.startTurn(line, [])
    const id = textOf(line.message['id']) ?? line.uuid
    if (this.reply?.id !== id) {
      yield* this.endReply()
      const startMs = Math.min(this.turn.lastMs, line.atMs)
      this.reply = { id, first: line, startMs, input: this.news, message: line.message, blocks: [], endMs: line.atMs }
      this.news = []
    }
    const reply = this.reply
    // The usage of the last line is complete.
    reply.message = line.message
    reply.blocks.push(...line.blocks)
    reply.endMs = Math.max(reply.endMs, line.atMs)
    this.turn.lastMs = Math.max(this.turn.lastMs, line.atMs)
    const text = plainText(line.blocks)
    if (text !== '') this.turn.answer = text
    for (const block of line.blocks) {
      if (block.type === 'tool_use') this.toolUses.set(String(block['id']), { line, turn: this.turn, block })
    }
  }

  private *endReply(): Generator<CallRecord> {
    const { reply, turn } = this
    this.reply = undefined
    if (reply === undefined || turn === undefined) return
    const model = textOf(reply.message['model'])
    // Messages of the program itself have a placeholder instead of a model.
    const isReal = model !== undefined && !model.startsWith('<')
    const usage = reply.message['usage']
    yield this.call(reply.first, turn, {
      id: reply.first.uuid,
      op_name: 'claude_code.llm_request',
      display_name: isReal ? model : 'message',
      startMs: reply.startMs,
      endMs: reply.endMs,
      attributes: { kind: 'llm', provider: 'anthropic', ...(isReal && { model }), request_id: reply.id },
      inputs: { messages: reply.input },
      output: { role: 'assistant', content: reply.blocks, stop_reason: reply.message['stop_reason'] ?? null },
      summary: isReal && isJsonObject(usage) ? { usage: { [model]: usageOf(usage) } } : {},
    })
  }

  private *endTool(line: TranscriptLine, result: Block): Generator<CallRecord> {
    const id = String(result['tool_use_id'])
    const toolUse = this.toolUses.get(id)
    this.toolUses.delete(id)
    if (toolUse === undefined) return
    const name = String(toolUse.block['name'])
    const input = toolUse.block['input']
    yield this.call(toolUse.line, toolUse.turn, {
      id,
      op_name: 'claude_code.tool',
      display_name: name,
      startMs: toolUse.line.atMs,
      endMs: line.atMs,
      attributes: { kind: 'tool', tool_name: name },
      inputs: isJsonObject(input) ? input : { input },
      output: result['content'] ?? null,
      exception: result['is_error'] === true ? (resultText(result['content']) ?? 'The tool failed') : null,
    })
  }

  /** A turn of a subagent is a call of its own, below the tool call that started it. */
  private *endTurn(): Generator<CallRecord> {
    const { turn } = this
    this.turn = undefined
    // A tool call without a result, because the user interrupted it or the transcript ends, was not
    // run.
    this.toolUses.clear()
    this.news = []
    if (turn === undefined) return
    const prompt = plainText(turn.prompt)
    yield this.call(turn.first, turn, {
      id: turn.first.uuid,
      op_name: this.fixedPlace === undefined ? 'claude_code.interaction' : 'claude_code.subagent',
      display_name: firstLine(prompt) || 'interaction',
      startMs: turn.first.atMs,
      endMs: turn.lastMs,
      attributes: { kind: 'agent' },
      inputs: turn.prompt.every(({ type }) => type === 'text') ? { prompt } : { prompt: turn.prompt },
      output: turn.answer === '' ? null : turn.answer,
    })
  }

  private call(line: TranscriptLine, turn: Turn, { startMs, endMs, attributes, ...call }: TranscriptCall): CallRecord {
    const { version, cwd, gitBranch } = line.about
    const isRoot = call.id === turn.first.uuid
    return {
      kind: 'call',
      call: {
        trace_id: turn.traceId,
        parent_id: isRoot ? (turn.parentId ?? null) : turn.first.uuid,
        thread_id: line.sessionId,
        turn_id: turn.turnId,
        started_at: startMs / 1000,
        ended_at: endMs / 1000,
        exception: null,
        summary: {},
        ...call,
        attributes: {
          ...attributes,
          ...(cwd !== '' && { cwd }),
          ...(gitBranch !== '' && { git_branch: gitBranch }),
          import: { ...this.origin, version },
        },
      },
    }
  }
}

/** The place of a subagent that a tool use started. */
export const agentPlace = ({ traceId, turnId }: Place, toolUseId: string): Place => ({
  traceId,
  turnId,
  parentId: toolUseId,
})

const usageMembers = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']

/** Input tokens do not include cached ones. */
const usageOf = (usage: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(usageMembers.flatMap((name) => (typeof usage[name] === 'number' ? [[name, usage[name]]] : [])))

function resultText(content: unknown): string | undefined {
  if (typeof content === 'string') return textOf(content)
  return Array.isArray(content) ? textOf(plainText(content.filter(isBlock))) : undefined
}

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 120)
