import { failedStatus, isFailed } from '../../lib/failed-calls.ts'
import { opNameOfSpan } from '../format/ids.ts'
import type { Comparator, Condition, FilterNode, FilterValue } from './expression.ts'
import { kindOfPath, pathOfRequest, requestPath, searchedPaths } from './fields.ts'

/** A query expression of the API. */
export type Operation = Readonly<Record<string, unknown>>

/** A `query` of the API. */
export interface Query {
  readonly $expr: Operation
}

/** The API's query for a filter of calls, or of traces; undefined for none. */
export const toQuery = (node: FilterNode | undefined, rootsOnly = false): Query | undefined =>
  node === undefined ? undefined : { $expr: operationOf(node, rootsOnly) }

/** Condition for calls of the op `name`, whether they sent the name or a ref with it. */
export const opIs = (name: string): Operation => ({
  $or: [
    { $eq: [field('op_name'), literal(name)] },
    ...[...new Set([name, opNameOfSpan(name)])]
      .filter((each) => each !== '')
      .map((each) => ({
        $contains: { input: field('op_name'), substr: literal(`/op/${encodeURIComponent(each)}:`) },
      })),
  ],
})

/** Condition of a text without a field. */
export const anyText = (text: string): Operation => ({
  $or: searchedPaths.map((path) => ({
    $contains: { input: field(path), substr: literal(text), case_insensitive: true },
  })),
})

function operationOf(node: FilterNode, rootsOnly: boolean): Operation {
  const operation = (item: FilterNode) => operationOf(item, rootsOnly)
  switch (node.kind) {
    case 'all':
      return { $and: node.items.map(operation) }
    case 'any':
      return { $or: node.items.map(operation) }
    case 'not':
      return { $not: [operation(node.item)] }
    case 'text':
      return anyText(node.text)
    case 'condition':
      return conditionOf({ ...node, path: requestPath(node.path, rootsOnly) })
  }
}

function conditionOf(node: Condition): Operation {
  const { comparator, values, path } = node
  const operand = node.isSize ? { $size: field(path) } : field(path)
  const [value = ''] = values
  switch (comparator) {
    case '!=':
    case 'not in':
    case 'not contains':
      return { $not: [conditionOf({ ...node, comparator: positive[comparator] })] }
    case '=':
      if (isModel(node)) return holds(path, value)
      if (isStatus(node) && value === failedStatus) return isFailed
      return isOp(node) ? opIs(String(value)) : { $eq: [operand, literal(value)] }
    case 'in':
      if (isOp(node)) return { $or: values.map((name) => opIs(String(name))) }
      if (isModel(node)) return { $or: values.map((model) => holds(path, model)) }
      if (isStatus(node) && values.includes(failedStatus)) {
        const others = values.filter((status) => status !== failedStatus)
        return others.length === 0 ? isFailed : { $or: [isFailed, { $in: [operand, others.map(literal)] }] }
      }
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

/** Whether a condition compares statuses, of which `failed` represents several. */
const isStatus = ({ path, isSize }: Condition): boolean => !isSize && kindOfPath(path) === 'status'

/** Calls may use several models: their field is a list. */
const isModel = ({ path, isSize }: Condition): boolean => !isSize && kindOfPath(pathOfRequest(path)) === 'model'

const holds = (path: string, item: FilterValue): Operation => ({
  $contains: { input: field(path), substr: literal(String(item)) },
})

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
  const write: unknown = Reflect.get(JSON, 'rawJSON')
  return typeof write === 'function' ? write(String(value)) : Number(value)
}
