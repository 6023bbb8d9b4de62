import type { TypedPath } from '../kernel/relation.ts'
import type { Field } from './catalog.ts'
import { type CastType, type Expression, typeOf, type Value } from './expression.ts'
import { mapParts, mapValueParts } from './walk.ts'

/**
 * Reads typed columns in place of JSON paths wherever the outcome is the same. A number column has no part in tests of texts, because
 * the text of a number is how it was written.
 */
export function withTypedPaths(where: Expression, typedPaths: readonly TypedPath[]): Expression {
  if (typedPaths.length === 0) return where
  const condition = (expression: Expression): Expression => {
    if (expression.kind === 'isNull') return { ...expression, value: find(expression.value) ?? value(expression.value) }
    if (expression.kind === 'compare' && expression.as === 'number') {
      return { ...expression, left: numeric(expression.left), right: numeric(expression.right) }
    }
    return mapParts(expression, condition, value)
  }
  const value = (part: Value): Value => {
    if (part.kind === 'cast') {
      const found = find(part.input)
      if (found !== undefined && isFaithful(typeOf(found), part.to)) return { kind: 'cast', to: part.to, input: found }
    }
    return mapValueParts(part, condition, value)
  }
  const numeric = (part: Value): Value => {
    const found = find(part)
    return found !== undefined && ['integer', 'double'].includes(typeOf(found)) ? found : value(part)
  }
  const find = (part: Value): Value | undefined => {
    if (part.kind !== 'field' || part.field.kind !== 'json' || part.field.of !== undefined) return undefined
    if (part.field.expanded !== undefined) return undefined
    const typed = typedPaths.find((candidate) => isSamePath(candidate, part.field as Field & { kind: 'json' }))
    return typed && { kind: 'field', field: { kind: 'typedPath', column: typed.typedColumn, type: typed.type } }
  }
  return condition(where)
}

const isSamePath = (typed: TypedPath, field: Extract<Field, { kind: 'json' }>): boolean =>
  typed.column === field.column &&
  typed.path.length === field.path.length &&
  typed.path.every((segment, index) => segment === field.path[index])

/** Whether casting the column gives what casting the JSON would. */
function isFaithful(from: string, to: CastType): boolean {
  if (from === 'text' || from === 'integer') return true
  if (from === 'double') return to === 'double'
  return to === 'boolean' || to === 'text'
}
