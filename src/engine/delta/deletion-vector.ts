import { byteAt } from '../../lib/bytes.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import { readBytes } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { DeletionVector } from './actions.ts'

/**
 * Bitmaps of row numbers as used by deletion vectors: 32-bit Roaring bitmaps, each keyed by the
 * upper half of its values. Sources: Delta Transaction Log Protocol, "Deletion Vector Format"; the
 * Roaring format, https://github.com/RoaringBitmap/RoaringFormatSpec
 */
const arrayMagic = 1681511377
/** An older variant, used by the protocol's example, whose own numbers are big-endian. */
const earlyArrayMagic = 1681511376
const cookieWithoutRuns = 12346
const cookieWithRuns = 12347
/** From this many containers on, offsets are present even if some containers are runs. */
const offsetsFrom = 4
const arrayMax = 4096
const bitmapBytes = 8192

/**
 * The numbers in a bitmap, ascending.
 * @throws Error if it is malformed, RangeError if it is truncated
 */
function readRoaringArray(bytes: Uint8Array): number[] {
  const reader = new LittleEndian(bytes)
  const early = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (early.getUint32(0) === earlyArrayMagic) return readEarlyArray(reader, early)
  const magic = reader.uint32()
  if (magic !== arrayMagic) throw new Error(`a bitmap begins with ${magic} instead of ${arrayMagic}`)
  const values: number[] = []
  const bitmaps = reader.uint32() + reader.uint32() * 2 ** 32
  for (let count = 0; count < bitmaps; count++) readBitmap(reader, reader.uint32() * 2 ** 32, values)
  return values
}

function readEarlyArray(reader: LittleEndian, view: DataView): number[] {
  const values: number[] = []
  const bitmaps = view.getUint32(4)
  reader.bytes(8)
  for (let key = 0; key < bitmaps; key++) {
    // Skip the length of the bitmap.
    reader.bytes(4)
    readBitmap(reader, key * 2 ** 32, values)
  }
  return values
}

function readBitmap(reader: LittleEndian, base: number, values: number[]): void {
  const cookie = reader.uint32()
  const hasRuns = (cookie & 0xffff) === cookieWithRuns
  if (!hasRuns && cookie !== cookieWithoutRuns) throw new Error(`a bitmap has the unknown cookie ${cookie}`)
  const count = hasRuns ? (cookie >>> 16) + 1 : reader.uint32()
  const runFlags = hasRuns ? reader.bytes(Math.ceil(count / 8)) : new Uint8Array()
  const containers = Array.from({ length: count }, (_, index) => ({
    base: base + reader.uint16() * 2 ** 16,
    cardinality: reader.uint16() + 1,
    isRuns: hasRuns && (byteAt(runFlags, index >>> 3) & (1 << (index & 7))) !== 0,
  }))
  if (!hasRuns || count >= offsetsFrom) reader.bytes(count * 4)
  for (const { base: from, cardinality, isRuns } of containers) {
    if (isRuns) readRuns(reader, from, values)
    else if (cardinality <= arrayMax) for (let i = 0; i < cardinality; i++) values.push(from + reader.uint16())
    else readBits(reader.bytes(bitmapBytes), from, values)
  }
}

function readRuns(reader: LittleEndian, base: number, values: number[]): void {
  for (let runs = reader.uint16(); runs > 0; runs--) {
    const start = base + reader.uint16()
    const last = start + reader.uint16()
    for (let value = start; value <= last; value++) values.push(value)
  }
}

function readBits(bytes: Uint8Array, base: number, values: number[]): void {
  for (const [index, byte] of bytes.entries())
    for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) values.push(base + index * 8 + bit)
}

class LittleEndian {
  private readonly view: DataView
  private at = 0

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  uint16(): number {
    const value = this.view.getUint16(this.at, true)
    this.at += 2
    return value
  }

  uint32(): number {
    const value = this.view.getUint32(this.at, true)
    this.at += 4
    return value
  }

