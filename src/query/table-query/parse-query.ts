import { DomainError, RequestInvalid } from '../../errors.ts'
import { isJsonObject, isRawNumber } from '../../kernel/json-value.ts'
import { limits } from '../../limits.ts'
import { resolveTableField, type TableFields } from '../table-fields.ts'
import type { Comparison, ConvertTo, LiteralValue, QueryNode } from './query-tree.ts'

type Path = readonly string[]

const conversions: ReadonlySet<string> = new Set<ConvertTo>(['double', 'string', 'int', 'bool', 'exists'])
const valueKinds: ReadonlySet<QueryNode['kind']> = new Set(['literal', 'field', 'convert', 'size'])

/**
 * Reads the `query` of a request: an object with the single member `$expr`.
 *
 * @returns undefined where there is none
 * @throws RequestInvalid with the JSON path of what does not fit the grammar
 * @throws DomainError InvalidField for an unknown field; InvalidRequest for an empty list or a literal that is no scalar
 */
export function parseTableQuery(
  query: unknown,
  fields: TableFields,
  path: Path = ['body', 'query'],
): QueryNode | undefined {
  if (query === undefined || query === null) return undefined
  const expression = onlyMember(query, path)
  if (expression.name !== '$expr') throw refused([...path, expression.name], 'Expected only $expr', 'extra_forbidden')
  const node = new QueryParser(fields).parse(expression.value, [...path, '$expr'])
  if (valueKinds.has(node.kind)) throw refused([...path, '$expr'], 'Expected a condition', 'value_error')
  return node
}

class QueryParser {
  private readonly fields: TableFields
  private nodesLeft: number = limits.tableQueryNodesMax

  constructor(fields: TableFields) {
    this.fields = fields
  }

  parse(value: unknown, at: Path): QueryNode {
    if (this.nodesLeft-- === 0) {
      throw new DomainError(
        'InvalidRequest',
        `Read the query: it has more than the ${limits.tableQueryNodesMax} operations allowed`,
      )
    }
    const { name, value: operands } = onlyMember(value, at)
    const path = [...at, name]
    switch (name) {
      case '$and':
      case '$or':
        return this.parseList(name, operands, path)
      case '$not':
        return { kind: 'not', item: this.operands(operands, 1, path)[0]! }
      case '$eq':
      case '$gt':
      case '$gte':
      case '$lt':
      case '$lte':
        return this.parseComparison(name, operands, path)
      case '$in':
        return this.parseIn(operands, path)
      case '$contains':
      case '$containsToken':
        return this.parseContains(operands, path, name === '$containsToken')
      case '$size':
        return { kind: 'size', input: this.parse(operands, path) }
      case '$literal':
        return { kind: 'literal', value: scalar(operands) }
      case '$getField':
        if (typeof operands !== 'string') throw refused(path, 'Expected a string', 'string_type')
        return { kind: 'field', field: resolveTableField(this.fields, operands) }
      case '$convert':
        return this.parseConvert(operands, path)
      default:
        throw refused(path, `Unknown operator "${name.slice(0, 40)}"`, 'extra_forbidden')
    }
  }

  private parseList(name: '$and' | '$or', operands: unknown, path: Path): QueryNode {
    if (!Array.isArray(operands)) throw refused(path, 'Expected a list', 'list_type')
    if (operands.length === 0) throw new DomainError('InvalidRequest', `Read the query: ${name} of nothing`)
    const items = operands.map((item, index) => this.parse(item, [...path, String(index)]))
    return items.length === 1 ? items[0]! : { kind: name === '$and' ? 'and' : 'or', items }
  }

  private parseComparison(operator: Comparison, operands: unknown, path: Path): QueryNode {
    const [left, right] = this.operands(operands, 2, path) as [QueryNode, QueryNode]
    return { kind: 'compare', operator, left, right }
  }

  private parseIn(operands: unknown, path: Path): QueryNode {
    if (!Array.isArray(operands) || operands.length !== 2 || !Array.isArray(operands[1])) {
      throw refused(path, 'Expected an operand and a list of operands', 'list_type')
    }
    const list = (operands[1] as unknown[]).map((item, index) => this.parse(item, [...path, '1', String(index)]))
    return { kind: 'in', item: this.parse(operands[0], [...path, '0']), list }
  }

  private parseContains(operands: unknown, path: Path, isWholeToken: boolean): QueryNode {
    const { input, substr, case_insensitive: ignoresCase, ...others } = membersOf(operands, path)
    refuseMembers(others, path)
    if (ignoresCase !== undefined && ignoresCase !== null && typeof ignoresCase !== 'boolean') {
      throw refused([...path, 'case_insensitive'], 'Expected true or false', 'bool_type')
    }
    const substring = this.parse(substr, [...path, 'substr'])
    if (isWholeToken) checkToken(substring)
    return {
      kind: 'contains',
      input: this.parse(input, [...path, 'input']),
      substring,
      ignoresCase: ignoresCase === true,
      isWholeToken,
    }
  }

  private parseConvert(operands: unknown, path: Path): QueryNode {
    const { input, to, ...others } = membersOf(operands, path)
    refuseMembers(others, path)
    if (typeof to !== 'string' || !conversions.has(to)) {
      throw refused([...path, 'to'], `Expected one of ${[...conversions].join(', ')}`, 'literal_error')
    }
    return { kind: 'convert', input: this.parse(input, [...path, 'input']), to: to as ConvertTo }
  }

  private operands(value: unknown, count: number, path: Path): QueryNode[] {
    if (!Array.isArray(value) || value.length !== count) {
      throw refused(path, `Expected a list of ${count}`, Array.isArray(value) ? 'too_short' : 'list_type')
    }
    return value.map((item, index) => this.parse(item, [...path, String(index)]))
  }
}

function checkToken(token: QueryNode): void {
  if (token.kind !== 'literal' || typeof token.value !== 'string' || /^[\p{L}\p{N}]+$/u.test(token.value)) return
  throw new DomainError(
    'InvalidRequest',
    'Read the query: a token consists of letters and digits; $contains finds any other text',
  )
}

function onlyMember(value: unknown, path: Path): { name: string; value: unknown } {
  const [member, second] = Object.entries(membersOf(value, path))
  if (member === undefined) throw refused(path, 'Expected an object with one operator', 'missing')
  if (second !== undefined) throw refused([...path, second[0]], 'Expected one operator only', 'extra_forbidden')
  return { name: member[0], value: member[1] }
}

function refuseMembers(others: object, path: Path): void {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw refused([...path, unknown], 'Unknown member', 'extra_forbidden')
}

function membersOf(value: unknown, path: Path): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value
  throw refused(path, 'Expected an object', 'dict_type')
}

/** Integers of up to 128 bits are compared to the last digit. */
const integerBits = 128

function scalar(value: unknown): LiteralValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return finite(value)
  // The body parser leaves integers that a double cannot hold as they were written.
  if (isRawNumber(value)) {
    const integer = BigInt(value.rawJSON)
    return BigInt.asIntN(integerBits, integer) === integer ? integer : finite(Number(value.rawJSON))
  }
  throw new DomainError('InvalidRequest', 'Read the query: a $literal is a text, a number, true, false or null')
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value
  throw new DomainError('InvalidRequest', 'Read the query: a $literal is beyond what a double can hold')
}

const refused = (loc: Path, msg: string, type: string) => new RequestInvalid([{ loc, msg, type }])
