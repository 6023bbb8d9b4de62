/**
 * Decodes `count` numbers in Parquet's hybrid of runs and bit-packed groups
 * (https://parquet.apache.org/docs/file-format/data-pages/encodings/).
 *
 * @param at where they begin
 * @throws RangeError if the bytes end too early
 */
export function decodeRunLengths(bytes: Uint8Array, at: number, bitWidth: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count)
  const widthBytes = (bitWidth + 7) >>> 3
  let position = at
  let done = 0
  while (done < count) {
    let head = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[position++]
      if (byte === undefined || shift > 28) throw new RangeError('a run has no end')
      head |= (byte & 127) << shift
      if (byte < 128) break
    }
    if ((head & 1) === 0) {
      if (position + widthBytes > bytes.length) throw new RangeError('a run is cut off')
      let value = 0
      for (let index = 0; index < widthBytes; index++) value |= bytes[position++]! << (index * 8)
      const end = Math.min(count, done + (head >>> 1))
      if (end === done) throw new RangeError('a run is empty')
      numbers.fill(value >>> 0, done, end)
      done = end
      continue
    }
    const packed = (head >>> 1) * 8
    const packedBytes = (head >>> 1) * bitWidth
    if (packed === 0 || position + Math.ceil((Math.min(packed, count - done) * bitWidth) / 8) > bytes.length)
      throw new RangeError('a packed group is cut off')
    unpack(bytes, position, bitWidth, numbers.subarray(done, Math.min(count, done + packed)))
    position += packedBytes
    done += packed
  }
  return numbers
}

/** Numbers of `bitWidth` bits each, the lowest bits first. */
function unpack(bytes: Uint8Array, at: number, bitWidth: number, into: Uint32Array): void {
  const modulus = 2 ** bitWidth
  let position = at
  let bits = 0
  let value = 0
  for (let index = 0; index < into.length; index++) {
    while (bits < bitWidth) {
      // Up to 39 bits: beyond what bitwise operators hold.
      value += bytes[position++]! * 2 ** bits
      bits += 8
    }
    into[index] = value % modulus
    value = Math.floor(value / modulus)
    bits -= bitWidth
  }
}
