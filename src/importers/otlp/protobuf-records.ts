import {
  mergedMessages,
  protobufAttribute,
  protobufFields,
  protobufMessage,
} from '../../formats/wire/protobuf-message.ts'
import { originEntries } from '../origin.ts'
import type { ImportRecord, Signal } from '../record.ts'
import type { Origin } from '../source.ts'

const attributesOfSpan = 9

/**
 * The spans, log records or metrics of an export in protobuf. The levels above them have the same
 * field numbers in all signals (https://opentelemetry.io/docs/specs/otlp/).
 *
 * @throws Error if it is damaged
 */
export function* protobufRecords(message: Uint8Array, origin: Origin): Generator<ImportRecord> {
  const mark = protobufMessage(
    originEntries(origin).map(([name, text]) => [attributesOfSpan, protobufAttribute(name, text)]),
  )
  for (const group of protobufFields(message)) {
    if (group.number !== 1) continue
    const fields = [...protobufFields(group.bytes)]
    const resource = fields.find(({ number }) => number === 1)?.bytes ?? new Uint8Array()
    for (const scoped of fields) {
      if (scoped.number !== 2) continue
      const members = [...protobufFields(scoped.bytes)]
      const scope = members.find(({ number }) => number === 1)?.bytes ?? new Uint8Array()
      for (const { number, bytes } of members) {
        if (number !== 2) continue
        const signal = signalOf(bytes)
        const item = signal === 'traces' ? mergedMessages(bytes, mark) : bytes
        yield { kind: 'protobuf', signal, resource, scope, item }
      }
    }
  }
}

/**
 * A span begins with its ids; a log record contains its time in field 1 or 11, eight bytes wide; a
 * metric begins with its name.
 */
function signalOf(item: Uint8Array): Signal {
  for (const { number, wireType, bytes } of protobufFields(item)) {
    if (wireType === 1 && (number === 1 || number === 11)) return 'logs'
    if (number === 1) return bytes.byteLength === 16 && isSpan(item) ? 'traces' : 'metrics'
  }
  return 'logs'
}

const isSpan = (item: Uint8Array): boolean =>
  protobufFields(item).some(({ number, bytes }) => number === 2 && bytes.byteLength === 8)
