import { numberAt, wordAt } from '../../lib/bytes.ts'
import type { Cell } from '../../lib/table.ts'
import { decompressZstd, releaseContent } from '../../runtime/platform/files/zstd.ts'
import { physicalType } from './footer.ts'
import { placesOfValues, runLengthsAt } from './run-lengths.ts'
import { ThriftReader, thriftType } from './thrift-reader.ts'

/** The file has something that is not read here. DuckDB may well read it. */
export class UnknownParquet extends Error {}

/**
 * The values of a column in some rows of a row group, in the order of these rows. Disposing of them
 * frees their memory.
 */
export class ColumnValues implements Disposable {
  /** How many rows there are. */
  readonly count: number
  private readonly type: number
  /** Where the value of each row begins in `bytes`; -1 for null. */
  private readonly starts: Int32Array
  private readonly bytes: Buffer

  constructor(type: number, starts: Int32Array, bytes: Buffer) {
    this.type = type
    this.starts = starts
    this.count = starts.length
    this.bytes = bytes
  }

  isNull(index: number): boolean {
    return numberAt(this.starts, index) < 0
  }

  /** Bytes of the text of a row; 0 for null, and for numbers. */
  textBytes(index: number): number {
    const start = numberAt(this.starts, index)
    return start < 0 || this.type !== physicalType.bytes ? 0 : this.bytes.readUInt32LE(start)
  }

  /** @throws UnknownParquet for a text that is not UTF-8 */
  cell(index: number): Cell {
    const start = numberAt(this.starts, index)
    if (start < 0) return null
    if (this.type === physicalType.int64) return Number(this.bytes.readBigInt64LE(start))
    if (this.type === physicalType.double) return this.bytes.readDoubleLE(start)
    const end = start + 4 + this.bytes.readUInt32LE(start)
    const text = this.bytes.toString('utf8', start + 4, end)
    if (text.includes('\uFFFD') && !Buffer.from(text).equals(this.bytes.subarray(start + 4, end)))
      throw new UnknownParquet('a text is not UTF-8')
    return text
  }

  /** Whether the text of a row is this one, in UTF-8. */
  hasText(index: number, text: Uint8Array): boolean {
    const { bytes } = this
    const start = numberAt(this.starts, index)
    if (start < 0 || bytes.readUInt32LE(start) !== text.byteLength) return false
    // Ids differ at their ends.
    for (let at = text.byteLength - 1; at >= 0; at--) if (bytes[start + 4 + at] !== text[at]) return false
    return true
  }

  [Symbol.dispose](): void {
    releaseContent(this.bytes)
  }
}

/** Encodings of values; the first name of the last one is from an earlier version of the format. */
const encoding = { plain: 0, plainDictionary: 2, runs: 3, dictionary: 8 } as const

const pageType = { data: 0, dictionary: 2 } as const

/** A page within a column chunk. */
interface PageHeader {
  readonly type: number
  readonly uncompressedBytes: number
  readonly compressedBytes: number
  readonly values: number
  readonly encoding: number
  readonly levelEncoding: number
  /** Where the bytes of the page begin. */
  readonly at: number
}

/** Reads the header of the page at `at`. @throws RangeError if it is malformed */
function readPageHeader(bytes: Uint8Array, at: number): PageHeader {
  const reader = new ThriftReader(bytes, at)
  const header = { type: -1, uncompressedBytes: 0, compressedBytes: 0, values: 0, encoding: -1, levelEncoding: -1 }
  reader.struct((field, type) => {
    if (field === 1) header.type = reader.integer()
    else if (field === 2) header.uncompressedBytes = reader.integer()
    else if (field === 3) header.compressedBytes = reader.integer()
    else if ((field === 5 || field === 7) && type === thriftType.struct) {
      reader.struct((inner, innerType) => {
        if (inner === 1) header.values = reader.integer()
        else if (inner === 2) header.encoding = reader.integer()
        else if (inner === 3 && field === 5) header.levelEncoding = reader.integer()
        else reader.skip(innerType)
      })
    } else reader.skip(type)
  })
  return { ...header, at: reader.at }
}

/**
 * Decodes values of a column chunk. Only those of the wanted rows are looked at, and what has to be
 * passed on the way to them.
 *
 * @param bytes the chunk, or its beginning: then there may be fewer values
 * @param rows how many rows the row group has
 * @param wanted some of them, ascending
 * @param contentBytes how many bytes of values there will be, roughly
 * @throws UnknownParquet, RangeError, or the error of the decompression if something is malformed
 */
