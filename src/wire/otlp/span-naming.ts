import { limits } from '../../limits.ts'
import { BoundedReader } from './bounded-reader.ts'
import type { SpanNaming } from './span.ts'

/** Numbers of the protocol's fields of a span, and their wire type. */
const traceId = 1
const spanId = 2
const name = 5
const lengthDelimited = 2

/** What a span in protobuf is called, as far as it can be read: senders write ids and name before what is long. */
export function spanNaming(bytes: Uint8Array): SpanNaming {
  const found = { name: '', traceId: '', spanId: '' }
  const reader = new BoundedReader(bytes, limits.spanFieldsMax)
  try {
    while (reader.pos < reader.len) {
      const tag = reader.tag()
      const [field, wireType] = [tag >>> 3, tag & 7]
      if (wireType !== lengthDelimited) reader.skipType(wireType)
      else if (field === traceId) found.traceId = reader.bytes().toHex()
      else if (field === spanId) found.spanId = reader.bytes().toHex()
      else if (field === name) found.name = reader.string()
      else reader.skipType(wireType)
    }
  } catch {
    // It is known to be damaged; what came before the damage is what there is.
  }
  return found
}
