import type { Cell } from '../../kernel/table.ts'
import { decompressZstd } from '../../platform/zstd.ts'
import { physicalType } from './footer.ts'
import { encoding, type PageHeader, pageType, readPageHeader } from './page-header.ts'
import { decodeRunLengths } from './run-lengths.ts'

/** The file has something that is not read here. DuckDB may well read it. */
export class UnknownParquet extends Error {}

/** The first values of a column in a row group, in the order of rows. */
export class ColumnValues {
  /** How many rows there are. */
  readonly rows: number
  private readonly type: number
  /** Where the value of each row begins in `bytes`; -1 for null. */
  private readonly starts: Int32Array
  private readonly bytes: Buffer

  constructor(type: number, starts: Int32Array, bytes: Uint8Array) {
    this.type = type
    this.starts = starts
    this.rows = starts.length
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  isNull(row: number): boolean {
    return this.starts[row]! < 0
  }

  /** Bytes of the text of a row; 0 for null, and for numbers. */
  textBytes(row: number): number {
    const start = this.starts[row]!
    return start < 0 || this.type !== physicalType.bytes ? 0 : this.bytes.readUInt32LE(start)
  }

  /** @throws UnknownParquet for a text that is not UTF-8 */
  cell(row: number): Cell {
    const start = this.starts[row]!
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
  hasText(row: number, text: Uint8Array): boolean {
    const { bytes } = this
    const start = this.starts[row]!
    if (start < 0 || bytes.readUInt32LE(start) !== text.byteLength) return false
    // Ids differ at their ends.
    for (let at = text.byteLength - 1; at >= 0; at--) if (bytes[start + 4 + at] !== text[at]) return false
    return true
  }
}

/**
 * Decodes the values of a column chunk.
 *
 * @param bytes the chunk, or its beginning: then there may be fewer rows
 * @param rows rows of the row group
 * @param wanted how many of them are wanted: the others need not be decoded
 * @param contentBytes how many bytes of values there will be, roughly
 * @throws UnknownParquet, RangeError, or the error of the decompression if something is malformed
 */
export async function decodeValues(
  bytes: Uint8Array,
  { type, rows, wanted, contentBytes }: { type: number; rows: number; wanted: number; contentBytes: number },
): Promise<ColumnValues> {
  let page = readPageHeader(bytes, 0)
  let dictionary: Uint8Array | undefined
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
  const view = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const levelBytes = view.readUInt32LE(0)
  const levels = decodeRunLengths(view.subarray(4, 4 + levelBytes), 0, 1, wanted)
  const valuesAt = 4 + levelBytes
  if (page.encoding === encoding.plain) {
    return new ColumnValues(type, plainStarts(view, valuesAt, { type, levels }), view)
  }
  if (dictionary === undefined || (page.encoding !== encoding.plainDictionary && page.encoding !== encoding.dictionary))
    throw new UnknownParquet(`a page has the encoding ${page.encoding}`)
  return new ColumnValues(type, dictionaryStarts({ view, valuesAt, levels }, { type, dictionary, entries }), dictionary)
}

async function contentOf(bytes: Uint8Array, page: PageHeader, wantedBytes: number): Promise<Uint8Array> {
  return await decompressZstd(bytes.subarray(page.at, page.at + page.compressedBytes), wantedBytes)
}

/** Where plain values begin, of as many rows as have their value before the bytes end. */
function plainStarts(view: Buffer, from: number, { type, levels }: { type: number; levels: Uint32Array }): Int32Array {
  const isText = type === physicalType.bytes
  const headBytes = isText ? 4 : 8
  const starts = new Int32Array(levels.length)
  let at = from
  for (let row = 0; row < levels.length; row++) {
    if (levels[row] === 0) {
      starts[row] = -1
      continue
    }
    let next = at + headBytes
    // A text follows its length, read without the checks of `readUInt32LE`.
    if (isText && next <= view.length)
      next += (view[at]! | (view[at + 1]! << 8) | (view[at + 2]! << 16)) + view[at + 3]! * 2 ** 24
    if (next > view.length) return starts.subarray(0, row)
    starts[row] = at
    at = next
  }
  return starts
}

function dictionaryStarts(
  { view, valuesAt, levels }: { view: Buffer; valuesAt: number; levels: Uint32Array },
  { type, dictionary, entries }: { type: number; dictionary: Uint8Array; entries: number },
): Int32Array {
  if (entries * (type === physicalType.bytes ? 4 : 8) > dictionary.byteLength)
    throw new RangeError('a dictionary is cut off')
  const all = new Uint32Array(entries).fill(1)
  const words = Buffer.from(dictionary.buffer, dictionary.byteOffset, dictionary.byteLength)
  const places = plainStarts(words, 0, { type, levels: all })
  const present = levels.reduce((sum, level) => sum + level, 0)
  const bitWidth = view[valuesAt] ?? 0
  if (bitWidth > 32) throw new RangeError(`a dictionary index has ${bitWidth} bits`)
  const indexes = present === 0 ? levels : decodeRunLengths(view, valuesAt + 1, bitWidth, present)
  const starts = new Int32Array(levels.length)
  let value = 0
  for (let row = 0; row < levels.length; row++) {
    const place = levels[row] === 0 ? -1 : places[indexes[value++]!]
    if (place === undefined) throw new RangeError('a value is not in the dictionary')
    starts[row] = place
  }
  return starts
}
