import type { QueryNode } from './table-query/query-tree.ts'

/**
 * The ids that a query names: `$eq` of the field `id` and a text, or `$or` of those; with `allowsIn` also `$in`. For operations that
 * take a query and want ids only.
 *
 * @returns undefined where the query is anything else
 */
export function idsNamedBy(
  node: QueryNode | undefined,
  { allowsIn }: { readonly allowsIn: boolean },
): string[] | undefined {
  if (node?.kind === 'compare' && node.operator === '$eq') {
    const { left, right } = node
    const id = isId(left) ? textOf(right) : isId(right) ? textOf(left) : undefined
    return id === undefined ? undefined : [id]
  }
  if (node?.kind === 'in' && allowsIn && isId(node.item)) return allOf(node.list.map(textOf))
  if (node?.kind === 'or') return allOf(node.items.map((item) => idsNamedBy(item, { allowsIn })))?.flat()
  return undefined
}

const isId = (node: QueryNode): boolean => node.kind === 'field' && node.field.column === 'id'

const textOf = (node: QueryNode): string | undefined =>
  node.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined

function allOf<T>(values: readonly (T | undefined)[]): T[] | undefined {
  return values.every((value) => value !== undefined) ? (values as T[]) : undefined
}
