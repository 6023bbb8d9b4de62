import { releaseBytes, wordAt } from '../../lib/bytes.ts'
import { itemAt, present } from '../../lib/present.ts'
import type { RowRanges } from '../../lib/relation.ts'
import type { ReadableFile } from '../../runtime/platform/files/random-access-file.ts'
import { type FileSize, readCost } from '../../runtime/platform/read-cost.ts'
import type { StoredFiles } from '../stored-files.ts'
import { type ColumnValues, decodeValues, UnknownParquet } from './decode-values.ts'
import { type Footer, parseFooter } from './footer.ts'

/** Some neighbouring rows of a row group, counted from its start. */
export interface GroupRows {
  readonly group: number
  readonly first: number
  readonly last: number
}

/** The rows of a file within ranges, by row group, in order. */
export function groupsWithin({ groupStarts, groups }: Footer, ranges: RowRanges): GroupRows[] {
  const found: GroupRows[] = []
  for (let group = 0; group < groups; group++) {
    const [start, end] = [wordAt(groupStarts, group), wordAt(groupStarts, group + 1)]
    for (const [first, last] of ranges)
      if (first < end && last >= start)
        found.push({ group, first: Math.max(first, start) - start, last: Math.min(last, end - 1) - start })
  }
  return found
}

/** The numbers of some neighbouring rows, both ends included. */
export const rowsBetween = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Keeps the footers of files that are read again. */
export interface FooterCache {
  get(path: string): Footer | undefined
  set(path: string, footer: Footer): void
}

/** The values of columns in the same rows, by name. Disposing of them frees their memory. */
export class GroupValues extends Map<string, ColumnValues> implements Disposable {
  override set(column: string, values: ColumnValues): this {
    this.get(column)?.[Symbol.dispose]()
    return super.set(column, values)
  }

  [Symbol.dispose](): void {
    for (const values of this.values()) values[Symbol.dispose]()
  }
}

/** Reserves memory for the bytes of a read while `work` runs. */
export type BytesTaken = <T>(bytes: number, work: () => Promise<T>) => Promise<T>

/** Bytes to read of a column chunk. */
interface Wanted {
  readonly column: string
  readonly at: number
  readonly bytes: number
  readonly contentBytes: number
  readonly isWhole: boolean
}

const tailBytes = 8
const magic = 0x31524150
/** Neighbouring bytes are read together, including this many between them. */
const gapMax = 32 * 1024
/** The same in a file that has to be fetched, where a request costs more; the largest request. */
const fetchedGapMax = 1024 * 1024
const fetchedMax = 8 * 1024 * 1024
/** How much of its end is fetched first: enough for most footers. */
const fetchedEndBytes = 256 * 1024
/** Only the beginning of larger chunks is read if it has the wanted rows. */
const wholeMax = 64 * 1024
/** zstd decompresses blocks of 128 KiB: the one in which a row ends is needed as a whole. */
const blockBytes = 160 * 1024

/** A Parquet file opened to read some of its rows. Close it with `await using`. */
export class ParquetFile implements AsyncDisposable {
  readonly footer: Footer
  private readonly path: string
  private readonly file: ReadableFile
  private readonly takeBytes: BytesTaken

  private constructor(path: string, file: ReadableFile, footer: Footer, takeBytes: BytesTaken) {
    this.path = path
    this.file = file
    this.footer = footer
    this.takeBytes = takeBytes
  }

  /** @throws UnknownParquet, RangeError if the file is missing or its footer is malformed */
  static async open(
    path: string,
    footers: FooterCache,
    takeBytes: BytesTaken,
    files: StoredFiles,
  ): Promise<ParquetFile> {
    const file = await files.open(path)
    if (file === undefined) throw new UnknownParquet('the file is missing')
    try {
      const known = footers.get(path)
      const footer = known ?? (await readFooter(file, files.filters !== undefined))
      if (known === undefined) footers.set(path, footer)
      return new ParquetFile(path, file, footer, takeBytes)
    } catch (cause) {
      await file[Symbol.asyncDispose]()
      throw cause
    }
  }

  async size(): Promise<FileSize> {
    return { groups: this.footer.groups, bytes: await this.file.bytes() }
  }

  /** Fetches all of some columns of a row group with one request, if it has to be fetched. */
  async bring(columns: readonly string[], group: number): Promise<void> {
    if (this.file.bring === undefined) return
    await this.bringTogether(columns.map((column) => this.whole(column, group)))
  }

  /**
   * The values of columns in some rows of a row group.
   *
   * @param rows ascending, counted from the start of the row group
   * @throws UnknownParquet, RangeError or another error if something is malformed
   */
  async values(columns: readonly string[], group: number, rows: readonly number[]): Promise<GroupValues> {
    const found = new GroupValues()
    const lastRow = rows.at(-1)
    if (lastRow === undefined) return found
    const isShort = (column: string) => found.get(column)?.count !== rows.length
    const beginnings = columns.map((column) => this.wanted(column, group, lastRow))
    await this.read(beginnings, group, rows, found)
    const short = beginnings.filter(({ column, isWhole }) => !isWhole && isShort(column))
    const wholes = short.map(({ column }) => this.whole(column, group))
    if (wholes.length > 0) await this.read(wholes, group, rows, found)
    for (const column of columns) if (isShort(column)) throw new UnknownParquet(`the column ${column} has too few rows`)
    return found
  }

