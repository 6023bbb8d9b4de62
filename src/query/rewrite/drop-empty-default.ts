import { all, any, type Constant, type Expression, textOf, type Value } from '../expression.ts'

/**
 * Compares the plain column if a missing text cannot match, so that Parquet readers can skip row
 * groups by it:
 *
 *   { orEmpty(exception) = "x" } => { exception = "x" }
 *
 * Descends only where unknown counts as false.
 */
export function dropEmptyDefault(where: Expression): Expression {
  switch (where.kind) {
    case 'all':
      return all(where.items.map(dropEmptyDefault))
    case 'any':
      return any(where.items.map(dropEmptyDefault))
    case 'oneOf':
      return where.constants.every(isSomeText) ? { ...where, value: plain(where.value) } : where
    case 'contains':
      return isSomeTextValue(where.part) ? { ...where, input: plain(where.input) } : where
    case 'hasToken':
      return isSomeTextValue(where.token) ? { ...where, input: plain(where.input) } : where
    case 'compare': {
      const { comparison, left, right } = where
      if (isSomeTextValue(right) && ['=', '>', '>='].includes(comparison)) return { ...where, left: plain(left) }
      if (isSomeTextValue(left) && ['=', '<', '<='].includes(comparison)) return { ...where, right: plain(right) }
      return where
    }
    default:
      return where
  }
}

const plain = (value: Value): Value => (value.kind === 'orEmpty' ? value.input : value)

const isSomeTextValue = (value: Value): boolean => value.kind === 'constant' && isSomeText(value.constant)

const isSomeText = (constant: Constant): boolean => (textOf(constant) ?? '') !== ''
