import { isJsonObject } from '../lib/json-value.ts'

// Conditions of the query language, for code of the product that queries like a client does.

/** A condition: the value of `$expr`, or a part of it. */
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
