import { allOf, condition, type FilterNode, type FilterValue, partsOf } from './expression.ts'

/** The values that a filter asks a path to have. */
export function chosenValues(node: FilterNode | undefined, path: string): readonly FilterValue[] {
  const own = partsOf(node).find((part) => part.kind === 'condition' && isChoice(part) && part.path === path)
  return own?.kind === 'condition' ? own.values : []
}

/** The filter with other values for a path; none takes the condition away. */
export function withValues(
  node: FilterNode | undefined,
  path: string,
  values: readonly FilterValue[],
): FilterNode | undefined {
  const others = partsOf(node).filter((part) => !(part.kind === 'condition' && isChoice(part) && part.path === path))
  const own = values.length === 0 ? [] : [condition(path, values.length === 1 ? '=' : 'in', values)]
  return allOf([...others, ...own])
}

/** The bounds that a filter sets for a path. */
export function chosenBounds(node: FilterNode | undefined, path: string): { from?: number; to?: number } {
  const bounds: { from?: number; to?: number } = {}
  for (const part of partsOf(node)) {
    if (part.kind !== 'condition' || part.path !== path || part.isSize) continue
    const [value] = part.values
    if (part.comparator.startsWith('>')) bounds.from = Number(value)
    if (part.comparator.startsWith('<')) bounds.to = Number(value)
  }
  return bounds
}

/** The filter with other bounds for a path. */
export function withBounds(
  node: FilterNode | undefined,
  path: string,
  bounds: { from?: number | undefined; to?: number | undefined },
): FilterNode | undefined {
  const others = partsOf(node).filter((part) => !(part.kind === 'condition' && part.path === path && isBound(part)))
  return allOf([
    ...others,
    ...(bounds.from === undefined ? [] : [condition(path, '>=', [bounds.from])]),
    ...(bounds.to === undefined ? [] : [condition(path, '<=', [bounds.to])]),
  ])
}

/**
 * The filter without what it says about a path: a facet counts what there would be if another of
 * its
 * values were chosen.
 */
export const withoutPath = (node: FilterNode | undefined, path: string): FilterNode | undefined =>
  allOf(partsOf(node).filter((part) => !(part.kind === 'condition' && part.path === path)))

const isChoice = ({ comparator, isSize }: { comparator: string; isSize: boolean }): boolean =>
  !isSize && (comparator === '=' || comparator === 'in')

const isBound = ({ comparator }: { comparator: string }): boolean => /^[<>]/.test(comparator)
