import protobuf from 'protobufjs/minimal.js'

/** Protobuf wire types (https://protobuf.dev/programming-guides/encoding/). */
const lengthDelimited = 2

export interface ProtobufField {
  readonly number: number
  readonly wireType: number
  /** Content of a length-delimited field; empty for others. */
  readonly bytes: Uint8Array
}

/** The fields of a message in order. @throws Error if it is damaged */
export function* protobufFields(message: Uint8Array): Generator<ProtobufField> {
  const reader = protobuf.Reader.create(message)
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const wireType = tag & 7
    if (wireType === lengthDelimited) yield { number: tag >>> 3, wireType, bytes: reader.bytes() }
    else {
      reader.skipType(wireType)
      yield { number: tag >>> 3, wireType, bytes: noBytes }
    }
  }
}

/** A message with length-delimited fields, in the given order. */
export function protobufMessage(fields: readonly (readonly [number: number, content: Uint8Array | string])[]) {
  const writer = protobuf.Writer.create()
  for (const [number, content] of fields) {
    writer.uint32((number << 3) | lengthDelimited)
    if (typeof content === 'string') writer.string(content)
    else writer.bytes(content)
  }
  return writer.finish()
}

/** The unsigned integer in field `number`; 0 if it is missing. */
export function protobufInteger(message: Uint8Array, number: number): number {
  const reader = protobuf.Reader.create(message)
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === number) return Number(reader.uint64())
    reader.skipType(tag & 7)
  }
  return 0
}

/** Messages with the same fields as both; those of the second come last, where they win. */
export function mergedMessages(first: Uint8Array, second: Uint8Array): Uint8Array {
  const merged = new Uint8Array(first.byteLength + second.byteLength)
  merged.set(first)
  merged.set(second, first.byteLength)
  return merged
}

/** OTLP's KeyValue with a text. */
export const protobufAttribute = (name: string, value: string): Uint8Array =>
  protobufMessage([
    [1, name],
    [2, protobufMessage([[1, value]])],
  ])

const noBytes = new Uint8Array()
