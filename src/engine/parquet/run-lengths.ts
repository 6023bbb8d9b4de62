import { byteAt, numberAt } from '../../lib/bytes.ts'
/** Which rows have a value (1) and which do not (0); undefined if all have one. */
export type Levels = Uint32Array | undefined

/**
 * The levels of the first `count` rows of an optional column.
 *
 * @throws RangeError if the bytes end too early
 */
export function decodeLevels(bytes: Uint8Array, count: number): Levels {
  const runs = new Runs(bytes, 0, 1)
  const first = runs.next()
  if (!first.isPacked && first.value === 1 && first.count >= count) return undefined
  return runLengthsAt(
    bytes,
    0,
    1,
    Array.from({ length: count }, (_, row) => row),
  )
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
