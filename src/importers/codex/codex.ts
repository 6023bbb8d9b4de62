import { isJsonObject } from '../../lib/json-value.ts'
import { sha256Hex } from '../../runtime/platform/crypto.ts'
import { listInputFiles, readDecompressed } from '../../runtime/platform/files/input-files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { environmentVariable, homeFolder } from '../../runtime/platform/runtime.ts'
import { readLines, tooLongLine } from '../input/lines.ts'
import type { CallRecord, ImportRecord, TranscriptCall } from '../record.ts'
import type { Source } from '../source.ts'
import { argumentsOf, messageText, outputOf, textOf, usageOf } from './items.ts'

type Members = Readonly<Record<string, unknown>>

interface Turn {
  readonly id: string
  readonly traceId: string
  readonly startMs: number
  readonly prompt: string
  lastMs: number
  answer: string | null
}

interface Reply {
  readonly input: readonly unknown[]
  readonly output: unknown[]
  readonly startMs: number
  endMs: number
}

interface ToolUse {
  readonly item: Members
  readonly startMs: number
}

/**
 * Turns the lines of one session into calls: a message of the user into a turn, what the model
 * returned until its tokens were counted into a model call, a tool call and its output into a tool
 * call. Lines have no ids, so those of calls are derived from the session and the position.
 */
class Rollout {
  private readonly file: string
  private session = ''
  private version = 'unknown'
  private context: Members = {}
  private model = 'unknown'
  private line = 0
  private turn: Turn | undefined
  /** Items for the next call of the model. */
  private input: unknown[] = []
  private lastInputMs = 0
  private reply: Reply | undefined
  private readonly toolUses = new Map<string, ToolUse>()

  constructor(file: string) {
    this.file = file
  }

  *take(line: Members, lose: (what: string) => void): Generator<CallRecord> {
    this.line++
    const atMs = Date.parse(String(line['timestamp']))
    const payload = isJsonObject(line['payload']) ? line['payload'] : {}
    if (line['type'] === 'session_meta') return this.begin(payload)
    if (line['type'] === 'turn_context') {
      this.model = textOf(payload['model']) ?? this.model
      return
    }
    if (Number.isNaN(atMs)) return lose('lines without a time')
    if (line['type'] === 'response_item') return yield* this.takeItem(payload, atMs, lose)
    if (line['type'] === 'event_msg' && payload['type'] === 'token_count') return yield* this.endReply(payload['info'])
    lose(`lines of the type "${String(payload['type'] ?? line['type'])}"`)
  }

  *end(): Generator<CallRecord> {
    yield* this.endReply(undefined)
    yield* this.endTurn()
  }

  private begin(meta: Members): void {
    this.session = textOf(meta['id']) ?? this.session
    this.version = textOf(meta['cli_version']) ?? this.version
    const { cwd, originator } = meta
    const branch = isJsonObject(meta['git']) ? meta['git']['branch'] : undefined
    this.context = {
      ...(textOf(cwd) && { cwd }),
      ...(textOf(originator) && { originator }),
      ...(textOf(branch) && { git_branch: branch }),
    }
  }