  bytes(count: number): Uint8Array {
    if (this.at + count > this.view.byteLength) throw new RangeError('a bitmap is truncated')
    const bytes = new Uint8Array(this.view.buffer, this.view.byteOffset + this.at, count)
    this.at += count
    return bytes
  }
}

/** The Z85 alphabet, https://rfc.zeromq.org/spec/32/ */
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#'
const digits = new Map([...alphabet].map((character, digit) => [character, digit]))

/**
 * Decodes Z85: four bytes for every five characters.
 * @throws Error for invalid text
 */
function fromBase85(text: string): Uint8Array {
  if (text.length % 5 !== 0) throw new Error(`Cannot decode base85: the length ${text.length} is not a multiple of 5`)
  const bytes = new Uint8Array((text.length / 5) * 4)
  const view = new DataView(bytes.buffer)
  for (let group = 0; group * 5 < text.length; group++) {
    let value = 0
    for (const character of text.slice(group * 5, group * 5 + 5)) {
      const digit = digits.get(character)
      if (digit === undefined) throw new Error(`Cannot decode base85: unexpected character "${character}"`)
      value = value * 85 + digit
    }
    if (value > 0xffffffff)
      throw new Error(`Cannot decode base85: "${text.slice(group * 5, group * 5 + 5)}" is out of range`)
    view.setUint32(group * 4, value)
  }
  return bytes
}

/**
 * Deletion vectors mark rows of a file as deleted. Source: Delta Transaction Log Protocol,
 * "Deletion Vectors", https://github.com/delta-io/delta/blob/master/PROTOCOL.md
 */

/** Distinguishes the vectors of one file; empty if there is none. */
export function vectorId(vector: DeletionVector | undefined): string {
  if (vector === undefined) return ''
  const { storageType, pathOrInlineDv, offset } = vector
  return `${storageType}${pathOrInlineDv}${offset === undefined ? '' : `@${offset}`}`
}

/**
 * The numbers of the deleted rows, from 0, ascending.
 *
 * @param tableFolder base folder of the vector's file name
 * @throws Error if it cannot be read
 */
export async function readDeletedRows(tableFolder: string, vector: DeletionVector): Promise<number[]> {
  const name = vectorId(vector)
  try {
    const rows = readRoaringArray(await bytesOf(tableFolder, vector))
    if (rows.length !== vector.cardinality)
      throw new Error(`it has ${rows.length} rows, but the Delta log says ${vector.cardinality}`)
    return rows
  } catch (cause) {
    throw new Error(`Cannot read deletion vector ${name} in ${tableFolder}: ${messageOf(cause)}`, { cause })
  }
}

/**
 * The file that holds a vector, relative to the table's folder; undefined if the vector is inline.
 */
export function vectorFileName({ storageType, pathOrInlineDv }: DeletionVector): string | undefined {
  if (storageType !== 'u') return undefined
  const prefix = pathOrInlineDv.slice(0, -20)
  const hex = [...fromBase85(pathOrInlineDv.slice(-20))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  return joinPath(prefix, `deletion_vector_${id}.bin`)
}

async function bytesOf(tableFolder: string, vector: DeletionVector): Promise<Uint8Array> {
  const { storageType, pathOrInlineDv, sizeInBytes, offset = 1 } = vector
  if (storageType === 'i') return fromBase85(pathOrInlineDv).subarray(0, sizeInBytes)
  const file = vectorFileName(vector)
  if (file === undefined) throw new Error(`storage type "${storageType}" is not supported`)
  const bytes = await readBytes(joinPath(tableFolder, file))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (offset + 8 + sizeInBytes > bytes.byteLength) throw new Error(`${file} is truncated`)
  if (view.getInt32(offset) !== sizeInBytes) throw new Error(`${file} has an unexpected size at offset ${offset}`)
  const data = bytes.subarray(offset + 4, offset + 4 + sizeInBytes)
  if (view.getUint32(offset + 4 + sizeInBytes) !== checksum(data))
    throw new Error(`${file} does not match its checksum`)
  return data
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
