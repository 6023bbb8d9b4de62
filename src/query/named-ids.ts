import type { Expression, Value } from './expression.ts'

/**
 * The ids to which a condition restricts rows: `{ id = "a" || id = "b" }` => `["a", "b"]`. Works
 * before rewriting.
 *
 * @param options.allowsIn whether `$in` counts too
 * @returns undefined for any other condition
 */
export function idsNamedBy(where: Expression, options: { readonly allowsIn: boolean }): string[] | undefined {
  switch (where.kind) {
    case 'compare': {
      if (where.comparison !== '=') return undefined
      const { left, right } = where
      const id = isId(left) ? textOf(right) : isId(right) ? textOf(left) : undefined
      return id === undefined ? undefined : [id]
    }
    case 'oneOf': {
      if (!options.allowsIn || !isId(where.value)) return undefined
      return allOf(where.constants.map((constant) => textOf({ kind: 'constant', constant })))
    }
    case 'any':
      return allOf(where.items.map((item) => idsNamedBy(item, options)))?.flat()
    default:
      return undefined
  }
}

const isId = (value: Value): boolean =>
  value.kind === 'field' && value.field.kind === 'column' && value.field.column === 'id'

const textOf = (value: Value): string | undefined =>
  value.kind === 'constant' && value.constant.type === 'text' && 'value' in value.constant
    ? value.constant.value
    : undefined

function allOf<T>(values: readonly (T | undefined)[]): T[] | undefined {
  return values.every((value) => value !== undefined) ? (values as T[]) : undefined
}