  private *takeItem(item: Members, atMs: number, lose: (what: string) => void): Generator<CallRecord> {
    const type = String(item['type'])
    if (this.turn !== undefined) this.turn.lastMs = Math.max(this.turn.lastMs, atMs)
    if (type === 'message' && item['role'] !== 'assistant') {
      const text = messageText(item)
      // The program itself adds messages with instructions and the environment.
      if (item['role'] === 'user' && !/^\s*(?:<|# AGENTS\.md)/.test(text)) {
        yield* this.endReply(undefined)
        yield* this.endTurn()
        this.turn = this.startTurn(text, atMs)
      }
      this.input.push(item)
      this.lastInputMs = atMs
    } else if (type.endsWith('_output')) {
      yield* this.endTool(item, atMs)
      this.input.push(item)
      this.lastInputMs = atMs
    } else if (type === 'message' || type === 'reasoning' || type.endsWith('_call')) {
      this.turn ??= this.startTurn('', atMs)
      // Encrypted reasoning can only be read by the provider.
      const { encrypted_content, ...visible } = item
      if (typeof encrypted_content === 'string') lose('encrypted reasoning')
      if (this.reply === undefined) {
        // Outputs of tools may precede the count of the tokens; they belong to the next call.
        this.reply = { input: this.input, startMs: Math.min(this.lastInputMs || atMs, atMs), output: [], endMs: atMs }
        this.input = []
      }
      this.reply.output.push(visible)
      this.reply.endMs = atMs
      if (type === 'message') this.turn.answer = messageText(item)
      if (textOf(item['call_id']) !== undefined) this.toolUses.set(String(item['call_id']), { item, startMs: atMs })
    } else lose(`items of the type "${type}"`)
  }

  private startTurn(prompt: string, startMs: number): Turn {
    const hash = sha256Hex(`codex ${this.session} ${this.line}`)
    return { id: hash.slice(0, 16), traceId: hash.slice(16, 48), startMs, prompt, lastMs: startMs, answer: null }
  }

  /** The tokens are counted after each response of the model. */
  private *endReply(info: unknown): Generator<CallRecord> {
    const { turn, reply } = this
    this.reply = undefined
    if (turn === undefined || reply === undefined) return
    const usage = usageOf(info)
    yield this.call(turn, {
      id: sha256Hex(`codex ${this.session} ${this.line} reply`).slice(0, 16),
      op_name: 'codex.llm_request',
      display_name: this.model,
      startMs: reply.startMs,
      endMs: reply.endMs,
      attributes: { kind: 'llm', provider: 'openai', model: this.model },
      inputs: { messages: reply.input },
      output: reply.output,
      summary: usage === undefined ? {} : { usage: { [this.model]: usage } },
    })
  }

  private *endTool(result: Members, atMs: number): Generator<CallRecord> {
    const id = String(result['call_id'])
    const toolUse = this.toolUses.get(id)
    this.toolUses.delete(id)
    if (toolUse === undefined || this.turn === undefined) return
    const name = textOf(toolUse.item['name']) ?? String(toolUse.item['type']).replace(/_call$/, '')
    const { output, isError } = outputOf(result['output'])
    yield this.call(this.turn, {
      id: sha256Hex(`codex ${this.session} ${id}`).slice(0, 16),
      op_name: 'codex.tool',
      display_name: name,
      startMs: toolUse.startMs,
      endMs: atMs,
      attributes: { kind: 'tool', tool_name: name, tool_call_id: id },
      inputs: argumentsOf(toolUse.item),
      output,
      exception: isError ? 'The tool failed' : null,
    })
  }

  private *endTurn(): Generator<CallRecord> {
    const { turn } = this
    this.turn = undefined
    this.toolUses.clear()
    if (turn === undefined) return
    yield this.call(turn, {
      id: turn.id,
      op_name: 'codex.turn',
      display_name: (turn.prompt.split('\n', 1)[0] ?? '').slice(0, 120) || 'turn',
      startMs: turn.startMs,
      endMs: turn.lastMs,
      attributes: { kind: 'agent' },
      inputs: { prompt: turn.prompt },
      output: turn.answer,
    })
  }

  private call(turn: Turn, { startMs, endMs, attributes, ...call }: TranscriptCall): CallRecord {
    return {
      kind: 'call',
      call: {
        trace_id: turn.traceId,
        parent_id: call.id === turn.id ? null : turn.id,
        thread_id: this.session || null,
        turn_id: this.session === '' ? null : turn.id,
        started_at: startMs / 1000,
        ended_at: Math.max(startMs, endMs) / 1000,
        exception: null,
        summary: {},
        ...call,
        attributes: {
          ...attributes,
          ...this.context,
          import: { source: 'codex', version: this.version, file: this.file },
        },
      },
    }
  }
}

/** Sessions of Codex: one file per session, in folders by date. */
export const codex: Source = {
  name: 'codex',
  summary: 'sessions of Codex (default: ~/.codex/sessions)',
  defaultPlace: () => joinPath(environmentVariable('CODEX_HOME') ?? joinPath(homeFolder(), '.codex'), 'sessions'),
  telemetry: { agentName: 'codex', scopePrefix: 'codex' },
  async *parts({ place, select }) {
    for await (const file of listInputFiles(place, (name) => /^rollout-.*\.jsonl$/.test(name))) {
      if (select !== undefined && !file.name.includes(select)) continue
      yield {
        name: file.name,
        version: `${file.bytes}-${file.modifiedMs}`,
        records: () => recordsOf(file.path, file.name),
      }
    }
  },
}

async function* recordsOf(path: string, name: string): AsyncGenerator<ImportRecord> {
  const rollout = new Rollout(name)
  const losses = new Map<string, number>()
  const lose = (what: string) => losses.set(what, (losses.get(what) ?? 0) + 1)
  for await (const text of readLines(readDecompressed(path), () => lose(tooLongLine))) {
    let line: unknown
    try {
      line = JSON.parse(text)
    } catch {
      lose('lines that are not JSON')
      continue
    }
    if (isJsonObject(line)) yield* rollout.take(line, lose)
    else lose('lines that are not objects')
  }
  yield* rollout.end()
  for (const [what, count] of losses) yield { kind: 'loss', what, count }
}
