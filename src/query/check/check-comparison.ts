import { allSpellings, startsLikeRef } from '../../formats/dialect/ref.ts'
import type { Catalog } from '../catalog.ts'
import {
  type ComparedAs,
  type Constant,
  constantText,
  type Expression,
  oneOfAll,
  orEmpty,
  textConstant,
  typeOf,
  unknown,
  type Value,
} from '../expression.ts'
import type { Comparison } from '../grammar.ts'
import { invalidQuery } from '../parse/parse.ts'
import type { Location } from '../parse/syntax.ts'
import { spelledField, spellingsInJson, storedEquality } from '../stored-text.ts'
import { asTime, castTo } from './check-value.ts'

/** The position of a comparison in the request, and the catalog its fields come from. */
export interface ComparisonContext {
  readonly at: Location
  readonly catalog: Catalog
}

/**
 * The comparison of two values, neither of which is the literal null.
 *
 * @throws DomainError InvalidRequest if values of these types can never be compared
 */
export function compared(comparison: Comparison, a: Value, b: Value, context: ComparisonContext): Expression {
  const { as, left, right } = common(a, b, context)
  if (comparison === '=' && as === 'text') return textEquality(left, right)
  return { kind: 'compare', comparison, as, left, right }
}

/**
 * An equality of texts. A literal matches every spelling: refs in either scheme, and whatever the
 * field stores in another spelling.
 */
function textEquality(left: Value, right: Value): Expression {
  for (const [value, other] of [
    [right, left],
    [left, right],
  ] as const) {
    const text = constantText(value)
    if (text === undefined) continue
    const field = spelledField(other)
    if (field !== undefined) {
      const stored = storedEquality(field, text)
      return { kind: 'oneOf', as: 'text', value: stored.value, constants: stored.texts.map(textConstant) }
    }
    const spellings = spellingsInJson(other, text)
    if (spellings !== undefined) {
      return { kind: 'oneOf', as: 'text', value: other, constants: spellings.map(textConstant) }
    }
    if (startsLikeRef(text)) {
      return { kind: 'oneOf', as: 'text', value: other, constants: allSpellings(text).map(textConstant) }
    }
  }
  return { kind: 'compare', comparison: '=', as: 'text', left, right }
}

/**
 * The meaning of `$in`: the value equals any of the others. Unknown if it equals none and one of
 * them is null.
 */
export function equalsAny(
  value: Value,
  others: readonly { readonly value: Value; readonly isNull: boolean }[],
  context: ComparisonContext,
): Expression {
  const groups = new Map<string, { value: Value; as: 'text' | 'integer' | 'double' | 'time'; constants: Constant[] }>()
  const rest: Expression[] = []
  for (const other of others) {
    if (other.isNull) {
      rest.push(unknown)
      continue
    }
    const equal = compared('=', value, other.value, context)
    const listed = asListed(equal)
    if (listed === undefined) rest.push(equal)
    else {
      const group = groups.get(listed.as) ?? { value: listed.value, as: listed.as, constants: [] }
      group.constants.push(...listed.constants)
      groups.set(listed.as, group)
    }
  }
  return oneOfAll([...[...groups.values()].map((group): Expression => ({ kind: 'oneOf', ...group })), ...rest])
}

/** An equality with constants, in the form that can be merged with others of its type. */
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

/**
 * Whether a comparison as doubles is exact for any other side: below 2^53 no other integer rounds
 * to this one.
 */
export function isSmall(constant: Constant): boolean {
  if ('isNull' in constant) return false
  if (constant.type === 'double') return true
  if (constant.type !== 'integer') return false
  return constant.value < 2n ** 53n && constant.value > -(2n ** 53n)
}

/** The type to compare two values as, and both values as that type. */
function common(a: Value, b: Value, { at, catalog }: ComparisonContext): { as: ComparedAs; left: Value; right: Value } {
  const [ta, tb] = [typeOf(a), typeOf(b)]
  if (ta === 'texts' || tb === 'texts') throw invalidQuery(at, 'a list cannot be compared; use $contains to search it')
  if (ta === 'time' || tb === 'time') {
    const [left, right] = [asTime(a, at), asTime(b, at)]
    if (typeOf(left) === 'time' && typeOf(right) === 'time') return { as: 'time', left, right }
    throw invalidQuery(at, 'a time compares with unix seconds, ISO 8601 text or another time field only')
  }
  if (ta === 'json' && tb === 'json') return { as: 'json', left: a, right: b }
  if (ta === 'json' || tb === 'json') {
    const other = ta === 'json' ? tb : ta
    if (other === 'text') {
      return { as: 'text', left: orEmpty(castTo('text', a, at)), right: orEmpty(castTo('text', b, at)) }
    }
    if (other === 'boolean') return { as: 'boolean', left: castTo('boolean', a, at), right: castTo('boolean', b, at) }
    return { as: 'number', left: a, right: b }
  }
  if (ta === 'text' && tb === 'text') return { as: ta, left: orEmpty(a), right: orEmpty(b) }
  if (ta === tb && (ta === 'boolean' || ta === 'integer')) return { as: ta, left: a, right: b }
  if (ta === 'text' || tb === 'text') {
    const other = ta === 'text' ? tb : ta
    if (catalog.isLenient && other !== 'boolean') return { as: 'number', left: a, right: b }
    throw invalidQuery(at, `${nounOf(ta)} cannot be compared with ${nounOf(tb)}; use $convert on one of them`)
  }
  const as = ta === 'double' || tb === 'double' ? 'double' : 'integer'
  return { as, left: castTo(as, a, at), right: castTo(as, b, at) }
}

const nounOf = (type: string): string => (type === 'integer' ? 'an integer' : `a ${type}`)
