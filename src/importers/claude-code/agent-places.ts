import { fileExists } from '../../runtime/platform/files/files.ts'
import { readDecompressed } from '../../runtime/platform/files/input-files.ts'
import { dirName, joinPath } from '../../runtime/platform/files/paths.ts'
import { readLines } from '../input/lines.ts'
import { agentPlace, type Place } from './conversation.ts'
import { transcriptLine } from './transcript.ts'

/**
 * Finds the tool call that started a subagent. The subagent's own file does not name it, but its
 * result in the file of the session does.
 */
export class AgentPlaces {
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
