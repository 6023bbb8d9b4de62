import { all, always, any, type Expression, never } from '../expression.ts'
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

const isAlways = (item: Expression): boolean => item.kind === 'all' && item.items.length === 0
const isNever = (item: Expression): boolean => item.kind === 'any' && item.items.length === 0
