import type { Comparator, Condition, FilterNode, FilterValue } from './expression.ts'
import { kindOfPath, searchedPaths } from './fields.ts'

/** A query expression of the API. */
export type Operation = Readonly<Record<string, unknown>>

/** A `query` of the API. */
export interface Query {
  readonly $expr: Operation
}

/** The API's query for a filter; undefined for none. */
export const toQuery = (node: FilterNode | undefined): Query | undefined =>
  node === undefined ? undefined : { $expr: operationOf(node) }

/** What matches a call of the op with that name, whether it sent the name or a ref with it. */
export const opIs = (name: string): Operation => ({
  $or: [
    { $eq: [field('op_name'), literal(name)] },
    { $contains: { input: field('op_name'), substr: literal(`/op/${encodeURIComponent(name)}:`) } },
  ],
})

/** What a text that stands alone matches. */
export const anyText = (text: string): Operation => ({
  $or: searchedPaths.map((path) => ({
    $contains: { input: field(path), substr: literal(text), case_insensitive: true },
  })),
})

function operationOf(node: FilterNode): Operation {
  switch (node.kind) {
    case 'all':
      return { $and: node.items.map(operationOf) }
    case 'any':
      return { $or: node.items.map(operationOf) }
    case 'not':
      return { $not: [operationOf(node.item)] }
    case 'text':
      return anyText(node.text)
    case 'condition':
      return conditionOf(node)
  }
}

function conditionOf(node: Condition): Operation {
  const { comparator, values, path } = node
  const operand = node.isSize ? { $size: field(path) } : field(path)
  const [value] = values as [FilterValue]
  switch (comparator) {
    case '!=':
    case 'not in':
    case 'not contains':
      return { $not: [conditionOf({ ...node, comparator: positive[comparator] })] }
    case '=':
      return isOp(node) ? opIs(String(value)) : { $eq: [operand, literal(value)] }
    case 'in':
      if (isOp(node)) return { $or: values.map((name) => opIs(String(name))) }
      return { $in: [operand, values.map(literal)] }
    case 'exists':
      return { $not: [{ $eq: [operand, { $literal: null }] }] }
    case 'missing':
      return { $eq: [operand, { $literal: null }] }
    case 'contains':
      return { $contains: { input: operand, substr: literal(value), case_insensitive: true } }
    case 'contains exactly':
      return { $contains: { input: operand, substr: literal(value) } }
    case 'has word':
      return { $containsToken: { input: operand, substr: literal(value), case_insensitive: true } }
    default:
      return { [operators[comparator]]: [operand, literal(value)] }
  }
}

/** Whether a condition compares ops by name, in whatever form calls have it. */
const isOp = ({ path, isSize, values }: Condition): boolean =>
  !isSize && kindOfPath(path) === 'op' && values.every((value) => !String(value).includes(':///'))

const positive = { '!=': '=', 'not in': 'in', 'not contains': 'contains' } as const satisfies Partial<
  Record<Comparator, Comparator>
>

const operators = { '>': '$gt', '>=': '$gte', '<': '$lt', '<=': '$lte' } as const

const field = (path: string): Operation => ({ $getField: path })

const literal = (value: FilterValue): Operation => ({
  $literal: typeof value === 'bigint' ? exactInteger(value) : value,
})

/** JSON.stringify writes it digit by digit; browsers without `rawJSON` round it. */
function exactInteger(value: bigint): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  return rawJSON ? rawJSON(String(value)) : Number(value)
}
