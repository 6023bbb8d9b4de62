import { bothSpellings, startsLikeRef } from '../kernel/ref.ts'
import { asTime, castTo } from './check-value.ts'
import { orEmpty } from './empty-text.ts'
import {
  any,
  type ComparedAs,
  type Constant,
  type Expression,
  textConstant,
  typeOf,
  unknown,
  type Value,
} from './expression.ts'
import type { Comparison } from './grammar.ts'
import { meaningless } from './parse.ts'
import type { Location } from './syntax.ts'

/**
 * The comparison of two values, neither of which is the literal null.
 *
 * @throws DomainError InvalidRequest where their types can never be compared
 */
export function compared(comparison: Comparison, a: Value, b: Value, at: Location): Expression {
  const { as, left, right } = common(a, b, at)
  const { constant: ref, other } = refConstant(left, right)
  if (comparison === '=' && as === 'text' && ref !== undefined) {
    return { kind: 'oneOf', as, value: other, constants: bothSpellings(ref).map(textConstant) }
  }
  return { kind: 'compare', comparison, as, left, right }
}

/** What `$in` means: the value equals any of the others; unknown, where it equals none and one of them is null. */
export function equalsAny(
  value: Value,
  others: readonly { readonly value: Value; readonly isNull: boolean }[],
  at: Location,
): Expression {
  const groups = new Map<string, { value: Value; as: 'text' | 'integer' | 'double' | 'time'; constants: Constant[] }>()
  const rest: Expression[] = []
  for (const other of others) {
    if (other.isNull) {
      rest.push(unknown)
      continue
    }
    const equal = compared('=', value, other.value, at)
    const listed = asListed(equal)
    if (listed === undefined) rest.push(equal)
    else {
      const group = groups.get(listed.as) ?? { value: listed.value, as: listed.as, constants: [] }
      group.constants.push(...listed.constants)
      groups.set(listed.as, group)
    }
  }
  const items = [...[...groups.values()].map((group): Expression => ({ kind: 'oneOf', ...group })), ...rest]
  return items.length === 1 ? items[0]! : any(items)
}

/** An equality with constants that can share one list with others of its kind. */
function asListed(equal: Expression): Extract<Expression, { kind: 'oneOf' }> | undefined {
  if (equal.kind === 'oneOf') return equal
  if (equal.kind !== 'compare') return undefined
  const { left, right, as } = equal
  if (left.kind === 'constant' || right.kind !== 'constant') return undefined
  if (as === 'text' || as === 'time' || as === 'integer')
    return { kind: 'oneOf', value: left, as, constants: [right.constant] }
  if (as !== 'number' || !isSmall(right.constant)) return undefined
  const double: Constant = { type: 'double', value: Number('value' in right.constant ? right.constant.value : 0) }
  return { kind: 'oneOf', value: { kind: 'cast', to: 'double', input: left }, as: 'double', constants: [double] }
}

/** Whether comparing as doubles is exact whatever the other side holds: an integer that large rounds to no smaller one. */
export function isSmall(constant: Constant): boolean {
  if ('isNull' in constant) return false
  if (constant.type === 'double') return true
  if (constant.type !== 'integer') return false
  return constant.value < 2n ** 53n && constant.value > -(2n ** 53n)
}

function refConstant(left: Value, right: Value): { constant: string | undefined; other: Value } {
  for (const [value, other] of [
    [right, left],
    [left, right],
  ] as const) {
    if (value.kind !== 'constant' || value.constant.type !== 'text' || 'isNull' in value.constant) continue
    if (startsLikeRef(value.constant.value)) return { constant: value.constant.value, other }
  }
  return { constant: undefined, other: left }
}

function common(a: Value, b: Value, at: Location): { as: ComparedAs; left: Value; right: Value } {
  const [ta, tb] = [typeOf(a), typeOf(b)]
  if (ta === 'texts' || tb === 'texts') throw meaningless(at, 'a list is not compared; $contains looks into it')
  if (ta === 'time' || tb === 'time') {
    const [left, right] = [asTime(a, at), asTime(b, at)]
    if (typeOf(left) === 'time' && typeOf(right) === 'time') return { as: 'time', left, right }
    throw meaningless(at, 'a time is compared with a time: with unix seconds, ISO 8601 text or another time field')
  }
  if (ta === 'json' && tb === 'json') return { as: 'json', left: a, right: b }
  const [other, isDynamic] = ta === 'json' ? [tb, true] : tb === 'json' ? [ta, true] : [tb, false]
  if (isDynamic) {
    if (other === 'text')
      return { as: 'text', left: orEmpty(castTo('text', a, at)), right: orEmpty(castTo('text', b, at)) }
    if (other === 'boolean') return { as: 'boolean', left: castTo('boolean', a, at), right: castTo('boolean', b, at) }
    return { as: 'number', left: a, right: b }
  }
  if (ta === 'text' && tb === 'text') return { as: ta, left: orEmpty(a), right: orEmpty(b) }
  if (ta === tb && (ta === 'boolean' || ta === 'integer')) return { as: ta, left: a, right: b }
  const isNumeric = (type: string) => type === 'integer' || type === 'double' || type === 'boolean'
  if (!isNumeric(ta) || !isNumeric(tb)) {
    throw meaningless(at, `a ${ta} is not compared with a ${tb}; $convert makes one of them the other's kind`)
  }
  const as = ta === 'double' || tb === 'double' ? 'double' : 'integer'
  return { as, left: castTo(as, a, at), right: castTo(as, b, at) }
}
