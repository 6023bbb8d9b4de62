import type { OutboundHttp } from '../runtime/http/outbound-http.ts'
import { sha256Hex } from '../runtime/platform/crypto.ts'
import { joinPath } from '../runtime/platform/files/paths.ts'
import { environmentVariable, homeFolder } from '../runtime/platform/runtime.ts'
import type { Target } from './record.ts'
import { countProject } from './sender/call-lane.ts'
import { Journal } from './sender/journal.ts'
import { reconcile } from './sender/reconcile.ts'
import { prepare, Sender } from './sender/sender.ts'
import { type ServerAddress, ServerClient } from './sender/server-client.ts'
import { SessionTelemetry } from './sender/session-telemetry.ts'
import { Tally } from './sender/tally.ts'
import type { ImportInput, Part, Source } from './source.ts'

/**
 * The same parts, whose errors say which file or page could not be read. A source may have
 * thousands of files, and the parsers do not know their names.
 */
async function* namedParts(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  for await (const part of parts) yield { ...part, records: () => namedRecords(part) }
}

async function* namedRecords(part: Part): ReturnType<Part['records']> {
  try {
    yield* part.records()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Cannot read "${part.name}": ${message}`, { cause })
  }
}

export interface ImportOptions {
  readonly source: Source
  readonly input: ImportInput
  readonly to: ServerAddress
  readonly http: OutboundHttp
  readonly onProgress: (what: string, done: number) => void
}

/** Result of an import. */
export interface ImportResult {
  readonly tally: Tally
  /** Calls of the project before and after. */
  readonly before: number
  readonly after: number
  readonly isResumed: boolean
}

/**
 * Imports a source into a project. It may be interrupted and repeated: it then continues, and
 * nothing is stored twice. See docs/decisions/110-importers.md.
 *
 * @throws Error if the source cannot be read or the server cannot be reached
 */
export async function runImport({ source, input, to, http, onProgress }: ImportOptions): Promise<ImportResult> {
  const client = new ServerClient(to, http, (reason) => onProgress(`waiting for the server (${reason})`, 0))
  await client.connect()
  const before = await countProject(client)
  const journal = await Journal.open(journalFile(source, input, to))
  const { isResumed } = journal
  const tally = new Tally()
  const telemetry = source.telemetry && new SessionTelemetry(client, source.telemetry)
  const sender = new Sender({
    client,
    journal,
    tally,
    telemetry,
    onProgress: () => onProgress('imported', tally.found),
  })
  for await (const part of namedParts(source.parts(input))) await sender.send(part)
  onProgress('checking', tally.found)
  await reconcile(journal, client, tally)
  const after = await countProject(client)
  // Otherwise what the server lacks would never be sent again.
  await journal.remove()
  return { tally, before, after, isResumed }
}

/** Reads a source without sending anything. */
export async function rehearseImport({
  source,
  input,
  onProgress,
}: Pick<ImportOptions, 'source' | 'input' | 'onProgress'>): Promise<Tally> {
  const tally = new Tally()
  for await (const part of namedParts(source.parts(input))) {
    for await (const record of part.records()) {
      if (record.kind === 'loss') tally.lose(record.what, record.count)
      else tally.of(prepare(record, rehearsal(input.project)).what).found++
      onProgress('read', tally.found)
    }
  }
  return tally
}

const rehearsal = (project: string): Target => ({ project, dialect: 'ext', post: noRequests, put: noRequests })

const noRequests = () => Promise.reject(new Error('a dry run sends nothing'))

/** In the user's state folder, one file per source and target. */
function journalFile(source: Source, { place, select }: ImportInput, { url, project }: ServerAddress): string {
  const state = environmentVariable('XDG_STATE_HOME') ?? joinPath(homeFolder(), '.local', 'state')
  const name = sha256Hex(JSON.stringify([source.name, place, select, url, project])).slice(0, 16)
  return joinPath(state, 'tracelake', 'imports', `${name}.jsonl`)
}
