import { MiB } from '../../lib/bytes.ts'
import { toolLimits } from '../../lib/limits/tools.ts'

/** A value of a JSON document with the member of the outermost object that it belongs to. */
export interface JsonElement {
  readonly member: string | undefined
  readonly text: string
}

/**
 * The values of a large JSON document, without reading it whole: the elements of an outermost
 * array; or the members of an outermost object, where each element of an array is a value of its
 * own.
 *
 * @throws Error if a value is too long, or if the document ends early
 */
export async function* readJsonElements(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<JsonElement> {
  const scanner = new ElementScanner()
  for await (const piece of pieces) yield* scanner.take(piece)
  scanner.end()
}

const code = (char: string): number => char.charCodeAt(0)
const quote = code('"')
const backslash = code('\\')
const opening = new Set([code('{'), code('[')])
const closing = new Set([code('}'), code(']')])
const space = new Set([9, 10, 13, 32])

/** Follows strings and brackets; what is between them is left to the JSON parser. */
class ElementScanner {
  private readonly decoder = new TextDecoder()
  private kept = new Uint8Array(64 * 1024)
  private keptBytes = 0
  private depth = 0
  private isInString = false
  private isEscaped = false
  private isRootObject = false
  private isMemberArray = false
  private member: string | undefined
  private isAfterColon = false
  private hasEnded = false

  end(): void {
    if (!this.hasEnded) throw new Error('the JSON document ends early; the file is incomplete')
  }

  *take(piece: Uint8Array): Generator<JsonElement> {
    for (const byte of piece) {
      const element = this.step(byte)
      if (element !== undefined) yield element
    }
  }

  /** Depth at which a value of its own begins. */
  private get valueDepth(): number {
    return this.isMemberArray ? 2 : 1
  }

  private step(byte: number): JsonElement | undefined {
    if (this.isInString) {
      this.keep(byte)
      if (this.isEscaped) this.isEscaped = false
      else if (byte === backslash) this.isEscaped = true
      else if (byte === quote) this.isInString = false
      return undefined
    }
    if (byte === quote) {
      this.isInString = true
      return this.keep(byte)
    }
    if (this.depth === 0) return this.openRoot(byte)
    const isAtValue = this.depth === this.valueDepth
    if (opening.has(byte)) {
      if (isAtValue && this.depth === 1 && this.isRootObject && byte === code('[')) {
        this.isMemberArray = true
        this.depth++
        return undefined
      }
      this.depth++
      return this.keep(byte)
    }
    if (closing.has(byte)) return this.close(byte)
    if (isAtValue && byte === code(',')) return this.finish()
    if (this.isRootObject && this.depth === 1 && byte === code(':') && !this.isAfterColon) {
      this.member = String(JSON.parse(this.text()))
      this.isAfterColon = true
      return undefined
    }
    if (this.depth > this.valueDepth || !space.has(byte)) this.keep(byte)
    return undefined
  }

  private openRoot(byte: number): undefined {
    if (opening.has(byte)) {
      this.isRootObject = byte === code('{')
      this.depth = 1
      this.hasEnded = false
    } else if (!space.has(byte) && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) {
      throw new Error('the file is not JSON')
    }
  }

  private close(byte: number): JsonElement | undefined {
    const isEndOfValues = this.depth === this.valueDepth
    this.depth--
    if (!isEndOfValues) return this.keep(byte)
    const last = this.finish()
    if (this.isMemberArray) this.isMemberArray = false
    else this.hasEnded = true
    return last
  }

  /** The value that ends here, if there is one. */
  private finish(): JsonElement | undefined {
    const element = this.keptBytes === 0 ? undefined : { member: this.member, text: this.text() }
    if (!this.isMemberArray) this.isAfterColon = false
    return element
  }

  private keep(byte: number): undefined {
    if (this.keptBytes >= toolLimits.importLineBytesMax) {
      throw new Error(`a value exceeds the limit of ${toolLimits.importLineBytesMax / MiB} MiB`)
    }
    if (this.keptBytes === this.kept.byteLength) {
      const larger = new Uint8Array(this.kept.byteLength * 2)
      larger.set(this.kept)
      this.kept = larger
    }
    this.kept[this.keptBytes++] = byte
  }

  private text(): string {
    const text = this.decoder.decode(this.kept.subarray(0, this.keptBytes))
    this.keptBytes = 0
    return text
  }
}
