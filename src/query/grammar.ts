import { isJsonObject } from '../lib/json-value.ts'
import { keysOf } from '../lib/present.ts'

/** The operators of query expressions and their operands. */
export const operators = {
  $and: 'list',
  $or: 'list',
  $not: 'one in a list',
  $eq: 'two in a list',
  $gt: 'two in a list',
  $gte: 'two in a list',
  $lt: 'two in a list',
  $lte: 'two in a list',
  $in: 'one and a list',
  $contains: 'search',
  $containsToken: 'search',
  $literal: 'scalar',
  $getField: 'path',
  $convert: 'conversion',
  $size: 'one',
} as const

export type Operator = keyof typeof operators

/** Operators that form a condition and may therefore be the root of an expression. */
export const conditionOperators: ReadonlySet<string> = new Set([
  '$and',
  '$or',
  '$not',
  '$eq',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$contains',
  '$containsToken',
])

export const conversions = ['double', 'string', 'int', 'bool', 'exists'] as const
export type Conversion = (typeof conversions)[number]

export const comparisons = { $eq: '=', $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' } as const
export type Comparison = (typeof comparisons)[keyof typeof comparisons]

/**
 * Python's model classes spell operators without the sign (`and_`, `get_field_`). Both are
 * accepted.
 */
const pythonNames: ReadonlyMap<string, Operator> = new Map(
  keysOf(operators).map((name) => [
    `${name.slice(1).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_`,
    name,
  ]),
)

const isOperator = (name: string): name is Operator => Object.hasOwn(operators, name)

/** The operator with that name, in either spelling. */
export function findOperator(name: string): Operator | undefined {
  return isOperator(name) ? name : pythonNames.get(name)
}

/**
 * A condition: the value of `$expr`, or a part of it. The functions below write conditions for code
 * of the product that queries like a client does.
 */
export type Condition = Readonly<Record<string, unknown>>

type Scalar = string | number | boolean | null

const field = (path: string) => ({ $getField: path })
const literal = (value: Scalar) => ({ $literal: value })

export const allOf = (...conditions: readonly Condition[]): Condition => ({ $and: conditions })
export const anyOf = (...conditions: readonly Condition[]): Condition => ({ $or: conditions })
export const not = (condition: Condition): Condition => ({ $not: [condition] })

/** The condition in a query; undefined if it has none. */
export const conditionIn = (query: unknown): Condition | undefined =>
  isJsonObject(query) && isJsonObject(query['$expr']) ? query['$expr'] : undefined

/** Compares the value at a path with a constant. */
export const compares = (
  path: string,
  operator: '$eq' | '$gt' | '$gte' | '$lt' | '$lte',
  value: Scalar,
): Condition => ({ [operator]: [field(path), literal(value)] })

export const equals = (path: string, value: Scalar): Condition => compares(path, '$eq', value)

export const isOneOf = (path: string, values: readonly Scalar[]): Condition => ({
  $in: [field(path), values.map(literal)],
})

/** Whether the text at a path contains another; upper and lower case differ. */
export const contains = (path: string, text: string): Condition => ({
  $contains: { input: field(path), substr: literal(text) },
})
