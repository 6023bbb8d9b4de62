import { numberAt, wordAt } from '../../lib/bytes.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import { ThriftReader, thriftType } from './thrift-reader.ts'

/** Physical types of the columns that are read. */
export const physicalType = { int64: 2, double: 5, bytes: 6 } as const

const zstdCodec = 6
const optional = 1

/** Where the bytes of a column are in one row group. */
export interface ColumnChunk {
  readonly at: number
  readonly bytes: number
  readonly uncompressedBytes: number
}

/**
 * The part of a Parquet file's footer that reads of single rows need: numbers in typed arrays, a
 * small fraction of the footer.
 */
export class Footer {
  /** Number of the first row of each row group, and after them the number of rows in the file. */
  readonly groupStarts: Uint32Array
  private readonly columns: ReadonlyMap<string, ColumnChunks>

  constructor(groupStarts: Uint32Array, columns: ReadonlyMap<string, ColumnChunks>) {
    this.groupStarts = groupStarts
    this.columns = columns
  }

  get groups(): number {
    return this.groupStarts.length - 1
  }

  /** Memory held by this object, roughly. */
  get byteLength(): number {
    let texts = 0
    for (const { textBounds } of this.columns.values()) if (textBounds) texts += textBounds.length * bytesPerTextBounds
    return this.columns.size * (bytesPerColumn + this.groups * bytesPerChunk) + this.groupStarts.byteLength + texts
  }

  /** The physical type of a column; undefined if the file has none that can be read here. */
  typeOf(column: string): number | undefined {
    return this.columns.get(column)?.type
  }

  /** The smallest and the largest number in an integer column of a row group. */
  bounds(column: string, group: number): readonly [min: number, max: number] {
    const bounds = this.columns.get(column)?.bounds
    return bounds === undefined ? unbounded : [numberAt(bounds, group * 2), numberAt(bounds, group * 2 + 1)]
  }

  /** The numbers of the first and the last row of a row group. */
  rowsOf(group: number): readonly [first: number, last: number] {
    return [wordAt(this.groupStarts, group), wordAt(this.groupStarts, group + 1) - 1]
  }

  /**
   * The row groups that may have a row with these texts, by column; all of them if their bounds
   * were not read.
   */
  groupsWith(texts: ReadonlyMap<string, Uint8Array>): number[] {
    return Array.from({ length: this.groups }, (_, group) => group).filter((group) =>
      texts.entries().every(([column, text]) => {
        const bounds = this.columns.get(column)?.textBounds?.[group]
        return bounds === undefined || (Buffer.compare(bounds.min, text) <= 0 && Buffer.compare(bounds.max, text) >= 0)
      }),
    )
  }

  chunk(column: string, group: number): ColumnChunk {
    const { places, sizes } = valueAt(this.columns, column)
    return {
      at: numberAt(places, group),
      bytes: wordAt(sizes, group * 2),
      uncompressedBytes: wordAt(sizes, group * 2 + 1),
    }
  }
}

/** The chunks of a column, one for each row group. */
interface ColumnChunks {
  readonly type: number
  readonly places: Float64Array
  /** Compressed and uncompressed bytes. */
  readonly sizes: Uint32Array
  /** For integers: the smallest and the largest. */
  readonly bounds: Float64Array | undefined
  /** For short texts, if they were asked for. */
  readonly textBounds: readonly (TextBounds | undefined)[] | undefined
}

interface TextBounds {
  readonly min: Buffer
  readonly max: Buffer
}

/** Longer ones need not be exact. */
const textBoundBytesMax = 64

const unbounded = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const

const bytesPerColumn = 256
const bytesPerChunk = 20
const bytesPerTextBounds = 256

/**
 * Parses the metadata at the end of a Parquet file.
 *
 * @param dataBytes bytes of the file before the metadata
 * @param options `withTextBounds`: also for `groupsWith`
 * @throws RangeError if it is malformed
 */
export function parseFooter(bytes: Uint8Array, dataBytes: number, { withTextBounds = false } = {}): Footer {
  const reader = new ThriftReader(bytes)
  let schema: readonly SchemaElement[] = []
  const builder = new FooterBuilder(dataBytes, withTextBounds)
  reader.struct((field, type) => {
    if (field === 2) schema = readSchema(reader)
    else if (field === 4) {
      builder.begin(leavesOf(schema))
      reader.list(() => builder.addGroup(reader))
    } else reader.skip(type)
  })
  return builder.footer()
}

interface SchemaElement {
  type: number | undefined
  repetition: number | undefined
  name: string
  children: number
}

function readSchema(reader: ThriftReader): SchemaElement[] {
  const elements: SchemaElement[] = []
  reader.list(() => {
    const element: SchemaElement = { type: undefined, repetition: undefined, name: '', children: 0 }
    reader.struct((field, type) => {
      if (field === 1) element.type = reader.integer()
      else if (field === 3) element.repetition = reader.integer()
      else if (field === 4) element.name = reader.binary().toString()
      else if (field === 5) element.children = reader.integer()
      else reader.skip(type)
    })
    elements.push(element)
  })
  return elements
}

/**
 * For each column chunk of a row group, in order: the column, or undefined if it is nested or of
 * another kind than the ones that this store writes.
 */
