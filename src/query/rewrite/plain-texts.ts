import { all, any, type Constant, type Expression, type Value } from '../expression.ts'

/**
 * Leaves columns as they are where a missing text is not what is looked for: readers of Parquet files can use a plain column. Only where
 * unknown counts as false.
 */
export function plainTexts(where: Expression): Expression {
  switch (where.kind) {
    case 'all':
      return all(where.items.map(plainTexts))
    case 'any':
      return any(where.items.map(plainTexts))
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

const isSomeText = (constant: Constant): boolean =>
  constant.type === 'text' && !('isNull' in constant) && constant.value !== ''
