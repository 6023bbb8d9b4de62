import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { readDecompressed } from '../../runtime/platform/files/input-files.ts'
import { ZipFile } from '../../runtime/platform/files/zip-file.ts'
import { readJsonElements } from '../input/json-elements.ts'
import { membersOf } from './members.ts'

/**
 * Parses JSON that Python wrote: NaN and infinite numbers, which JSON does not have, become null.
 *
 * @throws SyntaxError if it is not JSON otherwise
 */
function parsePythonJson(text: string): unknown {
  try {
    return parseJsonExactly(text, telemetryLimits.otlpJsonDepthMax)
  } catch (cause) {
    if (!(cause instanceof SyntaxError) || !constants.test(text)) throw cause
    const plain = text.replaceAll(stringOrConstant, (token) => (token.startsWith('"') ? token : 'null'))
    return parseJsonExactly(plain, telemetryLimits.otlpJsonDepthMax)
  }
}

const constants = /NaN|Infinity/
const stringOrConstant = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/gs

type Members = Readonly<Record<string, unknown>>

/** Everything in a log but its samples. */
export interface EvalHeader {
  /** `success`, `error`, `cancelled`; `started` while it runs, or if it was killed. */
  readonly status: string
  readonly eval: Members
  readonly plan: Members
  readonly results: Members
  readonly stats: Members
  readonly error: Members
}

/** A log of Inspect in either of its formats. Samples are read one by one, each time anew. */
export interface EvalLog {
  header(): Promise<EvalHeader>
  samples(): AsyncGenerator<Members>
}

/** @throws Error if the file is no log of Inspect */
export const evalLog = (path: string): EvalLog => (/\.eval$/i.test(path) ? new ArchivedLog(path) : new JsonLog(path))

/** `.eval`: a ZIP archive with a member per sample. */
class ArchivedLog implements EvalLog {
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  async header(): Promise<EvalHeader> {
    using archive = await ZipFile.open(this.path)
    // A log whose evaluation was killed has the journal only.
    const member = (await parsed(archive, 'header.json')) ?? (await parsed(archive, '_journal/start.json'))
    return headerOf(member, this.path)
  }

  async *samples(): AsyncGenerator<Members> {
    using archive = await ZipFile.open(this.path)
    for (const name of archive.names) {
      if (!/^samples\/.*\.json$/.test(name)) continue
      const sample = await parsed(archive, name)
      if (isJsonObject(sample)) yield sample
    }
  }
}

async function parsed(archive: ZipFile, name: string): Promise<unknown> {
  const bytes = await archive.read(name, toolLimits.importLineBytesMax)
  return bytes === undefined ? undefined : parsePythonJson(new TextDecoder().decode(bytes))
}

/** `.json`: one document, whose member `samples` is a list. */
class JsonLog implements EvalLog {
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  async header(): Promise<EvalHeader> {
    const members: Record<string, unknown> = {}
    for await (const { member, text } of readJsonElements(readDecompressed(this.path))) {
      if (member !== undefined && headerMembers.has(member)) members[member] = parsePythonJson(text)
    }
    return headerOf(members, this.path)
  }

  async *samples(): AsyncGenerator<Members> {
    for await (const { member, text } of readJsonElements(readDecompressed(this.path))) {
      if (member !== 'samples') continue
      const sample = parsePythonJson(text)
      if (isJsonObject(sample)) yield sample
    }
  }
}

const headerMembers = new Set(['status', 'eval', 'plan', 'results', 'stats', 'error'])

function headerOf(value: unknown, path: string): EvalHeader {
  const { status, plan, results, stats, error, ...others } = membersOf(value)
  const spec = membersOf(others['eval'])
  if (typeof spec['task'] !== 'string') throw new Error(`${path} is not an Inspect log`)
  return {
    status: typeof status === 'string' ? status : 'started',
    eval: spec,
    plan: membersOf(plan),
    results: membersOf(results),
    stats: membersOf(stats),
    error: membersOf(error),
  }
}
