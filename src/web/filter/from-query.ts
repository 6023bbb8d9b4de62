import { failedStatus, isFailed } from '../../lib/failed-calls.ts'
import { memberOf } from '../../lib/present.ts'
import { allOf, anyOf, type Comparator, condition, type FilterNode, type FilterValue, negated } from './expression.ts'
import { kindOfPath, pathOfRequest } from './fields.ts'
import { anyText, opIs } from './to-query.ts'

/**
 * The filter that a query of the API says; undefined if the filter bar has no words for it.
 * @param query with its `$expr`, as requests and saved views carry it
 */
export function fromQuery(query: unknown): FilterNode | undefined {
  const expression = memberOf(query, '$expr')
  return expression === undefined ? undefined : nodeOf(expression)
}

function nodeOf(operation: unknown): FilterNode | undefined {
  if (typeof operation !== 'object' || operation === null) return undefined
  const [[name, operands] = [], ...others] = Object.entries(operation)
  if (name === undefined || others.length > 0) return undefined
  switch (name) {
    case '$and':
      return joinedNodes(operands, allOf)
    case '$or':
      return nodeOfAlternatives(operation, operands)
    case '$not': {
      const item = nodeOf(listOf(operands)[0])
      return item && negated(item)
    }
    case '$eq':
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return comparisonOf(comparators[name], listOf(operands))
    case '$in':
      return membershipOf(listOf(operands))
    case '$contains':
    case '$containsToken':
      return searchOf(name, operands)
    default:
      return undefined
  }
}

const comparators = { $eq: '=', $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' } as const satisfies Record<
  string,
  Comparator
>

function nodeOfAlternatives(operation: unknown, operands: unknown): FilterNode | undefined {
  const items = listOf(operands)
  if (isSame(operation, isFailed)) return condition(statusPath, '=', [failedStatus])
  const op = literalOf(listOf(memberOf(items[0], '$eq'))[1])
  if (typeof op === 'string' && isSame(operation, opIs(op))) return condition('op_name', '=', [op])
  const text = literalOf(memberOf(memberOf(items[0], '$contains'), 'substr'))
  if (typeof text === 'string' && isSame(operation, anyText(text))) return { kind: 'text', text }
  const ops = items.map((item) => literalOf(listOf(memberOf(listOf(memberOf(item, '$or'))[0], '$eq'))[1]))
  const names = ops.filter((name) => typeof name === 'string')
  const isOps = names.length > 0 && names.length === ops.length && isSame(items, names.map(opIs))
  if (isOps) return condition('op_name', 'in', names)
  return failedAmong(items) ?? joinedModels(joinedNodes(operands, anyOf))
}

const statusPath = 'summary.ext.status'

/** `status in (failed, running)`. */
function failedAmong([failed, others, ...more]: readonly unknown[]): FilterNode | undefined {
  const list = more.length === 0 && isSame(failed, isFailed) ? membershipOf(listOf(memberOf(others, '$in'))) : undefined
  if (list?.kind !== 'condition' || list.path !== statusPath || list.isSize) return undefined
  return condition(statusPath, 'in', [failedStatus, ...list.values])
}

/** `model = "a" or model = "b"` is `model in ("a", "b")`. */
function joinedModels(node: FilterNode | undefined): FilterNode | undefined {
  const items = node?.kind === 'any' ? node.items : []
  const ofModels = items.flatMap((item) =>
    item.kind === 'condition' && item.comparator === '=' && kindOfPath(item.path) === 'model' ? [item] : [],
  )
  const [first] = ofModels
  const models = ofModels.flatMap(({ values }) => values)
  return first && models.length > 1 && models.length === items.length ? condition(first.path, 'in', models) : node
}

function joinedNodes(
  operands: unknown,
  join: (items: readonly FilterNode[]) => FilterNode | undefined,
): FilterNode | undefined {
  const items = listOf(operands).map(nodeOf)
  return items.every((item) => item !== undefined) ? join(items) : undefined
}

function comparisonOf(
  comparator: '=' | '>' | '>=' | '<' | '<=',
  [left, right]: readonly unknown[],
): FilterNode | undefined {
  const operand = operandOf(left)
  const value = literalOf(right)
  if (!operand || value === undefined) return undefined
  if (value !== null) return condition(operand.path, comparator, [value], operand.isSize)
  return comparator === '=' ? condition(operand.path, 'missing', [], operand.isSize) : undefined
}

function membershipOf([item, list]: readonly unknown[]): FilterNode | undefined {
  const operand = operandOf(item)
  const values = listOf(list).map(literalOf)
  const known = values.filter((value) => value !== undefined && value !== null)
  const isPlain = known.length > 0 && known.length === values.length
  return operand && isPlain ? condition(operand.path, 'in', known, operand.isSize) : undefined
}

function searchOf(name: '$contains' | '$containsToken', operands: unknown): FilterNode | undefined {
  const operand = operandOf(memberOf(operands, 'input'))
  const part = literalOf(memberOf(operands, 'substr'))
  const ignoresCase = memberOf(operands, 'case_insensitive') === true
  if (!operand || operand.isSize || typeof part !== 'string') return undefined
  if (kindOfPath(operand.path) === 'model') return ignoresCase ? undefined : condition(operand.path, '=', [part])
  if (name === '$containsToken') return ignoresCase ? condition(operand.path, 'has word', [part]) : undefined
  return condition(operand.path, ignoresCase ? 'contains' : 'contains exactly', [part])
}

/** A field, as it is or converted: the comparison with a literal converts it anyway. */
function operandOf(value: unknown): { path: string; isSize: boolean } | undefined {
  const path = memberOf(value, '$getField')
  if (typeof path === 'string') return { path: pathOfRequest(path), isSize: false }
  const sized = memberOf(memberOf(value, '$size'), '$getField')
  if (typeof sized === 'string') return { path: pathOfRequest(sized), isSize: true }
  const conversion = memberOf(value, '$convert')
  const isValue = conversion !== undefined && memberOf(conversion, 'to') !== 'exists'
  return isValue ? operandOf(memberOf(conversion, 'input')) : undefined
}

/** Value of a literal; undefined for anything else. */
function literalOf(value: unknown): FilterValue | null | undefined {
  const literal = memberOf(value, '$literal')
  const raw = memberOf(literal, 'rawJSON')
  if (typeof raw === 'string') return BigInt(raw)
  if (literal === null || typeof literal === 'string') return literal
  return typeof literal === 'number' || typeof literal === 'boolean' ? literal : undefined
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