function leavesOf(schema: readonly SchemaElement[]): (SchemaElement | undefined)[] {
  const leaves: (SchemaElement | undefined)[] = []
  const types: readonly (number | undefined)[] = Object.values(physicalType)
  let nested = 0
  for (const element of schema.slice(1)) {
    const isNested = nested > 0
    nested += element.children - (isNested ? 1 : 0)
    if (element.children > 0) continue
    const isReadable = !isNested && element.repetition === optional && types.includes(element.type)
    leaves.push(isReadable ? element : undefined)
  }
  return leaves
}

class FooterBuilder {
  private leaves: readonly (SchemaElement | undefined)[] = []
  private readonly starts: number[] = [0]
  /** For each leaf: place, bytes and uncompressed bytes of each of its chunks. */
  private numbers: number[][] = []
  private bounds: number[][] = []
  private textBounds: (TextBounds | undefined)[][] = []
  private readonly unreadable = new Set<number>()
  private readonly dataBytes: number
  private readonly withTextBounds: boolean

  constructor(dataBytes: number, withTextBounds: boolean) {
    this.dataBytes = dataBytes
    this.withTextBounds = withTextBounds
  }

  begin(leaves: readonly (SchemaElement | undefined)[]): void {
    this.leaves = leaves
    this.numbers = leaves.map(() => [])
    this.bounds = leaves.map(() => [])
    this.textBounds = leaves.map(() => [])
  }

  addGroup(reader: ThriftReader): void {
    reader.struct((field, type) => {
      if (field === 1) reader.list((_, leaf) => this.addChunk(reader, leaf))
      else if (field === 3) this.starts.push((this.starts.at(-1) ?? 0) + reader.integer())
      else reader.skip(type)
    })
  }

  private addChunk(reader: ThriftReader, leaf: number): void {
    reader.struct((field, type) => {
      if (field === 3 && type === thriftType.struct) this.addMetadata(reader, leaf)
      else reader.skip(type)
    })
  }

  private addMetadata(reader: ThriftReader, leaf: number): void {
    let bounds: readonly [number, number] = unbounded
    let texts: TextBounds | undefined
    const isInteger = this.leaves[leaf]?.type === physicalType.int64
    const isText = this.withTextBounds && this.leaves[leaf]?.type === physicalType.bytes
    let [codec, bytes, uncompressed, dataAt, dictionaryAt] = [-1, 0, 0, 0, 0]
    reader.struct((field, type) => {
      if (field === 4) codec = reader.integer()
      else if (field === 6) uncompressed = reader.integer()
      else if (field === 7) bytes = reader.integer()
      else if (field === 9) dataAt = reader.integer()
      else if (field === 11) dictionaryAt = reader.integer()
      else if (field === 12 && isInteger) bounds = integerBounds(reader)
      else if (field === 12 && isText) texts = textBounds(reader)
      else reader.skip(type)
    })
    const at = dictionaryAt > 0 ? Math.min(dictionaryAt, dataAt) : dataAt
    const isInFile = at >= 0 && bytes >= 0 && at + bytes <= this.dataBytes
    if (codec !== zstdCodec || !isInFile) this.unreadable.add(leaf)
    this.numbers[leaf]?.push(at, bytes, uncompressed)
    if (isInteger) this.bounds[leaf]?.push(...bounds)
    if (isText) this.textBounds[leaf]?.push(texts)
  }

  footer(): Footer {
    const columns = this.leaves.flatMap((leaf, index): [string, ColumnChunks][] => {
      const numbers = itemAt(this.numbers, index)
      const groups = this.starts.length - 1
      if (leaf?.type === undefined || this.unreadable.has(index) || numbers.length !== groups * 3) return []
      const places = new Float64Array(groups)
      const sizes = new Uint32Array(groups * 2)
      const bounds = leaf.type === physicalType.int64 ? Float64Array.from(itemAt(this.bounds, index)) : undefined
      for (let group = 0; group < groups; group++) {
        places[group] = numberAt(numbers, group * 3)
        sizes[group * 2] = numberAt(numbers, group * 3 + 1)
        sizes[group * 2 + 1] = numberAt(numbers, group * 3 + 2)
      }
      const texts = itemAt(this.textBounds, index)
      const textBounds = texts.some((one) => one !== undefined) ? texts : undefined
      return [[leaf.name, { type: leaf.type, places, sizes, bounds, textBounds }]]
    })
    return new Footer(Uint32Array.from(this.starts), new Map(columns))
  }
}

/** The bounds in the statistics of a chunk of integers. */
function integerBounds(reader: ThriftReader): readonly [min: number, max: number] {
  const { min, max } = boundsIn(reader)
  const numberIn = (bytes: Buffer | undefined, otherwise: number) =>
    bytes?.length === 8 ? Number(bytes.readBigInt64LE(0)) : otherwise
  return [numberIn(min, unbounded[0]), numberIn(max, unbounded[1])]
}

/** The same of texts; undefined if they are long, or not there. */
function textBounds(reader: ThriftReader): TextBounds | undefined {
  const { min, max } = boundsIn(reader)
  if (min === undefined || max === undefined || Math.max(min.length, max.length) > textBoundBytesMax) return undefined
  // Copied: otherwise they would keep the whole footer in memory.
  return { min: Buffer.from(min), max: Buffer.from(max) }
}

function boundsIn(reader: ThriftReader): Partial<TextBounds> {
  let min: Buffer | undefined
  let max: Buffer | undefined
  reader.struct((field, type) => {
    if ((field !== 5 && field !== 6) || type !== thriftType.binary) reader.skip(type)
    else if (field === 5) max = reader.binary()
    else min = reader.binary()
  })
  return { ...(min && { min }), ...(max && { max }) }
}