  private async read(
    wanted: readonly Wanted[],
    group: number,
    rows: readonly number[],
    into: GroupValues,
  ): Promise<void> {
    const bytes = wanted.reduce((sum, { bytes, contentBytes }) => sum + bytes + contentBytes, 0)
    readCost()?.addGroup(this.path, group)
    await this.takeBytes(bytes, async () => {
      await this.bringTogether(wanted)
      const pieces = await Promise.all(neighbours(wanted).map((some) => this.chunks(some)))
      // Large ones are decompressed in threads, meanwhile small ones in this one.
      const largestFirst = pieces
        .flatMap(({ chunks }) => chunks)
        .toSorted((a, b) => b.chunk.byteLength - a.chunk.byteLength)
      await Promise.all(
        largestFirst.map(async ({ one, chunk }) => {
          const values = await this.decode(one, group, rows, chunk)
          if (values !== undefined) into.set(one.column, values)
        }),
      )
      if (this.file.bring === undefined) for (const { read } of pieces) releaseBytes(read)
    })
  }

  private async bringTogether(wanted: readonly Wanted[]): Promise<void> {
    const { bring } = this.file
    if (bring === undefined) return
    await Promise.all(
      neighbours(wanted, { gapMax: fetchedGapMax, bytesMax: fetchedMax }).map(async (some) => {
        const { from, bytes } = spanOf(some)
        await bring(from, bytes)
      }),
    )
  }

  /** Reads neighbouring bytes at once. */
  private async chunks(some: readonly Wanted[]) {
    const { from, bytes } = spanOf(some)
    const read = await readBytes(this.file, from, bytes)
    const chunkOf = ({ at, bytes }: Wanted) => read.subarray(at - from, at - from + bytes)
    return { read, chunks: some.map((one) => ({ one, chunk: chunkOf(one) })) }
  }

  private async decode(
    { column, contentBytes, isWhole }: Wanted,
    group: number,
    wanted: readonly number[],
    bytes: Uint8Array,
  ): Promise<ColumnValues | undefined> {
    const { groupStarts } = this.footer
    const rows = wordAt(groupStarts, group + 1) - wordAt(groupStarts, group)
    const type = present(this.footer.typeOf(column), 'The type of a column')
    try {
      return await decodeValues(bytes, { type, rows, wanted, contentBytes })
    } catch (cause) {
      // The chunk may be cut in the middle of something.
      if (isWhole) throw cause
      return undefined
    }
  }

  private whole(column: string, group: number): Wanted {
    if (this.footer.typeOf(column) === undefined) throw new UnknownParquet(`the column ${column} is not known`)
    const { at, bytes, uncompressedBytes } = this.footer.chunk(column, group)
    return { column, at, bytes, contentBytes: uncompressedBytes, isWhole: true }
  }

  /** The part of a chunk that should hold the rows, if they are about equally wide. */
  private wanted(column: string, group: number, lastRow: number): Wanted {
    const whole = this.whole(column, group)
    const { groupStarts } = this.footer
    const share = (lastRow + 1) / (wordAt(groupStarts, group + 1) - wordAt(groupStarts, group))
    const contentBytes = Math.ceil(whole.contentBytes * share * 1.02) + blockBytes
    const bytes = Math.ceil((whole.bytes * contentBytes) / whole.contentBytes)
    if (whole.bytes <= wholeMax || bytes > whole.bytes * 0.9) return whole
    return { column, at: whole.at, bytes, contentBytes, isWhole: false }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.file[Symbol.asyncDispose]()
  }
}

/** Groups the wanted ranges that are close together in the file. */
function neighbours(wanted: readonly Wanted[], limits = { gapMax, bytesMax: Number.POSITIVE_INFINITY }): Wanted[][] {
  const groups: Wanted[][] = []
  let group: Wanted[] = []
  let [start, end] = [0, Number.NEGATIVE_INFINITY]
  for (const one of wanted.toSorted((a, b) => a.at - b.at)) {
    if (one.at <= end + limits.gapMax && one.at + one.bytes - start <= limits.bytesMax) group.push(one)
    else {
      group = [one]
      groups.push(group)
      start = one.at
    }
    end = Math.max(end, one.at + one.bytes)
  }
  return groups
}

function spanOf(some: readonly Wanted[]): { readonly from: number; readonly bytes: number } {
  const from = itemAt(some, 0).at
  const end = some.reduce((max, { at, bytes }) => Math.max(max, at + bytes), 0)
  return { from, bytes: end - from }
}

async function readFooter(file: ReadableFile, withTextBounds: boolean): Promise<Footer> {
  const size = await file.bytes()
  await file.bring?.(size - fetchedEndBytes, fetchedEndBytes)
  const tail = new DataView((await readBytes(file, Math.max(0, size - tailBytes), tailBytes)).buffer)
  if (tail.byteLength !== tailBytes || tail.getUint32(4, true) !== magic) throw new UnknownParquet('it has no footer')
  const length = tail.getUint32(0, true)
  const dataBytes = size - tailBytes - length
  if (dataBytes < 0) throw new RangeError('its footer is cut off')
  return parseFooter(await readBytes(file, dataBytes, length), dataBytes, { withTextBounds })
}

async function readBytes(file: ReadableFile, from: number, length: number): Promise<Uint8Array> {
  const bytes = await file.read(from, length)
  const cost = readCost()
  if (cost !== undefined) cost.bytesRead += bytes.byteLength
  return bytes
}
