import { all, any, type Expression, not } from '../expression.ts'
import type { Comparison } from '../grammar.ts'
import { mapConditions } from '../walk.ts'

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
