import { limits } from '../../../lib/limits.ts'
import { BoundedReader } from './bounded-reader.ts'
import type { SpanIdentity } from './span.ts'

/** Field numbers of a span in the protocol, and their wire type. */
const traceId = 1
const spanId = 2
const name = 5
const lengthDelimited = 2

/**
 * Reads the identity of a protobuf span as far as possible: senders write ids and the name before
 * long fields.
 */
export function readSpanIdentity(bytes: Uint8Array): SpanIdentity {
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
    // Known to be damaged; return what precedes the damage.
  }
  return found
}
