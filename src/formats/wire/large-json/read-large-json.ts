import { objectInOrder } from '../../../lib/json-value.ts'
import { yieldToEventLoop } from '../../../runtime/platform/event-loop.ts'
import { parseJson } from '../json-body.ts'
import { memberPlace, type NumberPlace, plainPlace } from '../marked-numbers.ts'
import type { ByteSpan, LongContainer, Outline, OutlineBounds } from './outline.ts'
import { OutlineScanner } from './outline-scanner.ts'

/** Bytes scanned between looks at the clock. */
const scanBytes = 256 * 1024
/** How long one piece of work may block the event loop. */
const sliceMs = 8
/** A byte order mark is only stripped at the beginning of a text, not of a piece. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Facts about a JSON text before it is parsed. */
export interface OutlinedJson {
  /** Estimated memory of its value, excluding the text. */
  readonly valueBytes: number
  /** Member `project_id` of a long object, if it is a string without escapes. */
  readonly projectId: string | undefined
  /**
   * Parses the text to the same value as `parseJson`.
   * @throws SyntaxError
   */
  parse(place: NumberPlace): Promise<unknown>
}

/**
 * Scans a JSON text and estimates the cost of its value. Scanning and parsing yield to other
 * requests.
 *
 * @param bytes UTF-8, possibly with a byte order mark
 * @throws SyntaxError; DomainError RequestTooLarge beyond a bound
 */
export async function outlineJson(bytes: Uint8Array, bounds: OutlineBounds): Promise<OutlinedJson> {
  const text = hasMark(bytes) ? bytes.subarray(3) : bytes
  const scan = new OutlineScanner(text, bounds)
  const parser = new PieceParser(text, bounds.depthMax)
  await parser.yieldIfDue()
  while (!scan.advance(scanBytes)) await parser.yieldIfDue()
  const outline = scan.outline()
  return {
    valueBytes: outline.valueBytes,
    projectId: outline.projectId,
    parse: (place) => parser.parse(outline, place),
  }
}

/**
 * Large texts take their time slices in sequence, with one pass of the event loop in between;
 * otherwise many of them would add up to one long slice.
 */
let lastSlice: Promise<void> = Promise.resolve()

/** Parses a text piece by piece. */
class PieceParser {
  private readonly bytes: Uint8Array
  private readonly depthMax: number
  private sliceEndsMs = 0

  constructor(bytes: Uint8Array, depthMax: number) {
    this.bytes = bytes
    this.depthMax = depthMax
  }

  async parse({ root }: Outline, place: NumberPlace): Promise<unknown> {
    if (root === undefined) return this.parsePiece({ start: 0, end: this.bytes.length }, '', '', place, 0)
    this.requireBlank({ start: 0, end: root.start })
    this.requireBlank({ start: root.end, end: this.bytes.length })
    return await this.container(root, place, 0)
  }

  private async container(long: LongContainer, place: NumberPlace, depth: number): Promise<unknown> {
    return long.isArray ? await this.list(long, place, depth) : await this.object(long, place, depth)
  }

  private async list({ parts }: LongContainer, place: NumberPlace, depth: number): Promise<unknown[]> {
    const items: unknown[] = []
    for (const part of parts) {
      if ('long' in part) {
        this.requireBlank(part.name)
        items.push(await this.container(part.long, place.elements, depth + 1))
        continue
      }
      const run = this.parsePiece(part.run, '[', ']', place, depth)
      if (!Array.isArray(run)) throw new SyntaxError('expected elements')
      if (run.length === 0 && parts.length > 1) throw new SyntaxError('missing value next to a comma')
      for (const item of run) items.push(item)
      await this.yieldIfDue()
    }
    return items
  }

  private async object({ parts }: LongContainer, place: NumberPlace, depth: number): Promise<unknown> {
    const members: [string, unknown][] = []
    for (const part of parts) {
      if ('long' in part) {
        const name = this.nameOf(part.name)
        members.push([name, await this.container(part.long, memberPlace(place, name), depth + 1)])
        continue
      }
      const run = Object.entries(this.parsePiece(part.run, '{', '}', place, depth))
      if (run.length === 0 && parts.length > 1) throw new SyntaxError('missing value next to a comma')
      for (const member of run) members.push(member)
      await this.yieldIfDue()
    }
    return objectInOrder(members)
  }

  /** Parses `"name":` to the name. */
  private nameOf(span: ByteSpan): string {
    const [name, ...more] = Object.keys(this.parsePiece(span, '{', '0}', plainPlace, 0))
    if (name === undefined || more.length > 0) throw new SyntaxError('missing member name')
    return name
  }

  private parsePiece(
    { start, end }: ByteSpan,
    before: string,
    behind: string,
    place: NumberPlace,
    depth: number,
  ): object {
    const text = decoder.decode(this.bytes.subarray(start, end))
    const value = parseJson(before + text + behind, this.depthMax - depth, place)
    if (typeof value !== 'object' || value === null) throw new SyntaxError('expected an array or an object')
    return value
  }

  private requireBlank({ start, end }: ByteSpan): void {
    if (!/^[ \t\n\r]*$/.test(decoder.decode(this.bytes.subarray(start, end))))
      throw new SyntaxError('unexpected data next to an array or object')
  }

  async yieldIfDue(): Promise<void> {
    if (performance.now() < this.sliceEndsMs) return
    lastSlice = lastSlice.then(yieldToEventLoop)
    await lastSlice
    this.sliceEndsMs = performance.now() + sliceMs
  }
}

const hasMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
