import { parseTime } from '../../lib/time.ts'
import { type CastType, type Constant, typeOf, type Value } from '../expression.ts'
import { invalidQuery } from '../parse/parse.ts'
import type { Location, Scalar, Syntax } from '../parse/syntax.ts'

export const isNullLiteral = (syntax: Syntax): boolean => syntax.kind === 'literal' && syntax.value === null

const hugeIntegerMax = 2n ** 127n - 1n

export function literalValue(value: Scalar): Value {
  return { kind: 'constant', constant: literalConstant(value) }
}

function literalConstant(value: Scalar): Constant {
  switch (typeof value) {
    case 'string':
      return { type: 'text', value }
    case 'boolean':
      return { type: 'boolean', value }
    case 'bigint':
      return integerConstant(value)
    case 'number':
      return Number.isInteger(value) ? integerConstant(BigInt(value)) : { type: 'double', value }
    default:
      return { type: 'text', isNull: true }
  }
}

const integerConstant = (value: bigint): Constant =>
  value <= hugeIntegerMax && value >= -hugeIntegerMax
    ? { type: 'integer', value }
    : { type: 'double', value: Number(value) }

/**
 * Converts a value to another type; the result is null for rows whose value cannot be converted.
 *
 * @throws DomainError InvalidRequest for types that can never be converted
 */
export function castTo(to: CastType, value: Value, at: Location): Value {
  const from = typeOf(value)
  if (from === to) return value
  if (from === 'texts') throw invalidQuery(at, 'a list cannot be converted')
  if (from === 'time' && to === 'boolean') throw invalidQuery(at, 'a time cannot be converted to a bool')
  return { kind: 'cast', to, input: value }
}

/**
 * A literal beside a time, as a time: unix seconds or ISO 8601. Other values are returned
 * unchanged.
 *
 * @throws DomainError InvalidRequest for text that is not a time
 */
export function asTime(value: Value, at: Location): Value {
  if (value.kind !== 'constant' || 'isNull' in value.constant || value.constant.type === 'boolean') return value
  const { constant } = value
  if (constant.type === 'time') return value
  const micros = parseTime(constant.type === 'text' ? constant.value : Number(constant.value))
  if (micros === undefined) {
    const shown = String(constant.value).slice(0, 80)
    throw invalidQuery(at, `"${shown}" is not a time; use unix seconds or ISO 8601 text`)
  }
  return { kind: 'constant', constant: { type: 'time', micros } }
}
