/** Longest text that is kept, in bytes. */
const textBytesMax = 48
/** As many as ten bits count. */
const slots = 1024

/**
 * Texts read from UTF-8 that were read before: names of attributes, and values such as models,
 * repeat from span to span, and comparing a few bytes costs less than decoding them.
 */
export class TextCache {
  private readonly kept = new Uint8Array(slots * textBytesMax)
  private readonly lengths = new Uint8Array(slots)
  private readonly texts = new Array<string>(slots).fill('')

  /** The text in `bytes` from `from` to `to`. Invalid UTF-8 is replaced by U+FFFD. */
  read(bytes: Buffer, from: number, to: number): string {
    const length = to - from
    if (length > textBytesMax || length === 0) return length === 0 ? '' : bytes.toString('utf8', from, to)
    const slot = slotOf(bytes, from, length)
    const at = slot * textBytesMax
    const { kept } = this
    let same = this.lengths[slot] === length ? 0 : -1
    while (same >= 0 && same < length && kept[at + same] === bytes[from + same]) same++
    if (same === length) return this.texts[slot]!
    const text = bytes.toString('utf8', from, to)
    for (let i = 0; i < length; i++) kept[at + i] = bytes[from + i]!
    this.lengths[slot] = length
    this.texts[slot] = text
    return text
  }
}

/** Of a few bytes only: a text in the wrong slot costs no more than one that is not kept. */
function slotOf(bytes: Buffer, from: number, length: number): number {
  const last = from + length - 1
  const ends = (bytes[last]! << 8) ^ bytes[from]! ^ (bytes[from + (length >> 1)]! << 4)
  const hash = Math.imul(ends ^ (bytes[Math.max(from, last - 3)]! << 12) ^ (length << 16), 0x9e3779b1)
  return hash >>> 22
}
