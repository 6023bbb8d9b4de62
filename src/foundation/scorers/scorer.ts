import type { Static, TObject, TSchema } from '@sinclair/typebox'

/** What a scorer judges: one row of a dataset, or the inputs of a call, and what came out. */
export interface ScoredExample {
  readonly inputs: Readonly<Record<string, unknown>>
  readonly output: unknown
}

/**
 * Judges one example; the answer is a JSON value, as a rule an object with a boolean or a number in each member. Throws a DomainError where
 * the example cannot be judged.
 */
export type Judge = (example: ScoredExample, signal: AbortSignal) => unknown | Promise<unknown>

/**
 * A builtin class of scorers that the server itself can run. Its objects hold `fields`; `prepare` turns one into a judge, and throws a
 * DomainError where the fields do not make sense (a bad pattern, say). Matchers and validators are imported there: few servers need them.
 */
export interface ScorerClass<Fields extends TObject = TObject> {
  readonly className: string
  readonly description: string
  readonly fields: Fields
  prepare(fields: Static<Fields>): Judge | Promise<Judge>
}

export const scorerClass = <Fields extends TObject>(scorer: ScorerClass<Fields>): ScorerClass<Fields> => scorer

/** The default of a field, written once for the document and for the code. */
export const withDefault = <Schema extends TSchema>(schema: Schema, value: Static<Schema>): Schema => ({
  ...schema,
  default: value,
})
