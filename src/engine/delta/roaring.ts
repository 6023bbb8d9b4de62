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
export function readRoaringArray(bytes: Uint8Array): number[] {
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
    isRuns: hasRuns && (runFlags[index >>> 3]! & (1 << (index & 7))) !== 0,
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
