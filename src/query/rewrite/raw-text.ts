import { type Constant, type Expression, textOf, type Value } from '../expression.ts'
import { mapConditions } from '../walk.ts'

/**
 * Reads texts from JSON without normalizing numbers if the other text cannot be part of a number,
 * because only strings can match then:
 *
 *   { text(inputs.x) = "abc" } => { rawText(inputs.x) = "abc" }
 */
export const rawText = (where: Expression): Expression =>
  mapConditions(where, (expression) => {
    switch (expression.kind) {
      case 'oneOf':
        return expression.constants.every(isNoNumber) ? { ...expression, value: raw(expression.value) } : expression
      case 'compare':
        if (expression.comparison !== '=' || expression.as !== 'text') return expression
        if (isNoNumberValue(expression.right)) return { ...expression, left: raw(expression.left) }
        return isNoNumberValue(expression.left) ? { ...expression, right: raw(expression.right) } : expression
      case 'contains':
        return isNoNumberValue(expression.part) ? { ...expression, input: raw(expression.input) } : expression
      case 'hasToken':
        return isNoNumberValue(expression.token) ? { ...expression, input: raw(expression.input) } : expression
      default:
        return expression
    }
  })

const isNoNumberValue = (value: Value): boolean => value.kind === 'constant' && isNoNumber(value.constant)

const isNoNumber = (constant: Constant): boolean => /[^-+0-9.eE]/.test(textOf(constant) ?? '')

function raw(value: Value): Value {
  if (value.kind !== 'cast' || value.to !== 'text') return value
  return value.input.kind === 'field' && value.input.field.kind === 'json' ? { ...value, isRaw: true } : value
}
