import { isJsonObject } from '../../lib/json-value.ts'
import { fileExists } from '../../runtime/platform/files/files.ts'
import { listInputFiles, readDecompressed } from '../../runtime/platform/files/input-files.ts'
import { baseName, dirName, joinPath } from '../../runtime/platform/files/paths.ts'
import { homeFolder } from '../../runtime/platform/runtime.ts'
import { readLines, tooLongLine } from '../input/lines.ts'
import type { CallRecord, ImportRecord } from '../record.ts'
import type { Source } from '../source.ts'
import { agentPlace, Conversation, type Place } from './conversation.ts'
import { lineType, plainText, type TranscriptLine, transcriptLine } from './transcript.ts'

/**
 * Finds the tool call that started a subagent. The subagent's own file does not name it, but its
 * result in the file of the session does.
 */
class AgentPlaces {
  private session: string | undefined
  private places = new Map<string, Place>()

  async find(folder: string, sessionId: string, agentId: string): Promise<Place | undefined> {
    const file = await this.fileOf(folder, `${sessionId}.jsonl`)
    if (file === undefined) return undefined
    // Files of one session come one after the other.
    if (this.session !== file) this.places = await placesIn(file)
    this.session = file
    return this.places.get(agentId)
  }

  /** Beside the subagent's file, or one or two folders above. */
  private async fileOf(folder: string, name: string): Promise<string | undefined> {
    for (const candidate of [folder, dirName(folder), dirName(dirName(folder))]) {
      const file = joinPath(candidate, name)
      if (await fileExists(file)) return file
    }
    return undefined
  }
}

async function placesIn(file: string): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  let turn: Place | undefined
  for await (const text of readLines(readDecompressed(file), () => {})) {
    // Most lines are neither prompts nor results of subagents.
    if (!text.includes('"user"')) continue
    const line = readLine(text)
    if (line === undefined || line.role !== 'user' || line.isSidechain) continue
    const result = line.blocks.find(({ type }) => type === 'tool_result')
    if (result === undefined && !(line.isMeta && turn !== undefined)) {
      turn = { traceId: line.uuid.replaceAll('-', ''), parentId: undefined, turnId: line.uuid }
    } else if (line.resultOfAgent !== undefined && turn !== undefined) {
      places.set(line.resultOfAgent, agentPlace(turn, String(result?.['tool_use_id'])))
    }
  }
  return places
}

function readLine(text: string) {
  try {
    return transcriptLine(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Transcripts of Claude Code: one file per session, and one per subagent in newer versions. */
export const claudeCode: Source = {
  name: 'claude-code',
  summary: 'transcripts of Claude Code (default: ~/.claude/projects)',
  defaultPlace: () => joinPath(homeFolder(), '.claude', 'projects'),
  telemetry: { agentName: 'claude-code', scopePrefix: 'com.anthropic.claude_code.' },
  async *parts({ place, select }) {
    const agents = new AgentPlaces()
    for await (const file of listInputFiles(place, (name) => name.endsWith('.jsonl'))) {
      if (select !== undefined && !file.name.includes(select)) continue
      yield {
        name: file.name,
        version: `${file.bytes}-${file.modifiedMs}`,
        records: () => recordsOf(file.path, file.name, agents),
      }
    }
  },
}

async function* recordsOf(path: string, name: string, agents: AgentPlaces): AsyncGenerator<ImportRecord> {
  const session = new Session(name, agents, dirName(path))
  const losses = new Map<string, number>()
  const lose = (what: string) => losses.set(what, (losses.get(what) ?? 0) + 1)
  for await (const text of readLines(readDecompressed(path), () => lose(tooLongLine))) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      lose('lines that are not JSON')
      continue
    }
    const line = transcriptLine(value)
    if (line === undefined) {
      lose(`lines of the type "${lineType(value)}"`)
      session.passOver(value)
    } else yield* session.take(line)
  }
  yield* session.end()
  for (const [what, count] of losses) yield { kind: 'loss', what, count }
}

/** The conversations in one file: the user's own, and those of subagents in older versions. */
class Session {
  private readonly name: string
  private readonly agents: AgentPlaces
  private readonly folder: string
  private main: Conversation | undefined
  private isAgentFile = false
  private readonly chains = new Map<string, Conversation>()

  constructor(name: string, agents: AgentPlaces, folder: string) {
    this.name = name
    this.agents = agents
    this.folder = folder
  }

  async *take(line: TranscriptLine): AsyncGenerator<CallRecord> {
    if (this.main === undefined) {
      const { agentId, sessionId } = line
      this.isAgentFile = agentId !== undefined && baseName(this.name).startsWith('agent-')
      const find = async () => agentId && (await this.agents.find(this.folder, sessionId, agentId))
      this.main = this.conversation(this.isAgentFile ? (await find()) || ownPlace(line) : undefined)
    }
    yield* this.conversationOf(line, this.main).take(line)
  }

  /** A line that is not part of the conversation may be the parent of one that is. */
  passOver(value: unknown): void {
    if (!isJsonObject(value)) return
    const chain = this.chains.get(String(value['parentUuid']))
    if (chain !== undefined) this.chains.set(String(value['uuid']), chain)
  }

  *end(): Generator<CallRecord> {
    for (const chain of new Set([...this.chains.values()])) yield* chain.end()
    if (this.main !== undefined) yield* this.main.end()
  }

  private conversationOf(line: TranscriptLine, main: Conversation): Conversation {
    if (this.isAgentFile || !line.isSidechain) return main
    const place = () => main.placeOfAgent(plainText(line.blocks)) ?? ownPlace(line)
    const found = this.chains.get(line.parentUuid ?? '') ?? this.conversation(place())
    this.chains.set(line.uuid, found)
    return found
  }

  private conversation(place: Place | undefined): Conversation {
    return new Conversation({ source: 'claude-code', version: '', file: this.name }, place)
  }
}

/** A subagent whose parent is unknown gets a trace of its own. */
const ownPlace = (line: TranscriptLine): Place => ({
  traceId: line.uuid.replaceAll('-', ''),
  parentId: undefined,
  turnId: line.uuid,
})
