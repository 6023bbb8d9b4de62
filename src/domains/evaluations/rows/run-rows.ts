/** The mean of one score, by row; NaN for rows without it. */
export interface RowScore {
  /** Where it is in the scores of a trial. */
  readonly path: readonly string[]
  /** Whether all of its values are booleans. */
  readonly isRate: boolean
  readonly values: Float64Array
}

/** The version of a scorer that a run used, as a ref. */
export interface UsedScorer {
  readonly name: string
  readonly ref: string
}

/** The rows of one run, averaged over their trials. Arrays have the rows in the same order. */
export interface RunRows {
  /** Ascending. */
  readonly digests: readonly string[]
  /** Ids of the first trials. */
  readonly firstTrials: readonly string[]
  /** When these started, in microseconds. */
  readonly startedAt: Float64Array
  readonly trials: Uint32Array
  readonly failed: Uint32Array
  /** Means of what is known of the trials: seconds and dollars. NaN without any. */
  readonly latency: Float64Array
  readonly cost: Float64Array
  /** Every path that holds a number or a boolean in some trial. */
  readonly scores: readonly RowScore[]
  /** By position of the row: the call that says why its first failing trial failed. */
  readonly failedCalls: ReadonlyMap<number, string>
  readonly scorers: readonly UsedScorer[]
  /** Whether there are more paths than these. */
  readonly isCut: boolean
}

/** Mean cost in dollars and latency in seconds by row; NaN where it is unknown. */
export interface RowMeasures {
  readonly cost: ReadonlyMap<string, Float64Array>
  readonly latency: ReadonlyMap<string, Float64Array>
}
