import { byteAt, wordAt } from '../../lib/bytes.ts'
import { itemAt } from '../../lib/present.ts'
import { containsBytes } from '../../runtime/platform/files/bytes.ts'

/** Grams are runs of four bytes of UTF-8, with ASCII letters in lower case, hashed to a bucket. */
const gramBytes = 4
const bucketBits = 18
export const buckets = 2 ** bucketBits

/** ASCII letters in lower case. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte))

/** Sets the bits of all grams of a text in a bitmap of `buckets` bits. */
function addGrams(bits: Uint32Array, text: Uint8Array): void {
  let gram = 0
  const head = Math.min(gramBytes - 1, text.length)
  for (let i = 0; i < head; i++) gram = (gram << 8) | byteAt(folded, byteAt(text, i))
  for (let i = head; i < text.length; i++) {
    gram = (gram << 8) | byteAt(folded, byteAt(text, i))
    const bucket = bucketOf(gram)
    bits[bucket >>> 5] = wordAt(bits, bucket >>> 5) | (1 << (bucket & 31))
  }
}

/**
 * The buckets of the grams of a text that is searched for; none if it is too short. Only ASCII
 * letters have one other case, so without regard to case only grams of ASCII count.
 */
export function bucketsOf(text: string, ignoreCase: boolean): number[] {
  const bytes = new TextEncoder().encode(text)
  const found = new Set<number>()
  for (let from = 0; from + gramBytes <= bytes.length; from++) {
    const run = bytes.subarray(from, from + gramBytes)
    if (ignoreCase && run.some((byte) => byte >= 0x80)) continue
    found.add(bucketOf(run.reduce((gram, byte) => (gram << 8) | byteAt(folded, byte), 0)))
  }
  return [...found]
}

/** Multiplicative hashing (Knuth). */
const bucketOf = (gram: number): number => Math.imul(gram, 0x9e3779b1) >>> (32 - bucketBits)

/**
 * Characters outside ASCII whose lower case is, or begins with, an ASCII letter: the Kelvin sign
 * and the dotted capital I.
 */
const foldedIntoAscii: readonly Uint8Array[] = ['\u212a', '\u0130'].map((text) => new TextEncoder().encode(text))

/** A run of consecutive rows of a file, and the grams of their texts. */
interface Segment {
  rowEnd: number
  textBytes: number
  /** Holds a character outside ASCII that an ASCII letter may match if case is ignored. */
  hasFolded: boolean
  readonly bits: Uint32Array
}

/** The contents of a text filter file. */
export interface TextFilterContents {
  /** For each segment, the number of the row after its last. */
  readonly rowEnds: readonly number[]
  readonly hasFolded: readonly boolean[]
  /** For each bucket, a bit for each segment in `bucketBytes` bytes. */
  readonly table: Uint8Array
  readonly bucketBytes: number
}

/** How large segments are at first, and how many a filter has at most; beyond, they are merged. */
const segmentBytes = 4 * 1024 * 1024
const segmentRows = 4096
/** A segment of nearly the full size ends with a row group, which has up to that many bytes. */
const fullShare = 7 / 8
const segmentsMax = 512

/** Collects the grams of the texts of a file, in the order of its rows. */
export class TextFilterBuilder {
  private segments: Segment[] = []
  private current: Segment = emptySegment()
  private rows = 0
  /** Doubles whenever segments are merged. */
  private scale = 1

  /**
   * Adds the texts of the next `rows` rows.
   *
   * @param mayEndGroup whether they may be the last ones of a row group
   */
  add(texts: Uint8Array, rows: number, mayEndGroup: boolean): void {
    const { current } = this
    addGrams(current.bits, texts)
    current.hasFolded ||= foldedIntoAscii.some((character) => containsBytes(texts, character))
    current.textBytes += texts.length
    this.rows += rows
    current.rowEnd = this.rows
    const rowsBefore = this.segments.at(-1)?.rowEnd ?? 0
    const bytesMin = segmentBytes * this.scale * (mayEndGroup ? fullShare : 1)
    if (current.textBytes < bytesMin && this.rows - rowsBefore < segmentRows * this.scale) return
    this.segments.push(current)
    this.current = emptySegment()
    if (this.segments.length === segmentsMax) this.mergePairs()
  }

  finish(): TextFilterContents {
    const segments = this.current.textBytes === 0 ? this.segments : [...this.segments, this.current]
    let bucketBytes = 1
    while (bucketBytes * 8 < segments.length) bucketBytes *= 2
    const table = new Uint8Array(buckets * bucketBytes)
    for (const [number, { bits }] of segments.entries()) {
      const [byte, bit] = [number >>> 3, 1 << (number & 7)]
      for (let at = 0; at < bits.length; at++) {
        for (let word = wordAt(bits, at); word !== 0; word &= word - 1) {
          const bucket = at * 32 + (31 - Math.clz32(word & -word))
          table[bucket * bucketBytes + byte] = byteAt(table, bucket * bucketBytes + byte) | bit
        }
      }
    }
    return {
      rowEnds: segments.map(({ rowEnd }) => rowEnd),
      hasFolded: segments.map(({ hasFolded }) => hasFolded),
      table,
      bucketBytes,
    }
  }

  private mergePairs(): void {
    const merged: Segment[] = []
    for (let at = 0; at < this.segments.length; at += 2) {
      const [first, second] = [itemAt(this.segments, at), itemAt(this.segments, at + 1)]
      for (let word = 0; word < first.bits.length; word++)
        first.bits[word] = wordAt(first.bits, word) | wordAt(second.bits, word)
      first.rowEnd = second.rowEnd
      first.textBytes += second.textBytes
      first.hasFolded ||= second.hasFolded
      merged.push(first)
    }
    this.segments = merged
    this.scale *= 2
  }
}

const emptySegment = (): Segment => ({
  rowEnd: 0,
  textBytes: 0,
  hasFolded: false,
  bits: new Uint32Array(buckets / 32),
})
