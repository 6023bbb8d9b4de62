import { assertNever, DomainError, ValidationError } from '../../lib/errors.ts'
import { isJsonObject, isRawNumber } from '../../lib/json-value.ts'
import { queryLimits } from '../../lib/limits/queries.ts'
import { didYouMean } from '../catalog.ts'
import { comparisons, conditionOperators, conversions, findOperator, type Operator, operators } from '../grammar.ts'
import type { Location, Scalar, Syntax } from './syntax.ts'

export interface ParseOptions {
  /** Path of the query in the request; `body.query` unless given. */
  readonly at?: Location
  /** The most operators and operands it may have. */
  readonly nodesMax?: number
}

/**
 * Parses the `query` member of a request, `{"$expr": operation}`.
 *
 * @returns undefined if the request has no query
 * @throws ValidationError for a wrong shape, with the JSON path in `loc`
 * @throws DomainError InvalidRequest for a query of the right shape that has no meaning or exceeds
 *   a bound
 */
export function parseQuery(
  query: unknown,
  { at = ['body', 'query'], nodesMax = queryLimits.queryNodesMax }: ParseOptions = {},
): Syntax | undefined {
  if (query === null || query === undefined) return undefined
  const members = objectAt(query, at)
  const expression = members['$expr'] ?? members['expr_']
  for (const name of Object.keys(members)) {
    if (name !== '$expr' && name !== 'expr_') throw shapeError([...at, name], 'Unknown member', 'extra_forbidden')
  }
  if (expression === undefined) throw shapeError([...at, '$expr'], 'Field required', 'missing')
  const inside = [...at, '$expr']
  const syntax = new Parser(nodesMax).operation(expression, inside, 1)
  const [name = ''] = Object.keys(objectAt(expression, inside))
  const operator = findOperator(name) ?? name
  if (conditionOperators.has(operator)) return syntax
  throw shapeError([...inside, operator], `${operator} is a value, not a condition`, 'condition_type')
}

/** Parses one expression and counts its parts. */
class Parser {
  private nodes = 0
  private listedValues = 0
  private readonly nodesMax: number

  constructor(nodesMax: number) {
    this.nodesMax = nodesMax
  }

  operation(value: unknown, at: Location, depth: number): Syntax {
    if (depth > queryLimits.queryDepthMax)
      throw queryTooLarge(`operators nested deeper than ${queryLimits.queryDepthMax}`)
    this.nodes += 1
    if (this.nodes > this.nodesMax) throw queryTooLarge(`more than ${this.nodesMax} operators and operands`)
    const members = objectAt(value, at)
    const [name, second] = Object.keys(members)
    if (name === undefined) throw shapeError(at, 'Expected an object with one operator', 'missing')
    if (second !== undefined) throw shapeError([...at, second], 'Expected one operator only', 'extra_forbidden')
    const operator = findOperator(name)
    if (operator === undefined) {
      throw shapeError([...at, name], `Unknown operator${didYouMean(name, Object.keys(operators))}`, 'extra_forbidden')
    }
    return this.operands(operator, members[name], [...at, name], depth)
  }

  private operands(operator: Operator, value: unknown, at: Location, depth: number): Syntax {
    const inner = (item: unknown, ...path: string[]) => this.operation(item, [...at, ...path], depth + 1)
    switch (operator) {
      case '$literal':
        return { kind: 'literal', value: literalAt(value, at), at }
      case '$getField':
        return { kind: 'field', path: textAt(value, at), at }
      case '$size':
        return { kind: 'size', input: inner(value), at }
      case '$and':
      case '$or': {
        const items = listAt(value, at).map((item, index) => inner(item, String(index)))
        if (items.length === 0) throw invalidQuery(at, `${operator} needs at least one operand`)
        return { kind: operator === '$and' ? 'and' : 'or', items, at }
      }
      case '$not': {
        const [item] = listAt(value, at, 1)
        return { kind: 'not', item: inner(item, '0'), at }
      }
      case '$eq':
      case '$gt':
      case '$gte':
      case '$lt':
      case '$lte': {
        const [left, right] = listAt(value, at, 2)
        const comparison = comparisons[operator]
        return { kind: 'compare', comparison, left: inner(left, '0'), right: inner(right, '1'), at }
      }
      case '$in': {
        const [item, list] = listAt(value, at, 2)
        return { kind: 'in', item: inner(item, '0'), list: this.list(list, [...at, '1'], depth + 1), at }
      }
      case '$contains':
      case '$containsToken': {
        const members = membersAt(value, at, ['input', 'substr'], ['case_insensitive'])
        const flag = members['case_insensitive'] ?? false
        if (typeof flag !== 'boolean') {
          throw shapeError([...at, 'case_insensitive'], 'Expected true or false', 'bool_type')
        }
        const [input, part] = [inner(members['input'], 'input'), inner(members['substr'], 'substr')]
        return { kind: 'contains', input, part, ignoreCase: flag, wholeToken: operator === '$containsToken', at }
      }
      case '$convert': {
        const members = membersAt(value, at, ['input', 'to'], [])
        const to = conversions.find((known) => known === members['to'])
        if (to === undefined) throw shapeError([...at, 'to'], expectedConversion, 'enum')
        return { kind: 'convert', input: inner(members['input'], 'input'), to, at }
      }
      default:
        return assertNever(operator)
    }
  }

