import type { ScoredExample } from '../scorers/scorer.ts'

/** A task for the worker thread. Everything is JSON; numbers are preserved digit by digit. */
export type JudgingTask =
  /** Imports all dependencies of tasks; the result is null. */
  | { readonly kind: 'ready' }
  /** Checks the fields of a scorer; the result is null. */
  | { readonly kind: 'prepare'; readonly className: string; readonly fields: unknown }
  /** Scores an example. */
  | { readonly kind: 'score'; readonly className: string; readonly fields: unknown; readonly example: ScoredExample }
  /** What is wrong with a JSON Schema, or with a value according to it; null if nothing. */
  | { readonly kind: 'schema'; readonly schema: unknown; readonly value?: readonly [unknown] }

/**
 * A task sent to a thread. Raw numbers cannot be cloned to another thread, so it is sent as text.
 * See docs/decisions/084-judging-in-a-thread.md.
 */
export interface JudgingRequest {
  readonly id: number
  readonly task: string
}

export type JudgingAnswer =
  | { readonly id: number; readonly result: string }
  /** Why the task is invalid; may be shown to the user. */
  | { readonly id: number; readonly refused: string }
  | { readonly id: number; readonly failed: string }
