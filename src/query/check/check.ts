import { assertNever } from '../../lib/errors.ts'
import { type Catalog, resolveField } from '../catalog.ts'
import {
  all,
  always,
  any,
  constantText,
  type Expression,
  not,
  oneOfAll,
  orEmpty,
  textConstant,
  typeOf,
  unknown,
  type Value,
} from '../expression.ts'
import { overFeedback, present } from '../feedback-scope.ts'
import { invalidQuery } from '../parse/parse.ts'
import type { Location, Syntax } from '../parse/syntax.ts'
import { partSpellings, spelledField, spellingsInJson } from '../stored-text.ts'
import { compared, equalsAny } from './check-comparison.ts'
import { castTo, isNullLiteral, literalValue } from './check-value.ts'

/**
 * Resolves the names and types of a parsed query against a catalog. See
 * docs/decisions/010-query-values.md.
 *
 * @throws DomainError InvalidField for an unknown field, InvalidRequest for types that cannot be
 *   combined, NotImplemented for
 *   fields that this store does not keep
 */
export const checkQuery = (syntax: Syntax, catalog: Catalog): Expression => new Checker(catalog).condition(syntax)

class Checker {
  private readonly catalog: Catalog

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  condition(syntax: Syntax): Expression {
    switch (syntax.kind) {
      case 'and':
        return all(syntax.items.map((item) => this.condition(item)))
      case 'or':
        return any(syntax.items.map((item) => this.condition(item)))
      case 'not':
        return not(this.condition(syntax.item))
      case 'compare':
        return this.comparison(syntax)
      case 'in':
        return this.membership(syntax)
      case 'contains':
        return overFeedback(this.search(syntax), syntax.at)
      case 'literal':
      case 'field':
      case 'convert':
      case 'size':
        return this.truthOf(syntax)
      default:
        return assertNever(syntax)
    }
  }

  /** An operand in the place of a condition. */
  private truthOf(syntax: Syntax): Expression {
    const value = this.operand(syntax)
    if (value.kind === 'truth') return value.of
    if (isNullLiteral(syntax)) return unknown
    switch (typeOf(value)) {
      case 'boolean':
        return overFeedback({ kind: 'isTrue', value }, syntax.at)
      case 'json':
        return overFeedback({ kind: 'isTrue', value: castTo('boolean', value, syntax.at) }, syntax.at)
      default:
        throw invalidQuery(syntax.at, `expected a condition, not a ${nameOf(value)}`)
    }
  }

  private operand(syntax: Syntax): Value {
    switch (syntax.kind) {
      case 'literal':
        return literalValue(syntax.value)
      case 'field':
        return { kind: 'field', field: resolveField(this.catalog, syntax.path) }
      case 'size':
        return { kind: 'size', input: this.operand(syntax.input) }
      case 'convert':
        return this.conversion(syntax)
      case 'and':
      case 'or':
      case 'not':
      case 'compare':
      case 'in':
      case 'contains':
        return { kind: 'truth', of: this.condition(syntax) }
      default:
        return assertNever(syntax)
    }
  }

  private conversion({ input, to, at }: Extract<Syntax, { kind: 'convert' }>): Value {
    const value = this.operand(input)
    switch (to) {
      case 'exists':
        return { kind: 'truth', of: present(value, at) }
      case 'string':
        return castTo('text', value, at)
      case 'double':
        return castTo('double', value, at)
      case 'int':
        return castTo('integer', value, at)
      case 'bool':
        return castTo('boolean', value, at)
      default:
        return assertNever(to)
    }
  }

  private comparison({ comparison, left, right, at }: Extract<Syntax, { kind: 'compare' }>): Expression {
    const [a, b] = [this.operand(left), this.operand(right)]
    if (isNullLiteral(left) || isNullLiteral(right)) {
      if (comparison !== '=') return unknown
      return not(present(isNullLiteral(right) ? a : b, at))
    }
    return overFeedback(compared(comparison, a, b, { at, catalog: this.catalog }), at)
  }

  private membership({ item, list, at }: Extract<Syntax, { kind: 'in' }>): Expression {
    const value = this.operand(item)
    const others = list.map((other) => ({ value: this.operand(other), isNull: isNullLiteral(other) }))
    const isAny = overFeedback(equalsAny(value, others, { at, catalog: this.catalog }), at)
    const matchesMissing = this.catalog.isLenient === true && others.some(({ isNull }) => isNull)
    return matchesMissing ? any([isAny, not(present(value, at))]) : isAny
  }

  private search({ input, part, ignoreCase, wholeToken, at }: Extract<Syntax, { kind: 'contains' }>): Expression {
    const [a, b] = [this.operand(input), this.operand(part)]
    if (isNullLiteral(input) || isNullLiteral(part)) return unknown
    if (wholeToken) checkToken(b, [...at, 'substr'])
    const needle = castTo('text', b, [...at, 'substr'])
    switch (typeOf(a)) {
      case 'texts':
        return { kind: 'listContains', list: a, item: needle, ignoreCase }
      case 'text':
      case 'json': {
        const text = castTo('text', a, at)
        const items = needlesIn(text, needle).map((part): Expression => {
          if (wholeToken) return { kind: 'hasToken', input: orEmpty(text), token: part, ignoreCase }
          // Every text contains the empty one, and a missing text counts as empty here.
          return constantText(part) === '' ? always : { kind: 'contains', input: orEmpty(text), part, ignoreCase }
        })
        return oneOfAll(items)
      }
      default:
        // Numbers, times and booleans contain nothing.
        return unknown
    }
  }
}

/** The texts to look for: more than one if the field stores a part of them in another spelling. */
function needlesIn(text: Value, needle: Value): Value[] {
  const sought = constantText(needle)
  if (sought === undefined) return [needle]
  const field = spelledField(text)
  const parts = field === undefined ? spellingsInJson(text, sought) : partSpellings(field, sought)
  if (parts === undefined) return [needle]
  return parts.map((part) => ({ kind: 'constant', constant: textConstant(part) }))
}

const nameOf = (value: Value): string => {
  const type = typeOf(value)
  return type === 'texts' ? 'list' : type
}

function checkToken(value: Value, at: Location): void {
  const token = constantText(value)
  if (token === undefined || /^[\p{L}\p{N}]+$/u.test(token)) return
  throw invalidQuery(at, 'a token consists of letters and digits; use $contains for any other text')
}
