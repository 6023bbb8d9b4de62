/** A filter text that cannot be read. The message is a sentence for people. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
  /** Where the text stops making sense. */
  readonly from: number
  readonly to: number

  constructor(message: string, from: number, to: number) {
    super(message)
    this.from = from
    this.to = to
  }
}

/** Operator of a comparison. `contains` ignores case, `contains exactly` does not. */
export type Comparator =
  | '='
  | '!='
  | '>'
  | '>='
  | '<'
  | '<='
  | 'contains'
  | 'not contains'
  | 'contains exactly'
  | 'has word'
  | 'in'
  | 'not in'
  | 'exists'
  | 'missing'

/** A value to compare with. Integers that a double cannot hold are `bigint`. */
export type FilterValue = string | number | bigint | boolean

/**
 * A condition on one field. `exists` and `missing` have no values, lists any number, others one.
 */
export interface Condition {
  readonly kind: 'condition'
  /** Path as the API spells it. */
  readonly path: string
  /** Compares the number of members instead of the value. */
  readonly isSize: boolean
  readonly comparator: Comparator
  readonly values: readonly FilterValue[]
}

/** A filter as the filter bar reads and writes it. */
export type FilterNode =
  | Condition
  /** Searches inputs, output, error and name. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'all' | 'any'; readonly items: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly item: FilterNode }

/** A condition on a field. */
export const condition = (
  path: string,
  comparator: Comparator,
  values: readonly FilterValue[],
  isSize = false,
): Condition => ({ kind: 'condition', path, isSize, comparator, values })

/** All of the items: undefined if there are none, the item itself if there is one. */
export const allOf = (items: readonly FilterNode[]): FilterNode | undefined => joined('all', items)

/** Any of the items: undefined if there are none, the item itself if there is one. */
export const anyOf = (items: readonly FilterNode[]): FilterNode | undefined => joined('any', items)

/** The parts that all have to match: what the filter bar shows as chips. */
export const partsOf = (node: FilterNode | undefined): readonly FilterNode[] =>
  node === undefined ? [] : node.kind === 'all' ? node.items : [node]

/** All conditions in a filter. */
export function conditionsOf(node: FilterNode | undefined): readonly Condition[] {
  switch (node?.kind) {
    case 'condition':
      return [node]
    case 'not':
      return conditionsOf(node.item)
    case 'all':
    case 'any':
      return node.items.flatMap(conditionsOf)
    default:
      return []
  }
}

/** The opposite of a filter, as a comparator where there is one. */
export function negated(node: FilterNode): FilterNode {
  if (node.kind === 'not') return node.item
  const opposite = node.kind === 'condition' ? opposites.get(node.comparator) : undefined
  return node.kind === 'condition' && opposite ? { ...node, comparator: opposite } : { kind: 'not', item: node }
}

/** Comparisons of size have no opposite here: a call without the field matches neither. */
const pairs: readonly (readonly [Comparator, Comparator])[] = [
  ['=', '!='],
  ['contains', 'not contains'],
  ['in', 'not in'],
  ['exists', 'missing'],
]

const opposites = new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))

function joined(kind: 'all' | 'any', items: readonly FilterNode[]): FilterNode | undefined {
  const flat = items.flatMap((item) => (item.kind === kind ? item.items : [item]))
  return flat.length > 1 ? { kind, items: flat } : flat[0]
}
