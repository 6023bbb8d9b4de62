import protobuf from 'protobufjs/minimal.js'
import { SpanUnreadable } from './span.ts'

/**
 * Reads protobuf from untrusted bytes. Gives up after `fieldsMax` fields: two bytes on the wire can
 * become an object of a hundred bytes. Invalid UTF-8 is replaced by U+FFFD, because exporters
 * truncate long values anywhere. The library bounds nesting.
 */
export class BoundedReader extends protobuf.Reader {
  private readonly text: Buffer
  private fieldsLeft: number

  constructor(bytes: Uint8Array, fieldsMax: number) {
    super(bytes)
    this.discardUnknown = true
    this.fieldsLeft = fieldsMax
    this.text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  override tag(): number {
    this.fieldsLeft--
    if (this.fieldsLeft < 0) throw new SpanUnreadable('it has too many values')
    return super.tag()
  }

  override stringVerify(): string {
    return this.string()
  }

  override string(): string {
    const length = this.size()
    const start = this.pos
    const end = start + length
    if (end > this.len) throw new RangeError('string exceeds its message')
    this.pos = end
    return this.text.toString('utf8', start, end)
  }
}
