import { assertNever } from '../lib/errors.ts'
import type { Field } from './catalog.ts'
import type { Expression, Value } from './expression.ts'

/**
 * The expression with its direct parts replaced; the only function that knows which members are
 * parts.
 */
function mapParts(
  expression: Expression,
  mapCondition: (part: Expression) => Expression,
  mapValue: (part: Value) => Value,
): Expression {
  switch (expression.kind) {
    case 'all':
    case 'any':
      return { ...expression, items: expression.items.map(mapCondition) }
    case 'not':
      return { ...expression, item: mapCondition(expression.item) }
    case 'anyFeedback':
    case 'anyQueueItem':
      return { ...expression, condition: mapCondition(expression.condition) }
    case 'isNull':
    case 'isTrue':
    case 'oneOf':
      return { ...expression, value: mapValue(expression.value) }
    case 'compare':
      return { ...expression, left: mapValue(expression.left), right: mapValue(expression.right) }
    case 'contains':
      return { ...expression, input: mapValue(expression.input), part: mapValue(expression.part) }
    case 'hasToken':
      return { ...expression, input: mapValue(expression.input), token: mapValue(expression.token) }
    case 'listContains':
      return { ...expression, list: mapValue(expression.list), item: mapValue(expression.item) }
    case 'unknown':
    case 'startsWith':
    case 'listHolds':
    case 'within':
    case 'inTable':
    case 'sampled':
      return expression
    default:
      return assertNever(expression)
  }
}

/** The value with its direct parts replaced. */
function mapValueParts(
  value: Value,
  mapCondition: (part: Expression) => Expression,
  mapValue: (part: Value) => Value,
): Value {
  switch (value.kind) {
    case 'field':
    case 'constant':
      return value
    case 'cast':
    case 'size':
    case 'orEmpty':
      return { ...value, input: mapValue(value.input) }
    case 'truth':
      return { ...value, of: mapCondition(value.of) }
    default:
      return assertNever(value)
  }
}

/** Replaces conditions bottom-up, including those inside values. */
export function mapConditions(expression: Expression, change: (expression: Expression) => Expression): Expression {
  const condition = (part: Expression): Expression => mapConditions(part, change)
  const value = (part: Value): Value => mapValueParts(part, condition, value)
  return change(mapParts(expression, condition, value))
}

/** Replaces values bottom-up, including those inside conditions. */
export function mapValues(expression: Expression, change: (value: Value) => Value): Expression {
  const condition = (part: Expression): Expression => mapParts(part, condition, value)
  const value = (part: Value): Value => change(mapValueParts(part, condition, value))
  return condition(expression)
}

/** Calls `visit` with every field of the expression. */
export function visitFields(expression: Expression, visit: (field: Field) => void): void {
  const condition = (part: Expression): Expression => {
    if ('field' in part) visit(part.field)
    return mapParts(part, condition, value)
  }
  const value = (part: Value): Value => {
    if (part.kind === 'field') visit(part.field)
    return mapValueParts(part, condition, value)
  }
  condition(expression)
}
