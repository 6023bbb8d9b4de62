import { byteAt, numberAt, wordAt } from '../../../lib/bytes.ts'
import { DomainError } from '../../../lib/errors.ts'
import {
  arrayIndexOf,
  backslash,
  closeArray,
  closeObject,
  colon,
  comma,
  isEscaped,
  isSpace,
  nextQuote,
  nine,
  noIndex,
  openArray,
  openObject,
  perhapsIndex,
  plainText,
  quote,
  zero,
} from './json-bytes.ts'
import type { LongContainer, Outline, OutlineBounds, Part } from './outline.ts'

/**
 * Measured bytes: an empty array or object, a small value inside one, a number kept as text, a
 * member of an order-preserving object.
 */
const costs = { container: 80, value: 16, exactNumber: 200, orderedMember: 600 } as const

/**
 * Scans a JSON text once before parsing: finds its depth, the cost of its value, and where it can
 * be split. Assumes valid JSON; parsing the pieces detects errors.
 */
export class OutlineScanner {
  private readonly bytes: Uint8Array
  private readonly bounds: OutlineBounds
  private at = 0
  private depth = 0
  private valueBytes = 0
  private reorderedMembers = 0
  private root: LongContainer | undefined
  private hasRoot = false
  private projectId: string | undefined
  private isProjectNext = false

  // One cell per open container, by depth.
  private readonly isArray: Uint8Array
  private readonly starts: Uint32Array
  private readonly runStarts: Uint32Array
  private readonly entryStarts: Uint32Array
  private readonly members: Uint32Array
  /** The last name that was an index, plus one; infinite once another name has occurred. */
  private readonly lastIndexes: Float64Array
  private readonly isReordered: Uint8Array
  private readonly parts: (Part[] | undefined)[] = []

  constructor(bytes: Uint8Array, bounds: OutlineBounds) {
    this.bytes = bytes
    this.bounds = bounds
    const levels = bounds.depthMax + 2
    this.isArray = new Uint8Array(levels)
    this.starts = new Uint32Array(levels)
    this.runStarts = new Uint32Array(levels)
    this.entryStarts = new Uint32Array(levels)
    this.members = new Uint32Array(levels)
    this.lastIndexes = new Float64Array(levels)
    this.isReordered = new Uint8Array(levels)
  }

  /**
   * Scans about `byteCount` more bytes; true at the end of the text.
   *
   * @throws SyntaxError if brackets do not match; DomainError RequestTooLarge beyond a bound
   */
  advance(byteCount: number): boolean {
    const { bytes } = this
    const until = Math.min(bytes.length, this.at + byteCount)
    let { at } = this
    while (at < until) {
      const byte = byteAt(bytes, at)
      switch (byte) {
        case quote:
          at = this.text(at)
          break
        case openArray:
        case openObject:
          this.open(at, byte === openArray)
          at++
          break
        case closeArray:
        case closeObject:
          this.close(at, byte === closeArray)
          at++
          break
        case comma:
          this.separate(at)
          at++
          break
        case colon:
        case 0x20:
        case 0x0a:
        case 0x0d:
        case 0x09:
          at++
          break
        default:
          at = this.scalar(at)
      }
    }
    this.at = at
    if (at < bytes.length) return false
    if (this.depth > 0) throw new SyntaxError('unexpected end inside an array or object')
    return true
  }

  /** The result, once the end of the text is reached. */
  outline(): Outline {
    return { root: this.root, valueBytes: this.valueBytes, projectId: this.projectId }
  }

  private open(at: number, isArray: boolean): void {
    this.isProjectNext = false
    if (this.depth === 0) this.beginRoot()
    this.depth++
    const { depth } = this
    if (depth > this.bounds.depthMax) {
      throw new DomainError(
        'RequestTooLarge',
        `Cannot read the body: JSON is nested deeper than ${this.bounds.depthMax} levels`,
      )
    }
    this.isArray[depth] = isArray ? 1 : 0
    this.starts[depth] = at
    this.runStarts[depth] = at + 1
    this.entryStarts[depth] = at + 1
    this.members[depth] = 0
    this.lastIndexes[depth] = 0
    this.isReordered[depth] = 0
    this.parts[depth] = undefined
    this.add(costs.container)
  }

  private close(at: number, isArray: boolean): void {
    const { depth, runStarts } = this
    if (depth === 0 || this.isArray[depth] !== (isArray ? 1 : 0)) throw new SyntaxError('brackets do not match')
    if (this.isReordered[depth] === 1) this.addReordered(wordAt(this.members, depth))
    const start = wordAt(this.starts, depth)
    const parts = this.parts[depth]
    this.depth--
    if (parts === undefined && at - start <= this.bounds.runBytes) return
    const whole = parts ?? []
    // After a long child only blanks remain, unless a comma follows.
    const last = whole.at(-1)
    const isOver = last !== undefined && 'long' in last && last.long.end === runStarts[depth]
    if (isOver) this.requireBlank(wordAt(runStarts, depth), at)
    else whole.push({ run: { start: wordAt(runStarts, depth), end: at } })
    this.place({ start, end: at + 1, isArray, parts: whole })
  }

