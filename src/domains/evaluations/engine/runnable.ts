import type { ScoredExample } from '../../scoring/index.ts'

/** Output of a model, or an error. `usage` is by model name, as in call summaries. */
export type Prediction =
  | { readonly output: unknown; readonly usage?: Readonly<Record<string, unknown>> | undefined }
  | { readonly error: string }

/** A model that the server can run. */
export interface RunnableModel {
  readonly ref: string
  readonly name: string
  predict(row: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Prediction>
}

/** Result of a scorer, or an error. */
export type Score =
  | { readonly value: unknown; readonly usage?: Readonly<Record<string, unknown>> | undefined }
  | { readonly error: string }

/** A scorer that the server can run. */
export interface RunnableScorer {
  readonly ref: string
  readonly name: string
  score(example: ScoredExample, signal: AbortSignal): Promise<Score>
}
