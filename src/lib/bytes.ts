/** 2^20 bytes; what `MB` means in the names of settings. */
export const MiB = 1024 * 1024

/** The bytes of all pieces, in order. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}

/**
 * Frees the memory of bytes that are no longer used, unless other bytes share its buffer. The
 * garbage collector may let hundreds of MB accumulate before it does. See
 * docs/decisions/313-buffers-freed-at-once.md.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** A byte at a position that exists. As fast as an index. @throws RangeError outside */
export function byteAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index]
  if (byte === undefined) throw new RangeError(`No byte ${index} among ${bytes.length}`)
  return byte
}

/** The same for words. A function for each kind of array stays fast. */
export function wordAt(words: Uint32Array, index: number): number {
  const word = words[index]
  if (word === undefined) throw new RangeError(`No word ${index} among ${words.length}`)
  return word
}

/** The same for other numbers. */
export function numberAt(numbers: Int32Array | Float64Array | readonly number[], index: number): number {
  const number = numbers[index]
  if (number === undefined) throw new RangeError(`No number ${index} among ${numbers.length}`)
  return number
}

/** Words in bytes that begin at a multiple of four; they share the memory. */
export const wordsOf = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4))

/** The bytes of words, which share the memory. */
export const plainBytes = (words: Uint32Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
