import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { readDecompressed } from '../../runtime/platform/files/input-files.ts'
import { readJsonElements } from './json-elements.ts'
import { readLines } from './lines.ts'

export interface JsonFileOptions {
  /** Members of the outermost object, or of each line, whose elements are values of their own. */
  readonly lists: readonly string[]
  /** Called for each line that is too long or is not JSON; it is left out. */
  readonly onUnreadable: (line: number | undefined) => void
}

export interface JsonFileValue {
  /** The member of `lists` that contains the value, or the member of a document. */
  readonly member: string | undefined
  readonly value: unknown
}

/**
 * The values of a file with JSON lines, or with one JSON document. Numbers keep their digits.
 *
 * @throws Error if the file is a damaged document
 */
export async function* readJsonFile(file: string, options: JsonFileOptions): AsyncGenerator<JsonFileValue> {
  const { first, pieces, isLines } = await peek(readDecompressed(file))
  const all = chain(first, pieces)
  if (!isLines) {
    for await (const { member, text } of readJsonElements(all)) yield { member, value: parseText(text) }
    return
  }
  let line = 0
  for await (const text of readLines(all, (tooLong) => options.onUnreadable(tooLong))) {
    line++
    let value: unknown
    try {
      value = parseText(text)
    } catch {
      options.onUnreadable(line)
      continue
    }
    yield* explode(value, options.lists)
  }
}

const parseText = (text: string): unknown => parseJsonExactly(text, telemetryLimits.otlpJsonDepthMax)

function* explode(value: unknown, lists: readonly string[]): Generator<JsonFileValue> {
  if (Array.isArray(value)) for (const element of value) yield { member: undefined, value: element }
  else if (isJsonObject(value)) {
    for (const member of lists) {
      const list = value[member]
      if (!Array.isArray(list)) continue
      for (const element of list) yield { member, value: element }
      return
    }
    yield { member: undefined, value }
  }
}

/** Reads the first line and decides whether it is a whole value. */
async function peek(source: AsyncGenerator<Uint8Array>) {
  const first: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const { value, done } = await source.next()
    if (done) break
    first.push(value.slice())
    bytes += value.byteLength
    if (value.includes(10) || bytes > toolLimits.importLineBytesMax / 4) break
  }
  const decoder = new TextDecoder()
  const text = first.map((piece) => decoder.decode(piece, { stream: true })).join('')
  const end = text.indexOf('\n')
  return { first, pieces: source, isLines: isJson(end < 0 ? text : text.slice(0, end)) }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

async function* chain(first: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first
  yield* rest
}
