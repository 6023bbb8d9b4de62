import { byteAt, numberAt } from '../../lib/bytes.ts'

/**
 * How many values precede that of each wanted row of an optional column; -1 for a row without one.
 *
 * @param levels which rows have a value: 1 for those that do, 0 for the others
 * @param wanted rows, ascending; the result is the same array if no row up to the last one is empty
 * @throws RangeError if the levels end too early
 */
export function placesOfValues(levels: Uint8Array, wanted: readonly number[]): readonly number[] {
  const lastRow = wanted.at(-1) ?? -1
  const runs = new Runs(levels, 0, 1)
  const places: number[] = []
  let [passed, values] = [0, 0]
  while (places.length < wanted.length) {
    const run = runs.next()
    const end = passed + run.count
    if (passed === 0 && run.value === 1 && lastRow < end) return wanted
    let row = passed
    while (places.length < wanted.length && numberAt(wanted, places.length) < end) {
      const next = numberAt(wanted, places.length)
      values += presentIn(levels, run, row - passed, next - passed)
      places.push(presentIn(levels, run, next - passed, next - passed + 1) === 1 ? values : -1)
      row = next
    }
    if (places.length < wanted.length) values += presentIn(levels, run, row - passed, run.count)
    passed = end
  }
  return places
}

/** How many rows have a value, from one row of a run of levels to before another. */
function presentIn(levels: Uint8Array, run: Run, from: number, to: number): number {
  if (!run.isPacked) return run.value === 0 ? 0 : to - from
  let ones = 0
  for (let row = from; row < to; ) {
    const byte = byteAt(levels, run.at + (row >>> 3)) >>> (row & 7)
    const rows = Math.min(8 - (row & 7), to - row)
    ones += onesIn(byte & ((1 << rows) - 1))
    row += rows
  }
  return ones
}

/** How many bits of a byte are set. */
function onesIn(byte: number): number {
  const pairs = byte - ((byte >>> 1) & 0x55)
  const fours = (pairs & 0x33) + ((pairs >>> 2) & 0x33)
  return (fours + (fours >>> 4)) & 0x0f
}

/**
 * Decodes the numbers at some places in Parquet's hybrid of runs and bit-packed groups
 * (https://parquet.apache.org/docs/file-format/data-pages/encodings/).
 *
 * @param at where they begin
 * @param places ascending
 * @throws RangeError if the bytes end too early
 */
export function runLengthsAt(bytes: Uint8Array, at: number, bitWidth: number, places: readonly number[]): Uint32Array {
  const numbers = new Uint32Array(places.length)
  const runs = new Runs(bytes, at, bitWidth)
  let passed = 0
  let done = 0
  while (done < places.length) {
    const run = runs.next()
    const end = passed + run.count
    for (; done < places.length && numberAt(places, done) < end; done++)
      numbers[done] = run.isPacked ? packedNumber(bytes, run.at, bitWidth, numberAt(places, done) - passed) : run.value
    passed = end
  }
  return numbers
}

interface Run {
  readonly isPacked: boolean
  readonly count: number
  /** The value of all numbers in the run, unless they are packed. */
  readonly value: number
  /** Where packed numbers begin. */
  readonly at: number
}

class Runs {
  private readonly bytes: Uint8Array
  private readonly bitWidth: number
  private position: number

  constructor(bytes: Uint8Array, at: number, bitWidth: number) {
    this.bytes = bytes
    this.position = at
    this.bitWidth = bitWidth
  }

  next(): Run {
    const head = this.head()
    const at = this.position
    if ((head & 1) === 1) {
      const groups = head >>> 1
      if (groups === 0) throw new RangeError('a packed group is empty')
      this.position += groups * this.bitWidth
      return { isPacked: true, count: groups * 8, value: 0, at }
    }
    const valueBytes = (this.bitWidth + 7) >>> 3
    if (at + valueBytes > this.bytes.length) throw new RangeError('a run is cut off')
    if (head >>> 1 === 0) throw new RangeError('a run is empty')
    let value = 0
    for (let index = 0; index < valueBytes; index++) value |= byteAt(this.bytes, at + index) << (index * 8)
    this.position += valueBytes
    return { isPacked: false, count: head >>> 1, value: value >>> 0, at }
  }

  private head(): number {
    let head = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.position++]
      if (byte === undefined || shift > 28) throw new RangeError('a run has no end')
      head |= (byte & 127) << shift
      if (byte < 128) return head
    }
  }
}

/** One of the numbers of `bitWidth` bits each, the lowest bits first. */
function packedNumber(bytes: Uint8Array, at: number, bitWidth: number, index: number): number {
  const bit = index * bitWidth
  const first = at + (bit >>> 3)
  const shift = bit & 7
  if (first + ((shift + bitWidth + 7) >>> 3) > bytes.length) throw new RangeError('a packed group is cut off')
  let value = 0
  // Up to 39 bits: beyond what bitwise operators hold.
  for (let offset = 0; offset * 8 < shift + bitWidth; offset++)
    value += byteAt(bytes, first + offset) * 2 ** (offset * 8)
  return Math.floor(value / 2 ** shift) % 2 ** bitWidth
}
