import { byteAt } from '../../../lib/bytes.ts'
import { itemAt } from '../../../lib/present.ts'
import { timeOf } from './protobuf-parts.ts'
import type { NanoTime } from './span.ts'

/** Longest text that is kept, in bytes. */
const textBytesMax = 48
/** Slots of the cache: one for each ten-bit hash. */
const slots = 1024

/**
 * Texts read from UTF-8 that were read before: names of attributes, and values such as models,
 * repeat from span to span, and comparing a few bytes costs less than decoding them.
 */
class TextCache {
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
    if (same === length) return itemAt(this.texts, slot)
    const text = bytes.toString('utf8', from, to)
    for (let i = 0; i < length; i++) kept[at + i] = byteAt(bytes, from + i)
    this.lengths[slot] = length
    this.texts[slot] = text
    return text
  }
}

/** Computed from a few bytes only: a collision costs no more than a text that is not cached. */
function slotOf(bytes: Buffer, from: number, length: number): number {
  const last = from + length - 1
  const ends = (byteAt(bytes, last) << 8) ^ byteAt(bytes, from) ^ (byteAt(bytes, from + (length >> 1)) << 4)
  const hash = Math.imul(ends ^ (byteAt(bytes, Math.max(from, last - 3)) << 12) ^ (length << 16), 0x9e3779b1)
  return hash >>> 22
}

/** Something that only the complete decoder reads. */
export const unusual = Symbol('unusual')

const texts = new TextCache()

/** Whether a field that a message has once was read before. */
export class Seen {
  private fields = 0

  /** @throws unusual */
  once(field: number): void {
    if ((this.fields & (1 << field)) !== 0) throw unusual
    this.fields |= 1 << field
  }
}

/** Reads the fields of messages as exporters write them; everything else is unusual. */
export class PlainFields {
  protected readonly bytes: Buffer
  protected readonly view: DataView
  protected pos = 0
  protected fieldsLeft = 0

  /** @param body the memory that the messages are part of */
  constructor(body: Uint8Array) {
    this.bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    this.view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  }

  protected hex(end: number): string {
    const to = this.end(end)
    const hex = this.bytes.toString('hex', this.pos, to)
    this.pos = to
    return hex
  }

  protected text(end: number): string {
    const to = this.end(end)
    const text = texts.read(this.bytes, this.pos, to)
    this.pos = to
    return text
  }

  protected time(end: number): NanoTime | null {
    const low = this.fixed32(end)
    return timeOf({ low, high: this.fixed32(end) })
  }

  protected fixed32(end: number): number {
    if (this.pos + 4 > end) throw unusual
    const value = this.view.getUint32(this.pos, true)
    this.pos += 4
    return value
  }

  private byte(): number {
    const byte = this.bytes[this.pos++]
    if (byte === undefined) throw unusual
    return byte
  }

  /** Reads a length; returns where what follows it ends. */
  protected end(outer: number): number {
    let byte = this.byte()
    let length = byte & 127
    for (let shift = 7; byte >= 128; shift += 7) {
      if (shift > 21) throw unusual
      byte = this.byte()
      length |= (byte & 127) << shift
    }
    const end = this.pos + length
    if (!(end <= outer)) throw unusual
    return end
  }

  /** A tag of one byte, or of two for fields up to 31. */
  protected tag(): number {
    this.fieldsLeft--
    if (this.fieldsLeft < 0) throw unusual
    const first = this.byte()
    if (first < 128) return first
    const second = this.byte()
    if (second !== 1) throw unusual
    return (first & 127) | (second << 7)
  }

  /** A count of a single byte. */
  protected small(): number {
    const byte = this.byte()
    if (byte >= 128) throw unusual
    return byte
  }

  /** An integer that is not negative, of up to seven bytes. */
  protected integer(): number {
    let value = 0
    for (let scale = 1; scale < 2 ** 49; scale *= 128) {
      const byte = this.byte()
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
    throw unusual
  }

  protected endAt(end: number): void {
    if (this.pos !== end) throw unusual
  }
}
