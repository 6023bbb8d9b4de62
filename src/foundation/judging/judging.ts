/** What a thread is asked to judge. All of it is JSON; numbers are kept to the letter. */
export type JudgingTask =
  /** Everything that tasks need is imported; the answer is null. */
  | { readonly kind: 'ready' }
  /** Whether the fields of a scorer make sense; the answer is null. */
  | { readonly kind: 'prepare'; readonly className: string; readonly fields: unknown }
  /** The score of an example. */
  | { readonly kind: 'score'; readonly className: string; readonly fields: unknown; readonly example: unknown }
  /** What is wrong with a JSON Schema, or with a value by it; null where nothing is. */
  | { readonly kind: 'schema'; readonly schema: unknown; readonly value?: readonly [unknown] }

/** A task on its way into a thread. Raw numbers cannot be copied into another one, so it goes as text. */
export interface JudgingRequest {
  readonly id: number
  readonly task: string
}

export type JudgingAnswer =
  | { readonly id: number; readonly result: string }
  /** Why the task cannot be done; whoever asked for it may know. */
  | { readonly id: number; readonly refused: string }
  | { readonly id: number; readonly failed: string }
