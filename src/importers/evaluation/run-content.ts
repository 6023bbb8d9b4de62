import type { DatasetContent } from '../objects/dataset.ts'

export type Members = Readonly<Record<string, unknown>>

/** What a source tells of an evaluation of one model. */
export interface RunContent {
  /** Id of the run in the project. */
  readonly id: string
  /** Name of the evaluation: its task, its experiment. */
  readonly name: string
  readonly displayName: string
  readonly description: string | null
  readonly dataset: DatasetContent
  readonly model: { readonly name: string; readonly attributes: Members }
  readonly scorers: readonly string[]
  /** Predictions of each row. */
  readonly trials: number
}

/** When a call began and ended; without an end it is running. */
export interface Span {
  readonly startedAt: string
  readonly endedAt: string | undefined
}

export interface TrialContent extends Span {
  readonly id: string
  readonly row: Members
  readonly output: unknown
  readonly exception: string | null
  /** By scorer, as statistics of the results use them. */
  readonly scores: Members
  readonly attributes: Members
  /** Seconds. */
  readonly latency: number | null
  /** A span, already in the project, that the prediction was made in. */
  readonly span?: { readonly traceId: string; readonly spanId: string }
}

export interface ScoreContent extends Span {
  readonly scorer: string
  readonly output: unknown
  readonly attributes: Members
  readonly exception?: string | null
}
