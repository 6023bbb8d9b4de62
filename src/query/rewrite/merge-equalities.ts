import { type Constant, type Expression, oneOfAll, type Value } from '../expression.ts'
import { mapConditions } from '../walk.ts'

type OneOf = Extract<Expression, { kind: 'oneOf' }>

/**
 * Merges equalities of one plain column into a list, by which Parquet readers can skip row groups:
 *
 *   { op = "a" || op = "b" } => { op in ["a", "b"] }
 */
export const mergeEqualities = (where: Expression): Expression =>
  mapConditions(where, (expression) => {
    if (expression.kind !== 'any') return expression
    const merged: Expression[] = []
    const lists = new Map<string, OneOf>()
    for (const item of expression.items) {
      const equal = equalityOfColumn(item)
      const key = equal && `${equal.as} ${columnOf(equal.value)}`
      if (equal === undefined || key === undefined) merged.push(item)
      else {
        const constants: readonly Constant[] = [...(lists.get(key)?.constants ?? []), ...equal.constants]
        lists.set(key, { ...equal, constants })
      }
    }
    return oneOfAll([...lists.values(), ...merged])
  })

function equalityOfColumn(item: Expression): OneOf | undefined {
  if (item.kind === 'oneOf') return columnOf(item.value) === undefined ? undefined : item
  if (item.kind !== 'compare' || item.comparison !== '=') return undefined
  const { left, right, as } = item
  if (columnOf(left) === undefined || right.kind !== 'constant' || 'isNull' in right.constant) return undefined
  if (as !== 'text' && as !== 'integer' && as !== 'time') return undefined
  return { kind: 'oneOf', value: left, as, constants: [right.constant] }
}

const columnOf = (value: Value): string | undefined =>
  value.kind === 'field' && value.field.kind === 'column' ? value.field.column : undefined
