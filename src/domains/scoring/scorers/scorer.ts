import type { Static, TObject, TSchema } from '@sinclair/typebox'

/** The input of a scorer: a dataset row or the inputs of a call, and the output. */
export interface ScoredExample {
  readonly inputs: Readonly<Record<string, unknown>>
  readonly output: unknown
}

/**
 * Scores one example. The result is a JSON value, usually an object with boolean or numeric
 * members. Throws a DomainError if the example cannot be scored.
 */
export type Judge = (example: ScoredExample, signal: AbortSignal) => unknown | Promise<unknown>

/**
 * A built-in scorer class that the server can run. Its objects hold `fields`; `prepare` compiles
 * them into a judge, and throws a DomainError if they are invalid (for example a bad pattern).
 * Matchers and validators are imported there: few servers need them.
 */
export interface ScorerClass {
  readonly className: string
  readonly description: string
  readonly fields: TObject
  /** @param fields match the schema */
  prepare(fields: unknown): Judge | Promise<Judge>
}

/** A scorer class whose `prepare` is typed by its schema. */
export const scorerClass = <Fields extends TObject>(scorer: {
  readonly className: string
  readonly description: string
  readonly fields: Fields
  prepare(fields: Static<Fields>): Judge | Promise<Judge>
}): ScorerClass => scorer

/** The default of a field, written once for documentation and code. */
export const withDefault = <Schema extends TSchema>(schema: Schema, value: Static<Schema>): Schema => ({
  ...schema,
  default: value,
})
