import type { Expression } from '../expression.ts'
import { mapConditions } from '../walk.ts'

/**
 * Joins nested conjunctions and disjunctions:
 *
 *   { a && (b && c) } => { a && b && c }
 */
export const flatten = (where: Expression): Expression =>
  mapConditions(where, (expression) => {
    if (expression.kind !== 'all' && expression.kind !== 'any') return expression
    const items = expression.items.flatMap((item) => (item.kind === expression.kind ? item.items : [item]))
    return items.length === 1 ? items[0]! : { ...expression, items }
  })