  /** Adds a long container to its parent, after the short children before it. */
  private place(long: LongContainer): void {
    const { depth } = this
    if (depth === 0) {
      this.root = long
      return
    }
    const parts = this.parts[depth] ?? []
    this.parts[depth] = parts
    const runStart = wordAt(this.runStarts, depth)
    const entryStart = wordAt(this.entryStarts, depth)
    const last = parts.at(-1)
    if (last !== undefined && 'long' in last && last.long.end === runStart)
      throw new SyntaxError('missing comma between two values')
    if (entryStart > runStart) parts.push({ run: { start: runStart, end: entryStart - 1 } })
    parts.push({ long, name: { start: entryStart, end: long.start } })
    this.runStarts[depth] = long.end
    this.entryStarts[depth] = long.end
  }

  private separate(at: number): void {
    const { depth, runStarts, entryStarts } = this
    if (depth === 0) throw new SyntaxError('unexpected comma outside arrays and objects')
    const runStart = wordAt(runStarts, depth)
    const last = this.parts[depth]?.at(-1)
    if (last !== undefined && 'long' in last && last.long.end === runStart) {
      this.requireBlank(runStart, at)
      runStarts[depth] = at + 1
    } else if (at - runStart >= this.bounds.runBytes) {
      const parts = this.parts[depth] ?? []
      this.parts[depth] = parts
      parts.push({ run: { start: runStart, end: at } })
      runStarts[depth] = at + 1
    }
    entryStarts[depth] = at + 1
  }

  /** @returns the position after the string that begins at `at` */
  private text(at: number): number {
    const { bytes, depth } = this
    let end = nextQuote(bytes, at + 1)
    while (end >= 0 && bytes[end - 1] === backslash && isEscaped(bytes, end)) end = nextQuote(bytes, end + 1)
    if (end < 0) throw new SyntaxError('unterminated string')
    if (depth === 0) this.beginRoot()
    else if (this.isArray[depth] === 0 && this.isName(at)) this.name(at + 1, end)
    else {
      if (this.isProjectNext) this.projectId = plainText(bytes.subarray(at + 1, end))
      this.isProjectNext = false
      this.add(costs.value)
    }
    return end + 1
  }

  /** Whether a string in an object is a member's name rather than its value. */
  private isName(at: number): boolean {
    const { bytes } = this
    let before = at - 1
    while (isSpace(byteAt(bytes, before))) before--
    return bytes[before] !== colon
  }

  private name(start: number, end: number): void {
    const { bytes, depth } = this
    this.add(costs.value)
    this.members[depth] = wordAt(this.members, depth) + 1
    this.isProjectNext = depth === 1 && end - start === projectMember.length && isProjectMember(bytes, start)
    const index = arrayIndexOf(bytes, start, end)
    if (index === noIndex) this.lastIndexes[depth] = Number.POSITIVE_INFINITY
    else if (index === perhapsIndex || index < numberAt(this.lastIndexes, depth)) this.isReordered[depth] = 1
    else this.lastIndexes[depth] = index + 1
  }

  private scalar(at: number): number {
    const { bytes } = this
    this.isProjectNext = false
    if (this.depth === 0) this.beginRoot()
    let end = at
    let isLong = false
    for (; end < bytes.length; end++) {
      const byte = byteAt(bytes, end)
      if (byte === comma || byte === closeArray || byte === closeObject || isSpace(byte) || byte === colon) break
      // An exponent, but also the letter in true and false.
      if (byte === 0x65 || byte === 0x45) isLong = byteAt(bytes, at) <= nine
    }
    // 1.0 and 1e3 are kept verbatim.
    if (!isLong && bytes[end - 1] === zero) isLong = bytes.subarray(at, end).includes(0x2e)
    this.add(isLong || (end - at > 16 && !bytes.subarray(at, end).includes(0x2e)) ? costs.exactNumber : costs.value)
    return end > at ? end : at + 1
  }

  private beginRoot(): void {
    if (this.hasRoot) throw new SyntaxError('unexpected data after the value')
    this.hasRoot = true
  }

  private requireBlank(start: number, end: number): void {
    for (let at = start; at < end; at++) {
      if (!isSpace(byteAt(this.bytes, at))) throw new SyntaxError('unexpected data between a value and a comma')
    }
  }

  private addReordered(members: number): void {
    this.reorderedMembers += members
    this.add(members * costs.orderedMember)
    const { reorderedMembersMax } = this.bounds
    if (this.reorderedMembers <= reorderedMembersMax) return
    throw new DomainError(
      'RequestTooLarge',
      `Cannot read the body: objects with numbers for names, out of numeric order, have more than ` +
        `${reorderedMembersMax} ` +
        'members; sort them, use arrays, or split the request',
    )
  }

  private add(bytes: number): void {
    this.valueBytes += bytes
    if (this.valueBytes <= this.bounds.valueBytesMax) return
    throw new DomainError(
      'RequestTooLarge',
      'Cannot read the body: it has too many values; split the request, or send them as one string',
    )
  }
}

const projectMember = 'project_id'

function isProjectMember(bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < projectMember.length; i++) if (bytes[start + i] !== projectMember.charCodeAt(i)) return false
  return true
}
