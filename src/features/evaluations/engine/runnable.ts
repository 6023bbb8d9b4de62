import type { ScoredExample } from '../../../foundation/scorers/scorer.ts'

/** What a model answered: its output, or why there is none. `usage` is by name of the model, as in the summary of a call. */
export type Prediction =
  | { readonly output: unknown; readonly usage?: Readonly<Record<string, unknown>> | undefined }
  | { readonly error: string }

/** A model that the server itself can run. */
export interface RunnableModel {
  readonly ref: string
  readonly name: string
  predict(row: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Prediction>
}

/** What a scorer said, or why it could not. */
export type Score =
  | { readonly value: unknown; readonly usage?: Readonly<Record<string, unknown>> | undefined }
  | { readonly error: string }

/** A scorer that the server itself can run. */
export interface RunnableScorer {
  readonly ref: string
  readonly name: string
  score(example: ScoredExample, signal: AbortSignal): Promise<Score>
}
