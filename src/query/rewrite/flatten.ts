import type { Expression } from '../expression.ts'
import { mapConditions } from '../walk.ts'

/** An `all` in an `all` becomes one, likewise `any`; one part alone stands for itself. */
export const flatten = (where: Expression): Expression =>
  mapConditions(where, (expression) => {
    if (expression.kind !== 'all' && expression.kind !== 'any') return expression
    const items = expression.items.flatMap((item) => (item.kind === expression.kind ? item.items : [item]))
    return items.length === 1 ? items[0]! : { ...expression, items }
  })
