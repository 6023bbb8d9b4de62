import { all, always, any, type Expression, isAlways, never, not } from '../expression.ts'
import type { Comparison } from '../grammar.ts'
import { mapConditions } from '../walk.ts'

/**
 * Removes constant operands:
 *
 *   { a && true } => { a }, { a || true } => { true }
 */
export const foldConstants = (where: Expression): Expression =>
  mapConditions(where, (expression) => {
    switch (expression.kind) {
      case 'all':
        if (expression.items.some(isNever)) return never
        return all(expression.items.filter((item) => !isAlways(item)))
      case 'any':
        if (expression.items.some(isAlways)) return always
        return any(expression.items.filter((item) => !isNever(item)))
      case 'not':
        if (isNever(expression.item)) return always
        return isAlways(expression.item) ? never : expression
      default:
        return expression
    }
  })

const isNever = (item: Expression): boolean => item.kind === 'any' && item.items.length === 0

/**
 * Joins nested conjunctions and disjunctions:
 *
 *   { a && (b && c) } => { a && b && c }
 */
export const flatten = (where: Expression): Expression =>
  mapConditions(where, (expression) => {
    if (expression.kind !== 'all' && expression.kind !== 'any') return expression
    const items = expression.items.flatMap((item) => (item.kind === expression.kind ? item.items : [item]))
    const [first, ...others] = items
    return first !== undefined && others.length === 0 ? first : { ...expression, items }
  })

const opposite: Partial<Record<Comparison, Comparison>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' }

/**
 * Pushes NOT down to the comparisons. De Morgan's laws hold for unknown too.
 *
 *   { !(a > 1 && b) } => { a <= 1 || !b }
 */
export const pushDownNot = (where: Expression): Expression =>
  mapConditions(where, (expression) => (expression.kind === 'not' ? negated(expression.item) : expression))

function negated(item: Expression): Expression {
  switch (item.kind) {
    case 'not':
      return item.item
    case 'all':
      return any(item.items.map(negated))
    case 'any':
      return all(item.items.map(negated))
    case 'unknown':
      return item
    case 'compare': {
      const comparison = opposite[item.comparison]
      return comparison === undefined ? not(item) : { ...item, comparison }
    }
    default:
      return not(item)
  }
}
