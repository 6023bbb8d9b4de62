import { objectInOrder, rawNumber } from '../../../lib/json-value.ts'
import type { AnyValueMessage, KeyValueMessage, Long } from './messages.ts'
import { type AttributeEntries, SpanUnreadable } from './span.ts'

export const attributeEntries = (pairs: readonly KeyValueMessage[]): AttributeEntries =>
  pairs.map(({ key, value }) => [key, jsonValue(value)] as const)

/**
 * The JSON value of an attribute. Bytes become base64 (RFC 4648); numbers without a JSON form
 * become text.
 */
export function jsonValue(value: AnyValueMessage | null): unknown {
  switch (value?.value) {
    case undefined:
      return null
    case 'stringValue':
      return value.stringValue
    case 'boolValue':
      return value.boolValue
    case 'intValue':
      return integerValue(value.intValue)
    case 'doubleValue':
      return doubleValue(value.doubleValue)
    case 'arrayValue':
      return (value.arrayValue?.values ?? []).map(jsonValue)
    case 'kvlistValue':
      return objectInOrder(attributeEntries(value.kvlistValue?.values ?? []))
    case 'bytesValue':
      return value.bytesValue.toBase64()
    default:
      throw new SpanUnreadable('it has a value of an unknown kind')
  }
}

export const doubleValue = (value: number): unknown => (Number.isFinite(value) ? value : String(value))

function integerValue(value: Long): unknown {
  const { low, high } = value
  if (high === 0) return low >>> 0
  const number = high * 2 ** 32 + (low >>> 0)
  return Number.isSafeInteger(number) ? number : rawNumber(value.toString())
}
