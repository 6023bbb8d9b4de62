/** Milliseconds of work after which a long task lets the page breathe. */
export const workMs = 12

/** Lets the page handle input and paint. */
export function pause(): Promise<void> {
  const { scheduler } = globalThis
  return scheduler?.yield ? scheduler.yield() : new Promise((resolve) => setTimeout(resolve))
}

/** Type of a JSON value, by its first character. */
export type JsonType = 'object' | 'array' | 'string' | 'number' | 'literal'

const quote = 34
const backslash = 92
const comma = 44
const colon = 58
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/** Type of the value whose first character is at `at`. */
export function typeAt(text: string, at: number): JsonType {
  const code = text.charCodeAt(at)
  if (code === openBrace) return 'object'
  if (code === openBracket) return 'array'
  if (code === quote) return 'string'
  return code === 45 || (code >= 48 && code <= 57) ? 'number' : 'literal'
}

/** First position from `at` on that is not white space. */
export function skipSpace(text: string, at: number): number {
  let next = at
  for (let code = text.charCodeAt(next); code === 32 || code === 10 || code === 13 || code === 9; ) {
    code = text.charCodeAt(++next)
  }
  return next
}

/** A list of positions in a text that grows. */
export class Positions {
  length = 0
  private values = new Uint32Array(16)

  /** The position with the given index. @throws RangeError outside of the list */
  at(index: number): number {
    const value = this.values[index]
    if (value === undefined || index >= this.length) throw new RangeError(`No position ${index}`)
    return value
  }

  set(index: number, position: number): void {
    this.values[index] = position
  }

  add(position: number): void {
    if (this.length === this.values.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.length++] = position
  }
}

/** Members of a scanned container: positions in the text, nothing decoded. */
export class Entries {
  /** Start of the key's opening quote; the start of the value in arrays. */
  readonly key = new Positions()
  /** End of the key, after its closing quote; equal to `key` in arrays. */
  readonly keyEnd = new Positions()
  readonly start = new Positions()
  /** End of the value; the end of the text if it is cut off there. */
  readonly end = new Positions()
  /** Members of a value that is a container; 0 for others. */
  readonly count = new Positions()

  get length(): number {
    return this.start.length
  }

  add(key: number, keyEnd: number, start: number): void {
    this.key.add(key)
    this.keyEnd.add(keyEnd)
    this.start.add(start)
    this.end.add(start)
    this.count.add(0)
  }
}

/**
 * Finds the members of one container without looking into their values. Stops and goes on at any
 * place, so that a long text neither blocks the page nor has to be there as a whole.
 */
export class ContainerScan {
  readonly entries = new Entries()
  /** Whether the closing bracket was found. */
  isDone = false
  /** Position after the closing bracket once `isDone`, else where the scan goes on. */
  at: number
  private readonly isObject: boolean
  private expects: 'key' | 'colon' | 'value' | 'rest' | 'comma' = 'key'
  private keyStart = 0
  private keyEnd = 0
  private inString = false
  private depth = 0

  constructor(text: string, start: number) {
    this.at = start + 1
    this.isObject = text.charCodeAt(start) === openBrace
    if (!this.isObject) this.expects = 'value'
  }

  /** Scans about `chars` characters further; false once there is nothing left to do. */
  run(text: string, chars: number): boolean {
    const stop = Math.min(text.length, this.at + chars)
    while (!this.isDone && this.at < stop) this.step(text, stop)
    const { entries } = this
    if (this.expects === 'rest' && entries.length > 0) entries.end.set(entries.length - 1, this.at)
    return !this.isDone && this.at < text.length
  }

  private step(text: string, stop: number): void {
    if (this.expects === 'rest') {
      if (this.skipValue(text, stop)) this.endValue()
    } else if (this.inString) {
      this.skipKey(text, stop)
    } else {
      this.stepBetween(text)
    }
  }

  private stepBetween(text: string): void {
    this.at = skipSpace(text, this.at)
    if (this.at >= text.length) return
    const code = text.charCodeAt(this.at)
    if (code === closeBrace || code === closeBracket) {
      this.at++
      this.isDone = true
    } else if (this.expects === 'key' && code === quote) {
      this.keyStart = this.at++
      this.inString = true
    } else if (code === comma || code === colon) {
      this.at++
      this.expects = code === colon || !this.isObject ? 'value' : 'key'
    } else {
      if (!this.isObject) this.keyStart = this.keyEnd = this.at
      this.entries.add(this.keyStart, this.keyEnd, this.at)
      this.expects = 'rest'
      this.depth = 0
    }
  }

  private skipKey(text: string, stop: number): void {
    if (!this.skipString(text, stop)) return
    this.keyEnd = this.at
    this.expects = 'colon'
  }

  /** Moves behind the string that `at` is in; false if `stop` comes first. */
  private skipString(text: string, stop: number): boolean {
    while (this.at < stop) {
      const end = text.indexOf('"', this.at)
      if (end < 0) {
        this.at = text.length
        return false
      }
      let slashes = 0
      while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
      this.at = end + 1
      if (slashes % 2 === 0) {
        this.inString = false
        return true
      }
    }
    return false
  }

  /** Moves behind the value that `at` is in; false if `stop` comes first. */
  private skipValue(text: string, stop: number): boolean {
    while (this.at < stop) {
      if (this.inString) {
        if (!this.skipString(text, stop)) return false
        if (this.depth === 0) return true
        continue
      }
      const code = text.charCodeAt(this.at)
      const isClosing = code === closeBrace || code === closeBracket
      if (this.depth === 0 && (isClosing || code === comma || code <= 32)) return true
      if (this.depth === 1 && code > 32 && !isClosing) this.countMember(code)
      this.at++
      if (code === quote) this.inString = true
      else if (code === openBrace || code === openBracket) this.depth++
      else if (isClosing && --this.depth === 0) return true
    }
    return false
  }

  private countMember(code: number): void {
    const { count, length } = this.entries
    const known = count.at(length - 1)
    if (code === comma || known === 0) count.set(length - 1, known + 1)
  }

  private endValue(): void {
    this.entries.end.set(this.entries.length - 1, this.at)
    this.expects = 'comma'
  }
}

/**
 * The text of the value at `path` in JSON text, to the letter; undefined if there is none. Of two
 * members with one name, the last counts, as everywhere.
 */
export function memberText(text: string, path: readonly string[]): string | undefined {
  const place = memberPlace(text, path)
  return place && text.slice(place.start, place.end)
}

/** Where the value at `path` stands in JSON text; undefined if there is none. */
export function memberPlace(
  text: string,
  path: readonly string[],
): { readonly start: number; readonly end: number } | undefined {
  let [offset, value] = [0, text]
  for (const key of path) {
    const start = skipSpace(value, 0)
    if (typeAt(value, start) !== 'object') return undefined
    const scan = new ContainerScan(value, start)
    while (scan.run(value, value.length));
    const { entries } = scan
    let at = entries.length - 1
    while (at >= 0 && JSON.parse(value.slice(entries.key.at(at), entries.keyEnd.at(at))) !== key) at--
    if (at < 0) return undefined
    offset += entries.start.at(at)
    value = value.slice(entries.start.at(at), entries.end.at(at)).trimEnd()
  }
  return { start: offset, end: offset + value.length }
}
