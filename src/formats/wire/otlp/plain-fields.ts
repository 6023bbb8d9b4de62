import { timeOf } from './protobuf-parts.ts'
import type { NanoTime } from './span.ts'
import { TextCache } from './text-cache.ts'

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

  /** Reads a length; returns where what follows it ends. */
  protected end(outer: number): number {
    const { bytes } = this
    let byte = bytes[this.pos++]!
    let length = byte & 127
    for (let shift = 7; byte >= 128; shift += 7) {
      if (shift > 21) throw unusual
      byte = bytes[this.pos++]!
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
    const first = this.bytes[this.pos++]!
    if (first < 128) return first
    const second = this.bytes[this.pos++]!
    if (second !== 1) throw unusual
    return (first & 127) | (second << 7)
  }

  /** A count of a single byte. */
  protected small(): number {
    const byte = this.bytes[this.pos++]!
    if (!(byte < 128)) throw unusual
    return byte
  }

  /** An integer that is not negative, of up to seven bytes. */
  protected integer(): number {
    let value = 0
    for (let scale = 1; scale < 2 ** 49; scale *= 128) {
      const byte = this.bytes[this.pos++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
    throw unusual
  }

  protected endAt(end: number): void {
    if (this.pos !== end) throw unusual
  }
}
