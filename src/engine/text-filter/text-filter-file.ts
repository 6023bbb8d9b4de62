import { plainBytes, wordAt, wordsOf } from '../../lib/bytes.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import type { ReadableFile } from '../../runtime/platform/files/random-access-file.ts'
import type { SectionPlace } from '../index-file/index-file.ts'
import { buckets, type TextFilterContents } from './text-filter-builder.ts'

const magic = 0x31544c54
const headerWords = 4
const pageBytes = 4096

/**
 * Which rows of one data file may contain a text, a section of its index. A lookup reads one page
 * of 4 KiB per gram. The rows and a checksum per page are in memory, about 1 KiB per file. The
 * format is in docs/data-on-disk.md.
 */
export class TextFilterFile {
  readonly rowEnds: Uint32Array
  private readonly place: SectionPlace
  private readonly flags: Uint32Array
  private readonly checksums: Uint32Array
  private readonly bucketBytes: number
  private readonly tableAt: number

  private constructor(place: SectionPlace, words: Uint32Array) {
    this.place = place
    const [segments, bucketBytes] = [wordAt(words, 1), wordAt(words, 2)]
    this.bucketBytes = bucketBytes
    this.rowEnds = words.slice(headerWords, headerWords + segments)
    this.flags = words.slice(headerWords + segments, headerWords + 2 * segments)
    this.checksums = words.slice(headerWords + 2 * segments)
    this.tableAt = place.at + words.byteLength
  }

  /** @returns undefined if the file is missing or the header or length of the section is damaged */
  static async find(place: SectionPlace): Promise<TextFilterFile | undefined> {
    await using file = await place.open()
    if (file === undefined) return undefined
    const [stated, segments = 0, bucketBytes = 0] = wordsOf(await file.read(place.at, headerWords * 4))
    if (stated !== magic || segments > bucketBytes * 8 || bucketBytes > 1024) return undefined
    const length = (headerWords + 2 * segments + pagesOf(bucketBytes)) * 4
    if (place.bytes !== length + buckets * bucketBytes) return undefined
    const words = wordsOf(await file.read(place.at, length))
    if (words.byteLength !== length || words[3] !== headerChecksum(words)) return undefined
    return new TextFilterFile(place, words)
  }

  get segments(): number {
    return this.rowEnds.length
  }

  /** Whether a segment holds characters that an ASCII letter may match if case is ignored. */
  hasFolded(segment: number): boolean {
    return this.flags[segment] !== 0
  }

  /**
   * The bits of each bucket, one per segment.
   *
   * @returns undefined if the file is gone or damaged
   */
  async bitsOf(wanted: readonly number[]): Promise<Map<number, Uint8Array> | undefined> {
    await using file = await this.place.open()
    if (file === undefined) return undefined
    const found = new Map<number, Uint8Array>()
    const pages = new Map<number, Uint8Array>()
    for (const bucket of wanted) {
      const at = bucket * this.bucketBytes
      const number = Math.floor(at / pageBytes)
      const page = pages.get(number) ?? (await this.page(file, number))
      if (page === undefined) return undefined
      pages.set(number, page)
      found.set(bucket, page.subarray(at % pageBytes, (at % pageBytes) + this.bucketBytes))
    }
    return found
  }

  private async page(file: ReadableFile, number: number): Promise<Uint8Array | undefined> {
    const bytes = await file.read(this.tableAt + number * pageBytes, pageBytes)
    return bytes.byteLength === pageBytes && checksum(bytes) === this.checksums[number] ? bytes : undefined
  }
}

const pagesOf = (bucketBytes: number): number => (buckets * bucketBytes) / pageBytes

/** Covers all words but the checksum itself, which comes fourth. */
const headerChecksum = (words: Uint32Array): number =>
  checksum(plainBytes(words.subarray(headerWords)), checksum(plainBytes(words.subarray(0, headerWords - 1))))

/** The bytes of a section with these contents. */
export function bytesOfTextFilter({ rowEnds, hasFolded, table, bucketBytes }: TextFilterContents): Uint8Array {
  const segments = rowEnds.length
  const words = new Uint32Array(headerWords + 2 * segments + pagesOf(bucketBytes))
  words.set([magic, segments, bucketBytes])
  words.set(rowEnds, headerWords)
  words.set(hasFolded.map(Number), headerWords + segments)
  for (let page = 0; page < pagesOf(bucketBytes); page++)
    words[headerWords + 2 * segments + page] = checksum(table.subarray(page * pageBytes, (page + 1) * pageBytes))
  words[headerWords - 1] = headerChecksum(words)
  const bytes = new Uint8Array(words.byteLength + table.byteLength)
  bytes.set(plainBytes(words))
  bytes.set(table, words.byteLength)
  return bytes
}
