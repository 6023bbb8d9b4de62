import { assertNever } from '../errors.ts'
import { resolveField } from './catalog.ts'
import { compared, equalsAny } from './check-comparison.ts'
import { castTo, isNullLiteral, literalValue } from './check-value.ts'
import { orEmpty } from './empty-text.ts'
import { all, any, type Expression, not, typeOf, unknown, type Value } from './expression.ts'
import { overFeedback, present } from './feedback-scope.ts'
import { meaningless } from './parse.ts'
import type { Location, Syntax } from './syntax.ts'

/**
 * Resolves names and types of a parsed query: the condition that it stands for.
 *
 * @throws DomainError InvalidField for a field that is not there, InvalidRequest for types that do not go together, NotImplemented
 * for what this version does not keep
 */
export function checkQuery(syntax: Syntax): Expression {
  switch (syntax.kind) {
    case 'and':
      return all(syntax.items.map(asCondition))
    case 'or':
      return any(syntax.items.map(asCondition))
    case 'not':
      return not(asCondition(syntax.item))
    case 'compare':
      return comparison(syntax)
    case 'in':
      return overFeedback(
        equalsAny(
          operand(syntax.item),
          syntax.list.map((item) => ({ value: operand(item), isNull: isNullLiteral(item) })),
          syntax.at,
        ),
        syntax.at,
      )
    case 'contains':
      return overFeedback(search(syntax), syntax.at)
    case 'literal':
    case 'field':
    case 'convert':
    case 'size':
      return asCondition(syntax)
    default:
      return assertNever(syntax)
  }
}

/** An operand where a condition is wanted. */
function asCondition(syntax: Syntax): Expression {
  const value = operand(syntax)
  if (value.kind === 'truth') return value.of
  if (isNullLiteral(syntax)) return unknown
  switch (typeOf(value)) {
    case 'boolean':
      return overFeedback({ kind: 'isTrue', value }, syntax.at)
    case 'json':
      return overFeedback({ kind: 'isTrue', value: castTo('boolean', value, syntax.at) }, syntax.at)
    default:
      throw meaningless(syntax.at, `a ${nameOf(value)} stands where a condition is meant`)
  }
}

const nameOf = (value: Value): string => {
  const type = typeOf(value)
  return type === 'texts' ? 'list' : type
}

function operand(syntax: Syntax): Value {
  switch (syntax.kind) {
    case 'literal':
      return literalValue(syntax.value)
    case 'field':
      return { kind: 'field', field: resolveField(syntax.path) }
    case 'size':
      return { kind: 'size', input: operand(syntax.input) }
    case 'convert':
      return convert(syntax)
    case 'and':
    case 'or':
    case 'not':
    case 'compare':
    case 'in':
    case 'contains':
      return { kind: 'truth', of: checkQuery(syntax) }
    default:
      return assertNever(syntax)
  }
}

function convert(syntax: Extract<Syntax, { kind: 'convert' }>): Value {
  const input = operand(syntax.input)
  switch (syntax.to) {
    case 'exists':
      return { kind: 'truth', of: present(input, syntax.at) }
    case 'string':
      return castTo('text', input, syntax.at)
    case 'double':
      return castTo('double', input, syntax.at)
    case 'int':
      return castTo('integer', input, syntax.at)
    case 'bool':
      return castTo('boolean', input, syntax.at)
    default:
      return assertNever(syntax.to)
  }
}

function comparison({ comparison, left, right, at }: Extract<Syntax, { kind: 'compare' }>): Expression {
  const [a, b] = [operand(left), operand(right)]
  if (isNullLiteral(left) || isNullLiteral(right)) {
    if (comparison !== '=') return unknown
    return not(present(isNullLiteral(right) ? a : b, at))
  }
  return overFeedback(compared(comparison, a, b, at), at)
}

function search({ input, part, ignoreCase, wholeToken, at }: Extract<Syntax, { kind: 'contains' }>): Expression {
  const [a, b] = [operand(input), operand(part)]
  if (isNullLiteral(input) || isNullLiteral(part)) return unknown
  if (wholeToken) checkToken(b, [...at, 'substr'])
  const sought = castTo('text', b, [...at, 'substr'])
  switch (typeOf(a)) {
    case 'texts':
      return { kind: 'listContains', list: a, item: sought, ignoreCase }
    case 'text':
    case 'json': {
      const text = castTo('text', a, at)
      if (wholeToken) return { kind: 'hasToken', input: orEmpty(text), token: sought, ignoreCase }
      // The empty text is in every text that is there.
      const searched = isEmptyText(sought) ? text : orEmpty(text)
      return { kind: 'contains', input: searched, part: sought, ignoreCase }
    }
    default:
      // Numbers, times and truth values contain nothing.
      return unknown
  }
}

const isEmptyText = (value: Value): boolean =>
  value.kind === 'constant' && 'value' in value.constant && value.constant.value === ''

function checkToken(value: Value, at: Location): void {
  if (value.kind !== 'constant' || value.constant.type !== 'text' || 'isNull' in value.constant) return
  if (/^[\p{L}\p{N}]+$/u.test(value.constant.value)) return
  throw meaningless(at, 'a token consists of letters and digits; $contains finds any other text')
}
