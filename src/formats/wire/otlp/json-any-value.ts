import { isRawNumber, objectInOrder, rawNumber } from '../../../lib/json-value.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { doubleValue } from './any-value.ts'
import { JsonMembers } from './json-members.ts'
import { type AttributeEntries, SpanUnreadable } from './span.ts'

/** @throws SpanUnreadable */
export const jsonAttributeEntries = (pairs: readonly unknown[], depth = 0): AttributeEntries =>
  pairs.map((pair) => {
    const members = new JsonMembers(pair, 'attribute')
    return [members.text('key'), jsonAnyValue(members.get('value'), depth)] as const
  })

/**
 * The JSON value of an attribute or a body.
 *
 * @throws SpanUnreadable
 */
export function jsonAnyValue(value: unknown, depth = 0): unknown {
  if (value === undefined) return null
  if (depth > telemetryLimits.attributeDepthMax) throw new SpanUnreadable('it has a value that is nested too deeply')
  const members = new JsonMembers(value, 'attribute value')
  if (members.has('stringValue')) return members.text('stringValue')
  if (members.has('boolValue')) return members.get('boolValue') === true || members.get('boolValue') === 'true'
  if (members.has('intValue')) return integerValue(members.get('intValue'))
  if (members.has('doubleValue')) return doubleOf(members.get('doubleValue'))
  if (members.has('bytesValue')) return members.text('bytesValue')
  if (members.has('arrayValue')) {
    const list = new JsonMembers(members.get('arrayValue'), 'list').list('values')
    return list.map((item) => jsonAnyValue(item ?? undefined, depth + 1))
  }
  if (members.has('kvlistValue')) {
    const pairs = new JsonMembers(members.get('kvlistValue'), 'list of pairs').list('values')
    return objectInOrder(jsonAttributeEntries(pairs, depth + 1))
  }
  return null
}

/** The protocol writes 64-bit integers as text; numbers are accepted too. */
function integerValue(value: unknown): unknown {
  const digits = isRawNumber(value) ? value.rawJSON : String(value)
  if (!/^-?\d{1,20}$/.test(digits)) throw new SpanUnreadable('it has an intValue that is not an integer')
  const number = Number(digits)
  // Normalizes minus zero and leading zeros.
  return Number.isSafeInteger(number) ? number + 0 : rawNumber(BigInt(digits).toString())
}

function doubleOf(value: unknown): unknown {
  if (isRawNumber(value)) return value
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  const isNumber = typeof number === 'number' && (!Number.isNaN(number) || value === 'NaN')
  if (!isNumber) throw new SpanUnreadable('it has a doubleValue that is not a number')
  return doubleValue(number)
}
