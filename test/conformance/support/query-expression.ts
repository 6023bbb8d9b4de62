/** Builders of query expressions. */
export type Operation = Record<string, unknown>

export const get = (path: string): Operation => ({ $getField: path })
export const literal = (value: unknown): Operation => ({ $literal: value })
export const eq = (a: Operation, b: Operation): Operation => ({ $eq: [a, b] })
export const not = (item: Operation): Operation => ({ $not: [item] })
export const and = (...items: Operation[]): Operation => ({ $and: items })
export const or = (...items: Operation[]): Operation => ({ $or: items })
export const isIn = (item: Operation, ...values: unknown[]): Operation => ({ $in: [item, values.map(literal)] })
export const convert = (input: Operation, to: string): Operation => ({ $convert: { input, to } })
export const size = (input: Operation): Operation => ({ $size: input })
export const contains = (input: Operation, substr: string, case_insensitive?: boolean): Operation => ({
  $contains: { input, substr: literal(substr), ...(case_insensitive === undefined ? {} : { case_insensitive }) },
})
export const containsToken = (input: Operation, substr: string, case_insensitive = false): Operation => ({
  $containsToken: { input, substr: literal(substr), case_insensitive },
})

/** Compares a field with a literal: `is('inputs.x', '$gt', 5)`. */
export const is = (path: string, operator: string, value: unknown): Operation => ({
  [operator]: [get(path), literal(value)],
})

export const equals = (path: string, value: unknown): Operation => is(path, '$eq', value)
