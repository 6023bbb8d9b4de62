/**
 * Bitmaps of row numbers as deletion vectors hold them: a number of 32-bit Roaring bitmaps, each under the upper half of its values.
 * Sources: the Delta Transaction Log Protocol, "Deletion Vector Format"; the Roaring format, https://github.com/RoaringBitmap/RoaringFormatSpec
 */
const arrayMagic = 1681511377
/** An earlier form, in which the example of the protocol is written: its own numbers have the highest byte first. */
const earlyArrayMagic = 1681511376
const cookieWithoutRuns = 12346
const cookieWithRuns = 12347
/** From so many containers on their places are listed even where some hold runs. */
const offsetsFrom = 4
const arrayMax = 4096
const bitmapBytes = 8192

/** The numbers in a bitmap, ascending. @throws Error, or RangeError where it is cut short */
export function readRoaringArray(bytes: Uint8Array): number[] {
  const reader = new LittleEndian(bytes)
  const early = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (early.getUint32(0) === earlyArrayMagic) return readEarlyArray(reader, early)
  const magic = reader.uint32()
  if (magic !== arrayMagic) throw new Error(`a bitmap begins with ${magic}, not with ${arrayMagic}`)
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
    // The length of the bitmap.
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
    if (this.at + count > this.view.byteLength) throw new RangeError('a bitmap is cut short')
    const bytes = new Uint8Array(this.view.buffer, this.view.byteOffset + this.at, count)
    this.at += count
    return bytes
  }
}