export async function decodeValues(
  bytes: Uint8Array,
  options: { type: number; rows: number; wanted: readonly number[]; contentBytes: number },
): Promise<ColumnValues> {
  const { type, rows, wanted, contentBytes } = options
  let page = readPageHeader(bytes, 0)
  let dictionary: Buffer | undefined
  let entries = 0
  if (page.type === pageType.dictionary) {
    if (page.encoding !== encoding.plain && page.encoding !== encoding.plainDictionary)
      throw new UnknownParquet(`a dictionary has the encoding ${page.encoding}`)
    dictionary = await contentOf(bytes, page, page.uncompressedBytes)
    entries = page.values
    page = readPageHeader(bytes, page.at + page.compressedBytes)
  }
  if (page.type !== pageType.data || page.values !== rows || page.levelEncoding !== encoding.runs)
    throw new UnknownParquet(`a page has the type ${page.type} and ${page.values} values`)
  const content = await contentOf(bytes, page, Math.min(page.uncompressedBytes, contentBytes))
  const levelBytes = content.readUInt32LE(0)
  const places = placesOfValues(content.subarray(4, 4 + levelBytes), wanted)
  const source = { content, from: 4 + levelBytes, places }
  if (page.encoding === encoding.plain) return new ColumnValues(type, plainStarts(type, source), content)
  if (dictionary === undefined || (page.encoding !== encoding.plainDictionary && page.encoding !== encoding.dictionary))
    throw new UnknownParquet(`a page has the encoding ${page.encoding}`)
  const starts = dictionaryStarts(source, { type, dictionary, entries })
  releaseContent(content)
  return new ColumnValues(type, starts, dictionary)
}

/** Where the values of a page begin, and for each wanted row, how many precede its own, or -1. */
interface PageValues {
  readonly content: Buffer
  readonly from: number
  readonly places: readonly number[]
}

async function contentOf(bytes: Uint8Array, page: PageHeader, wantedBytes: number): Promise<Buffer> {
  const content = await decompressZstd(bytes.subarray(page.at, page.at + page.compressedBytes), wantedBytes)
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
}

/** Where plain values begin, of as many wanted rows as have theirs before the bytes end. */
const plainStarts = (type: number, source: PageValues): Int32Array =>
  type === physicalType.bytes ? textStarts(source) : numberStarts(source)

/** A text follows its length, so all of them up to the last wanted one are passed. */
function textStarts({ content, from, places }: PageValues): Int32Array {
  const starts = new Int32Array(places.length)
  const end = content.byteLength
  let at = from
  let passed = 0
  for (let index = 0; index < places.length; index++) {
    const place = numberAt(places, index)
    if (place < 0) {
      starts[index] = -1
      continue
    }
    // Calls of a `DataView` would take longer than the rest of this loop.
    for (; ; passed++) {
      const textAt = at + 4
      if (textAt > end) return starts.subarray(0, index)
      const length = content.readInt32LE(at)
      // Also negative if it is larger than any text.
      if (passed === place) {
        if (length < 0 || length > end - textAt) return starts.subarray(0, index)
        starts[index] = at
        break
      }
      if (length < 0) return starts.subarray(0, index)
      at = textAt + length
    }
  }
  return starts
}

function numberStarts({ content, from, places }: PageValues): Int32Array {
  const starts = new Int32Array(places.length)
  for (let index = 0; index < places.length; index++) {
    const place = numberAt(places, index)
    const at = from + place * 8
    if (place >= 0 && at + 8 > content.byteLength) return starts.subarray(0, index)
    starts[index] = place < 0 ? -1 : at
  }
  return starts
}

function dictionaryStarts(
  { content, from, places }: PageValues,
  { type, dictionary, entries }: { type: number; dictionary: Buffer; entries: number },
): Int32Array {
  if (entries * (type === physicalType.bytes ? 4 : 8) > dictionary.byteLength)
    throw new RangeError('a dictionary is cut off')
  const bitWidth = content[from] ?? 0
  if (bitWidth > 32) throw new RangeError(`a dictionary index has ${bitWidth} bits`)
  const present = places.includes(-1) ? places.filter((place) => place >= 0) : places
  const indexes = runLengthsAt(content, from + 1, bitWidth, present)
  const last = indexes.reduce((max, index) => Math.max(max, index), -1)
  if (last >= entries) throw new RangeError('a value is not in the dictionary')
  const firstEntries = Array.from({ length: last + 1 }, (_, entry) => entry)
  const entryStarts = plainStarts(type, { content: dictionary, from: 0, places: firstEntries })
  let value = 0
  return Int32Array.from(places, (place) => {
    const start = place < 0 ? -1 : entryStarts[wordAt(indexes, value++)]
    if (start === undefined) throw new RangeError('a dictionary is cut off')
    return start
  })
}