  /** The list of `$in`. Its literals have a bound of their own. */
  private list(value: unknown, at: Location, depth: number): Syntax[] {
    const items = listAt(value, at)
    this.listedValues += items.length
    if (items.length > queryLimits.queryInValuesMax) {
      throw queryTooLarge(`${items.length} values in one $in, more than ${queryLimits.queryInValuesMax}`)
    }
    if (this.listedValues > queryLimits.queryInValuesTotalMax) {
      throw queryTooLarge(`more than ${queryLimits.queryInValuesTotalMax} values in all $in lists`)
    }
    return items.map((item, index) => {
      const syntax = this.operation(item, [...at, String(index)], depth)
      if (syntax.kind === 'literal') this.nodes -= 1
      return syntax
    })
  }
}

const expectedConversion = `Expected ${conversions.map((name) => `"${name}"`).join(' or ')}`

function objectAt(value: unknown, at: Location): Record<string, unknown> {
  if (isJsonObject(value)) return value
  throw shapeError(at, 'Expected an object', 'dict_type')
}

function listAt(value: unknown, at: Location, length?: number): readonly unknown[] {
  if (!Array.isArray(value)) throw shapeError(at, 'Expected an array', 'list_type')
  if (length === undefined || value.length === length) return value
  const type = value.length < length ? 'too_short' : 'too_long'
  throw shapeError(at, `Expected an array of ${length}, not of ${value.length}`, type)
}

function textAt(value: unknown, at: Location): string {
  if (typeof value === 'string') return value
  throw shapeError(at, 'Expected a string', 'string_type')
}

function membersAt(
  value: unknown,
  at: Location,
  required: readonly string[],
  optional: readonly string[],
): Record<string, unknown> {
  const members = objectAt(value, at)
  for (const name of required) {
    if (!Object.hasOwn(members, name)) throw shapeError([...at, name], 'Field required', 'missing')
  }
  for (const name of Object.keys(members)) {
    if (!required.includes(name) && !optional.includes(name)) {
      throw shapeError([...at, name], 'Unknown member', 'extra_forbidden')
    }
  }
  return members
}

function literalAt(value: unknown, at: Location): Scalar {
  switch (typeof value) {
    case 'string':
      if (value.length <= queryLimits.queryTextCharsMax) return value
      throw queryTooLarge(`a literal of ${value.length} characters, more than ${queryLimits.queryTextCharsMax}`)
    case 'number':
      return finite(value, at)
    case 'boolean':
    case 'bigint':
      return value
    default:
      if (value === null) return null
      if (isRawNumber(value)) return numberOf(value.rawJSON, at)
      throw invalidQuery(at, 'a literal must be a string, a number, true, false or null')
  }
}

/**
 * A number that is spelled as JavaScript would not: integers beyond a double's precision are
 * compared exactly, up to the number of digits that comparisons support.
 */
const numberOf = (source: string, at: Location): Scalar =>
  /^-?\d{16,39}$/.test(source) ? BigInt(source) : finite(Number(source), at)

function finite(value: number, at: Location): number {
  if (Number.isFinite(value)) return value
  throw invalidQuery(at, 'a number that does not fit a double')
}

const shapeError = (loc: Location, msg: string, type: string) => new ValidationError([{ loc, msg, type }])

const queryTooLarge = (what: string) => new DomainError('InvalidRequest', `Invalid query: ${what}`)

/** The error for a well-formed expression without a meaning. */
export const invalidQuery = (at: Location, what: string): DomainError =>
  new DomainError('InvalidRequest', `Invalid ${at.slice(1).join('.')}: ${what}`, { extras: { loc: at } })
