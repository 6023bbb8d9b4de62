import type { Relation } from '../../kernel/relation.ts'
import type { Expression } from '../expression.ts'

/** Which trials a question is about. */
export interface TrialScope {
  readonly projectId: string
  /** Calls whose direct children are the trials; at least one. */
  readonly evaluationIds: readonly string[]
  /** Branches that may hold the trials. */
  readonly trials: Relation
  /** Branches that may hold calls of the traces of the evaluations. */
  readonly children: Relation
  /** Rows of datasets: `digest`, `val`; needed where a question looks into them. */
  readonly datasetRows?: Relation | undefined
}

/** Trials that were read once, for all statements of a question. */
export interface KeptTrials {
  /** Name of a table with the columns of `trialsStatement`. */
  readonly table: string
  /** Whether children may hold scores that their trials do not; then the table has all scores of the trials. */
  readonly late: boolean
}

/** A value of a trial that is filtered or sorted by. */
export interface TrialValue {
  readonly source: 'scores' | 'inputs' | 'output'
  readonly path: readonly string[]
}

export interface RowFilter {
  /** Undefined: every evaluation, or any, as `RowsPlan.needsAll` says. */
  readonly evaluationId: string | undefined
  /** Over one row of one evaluation, whose columns are `row_digest` and `v0`, `v1`, … for the plan's values. */
  readonly condition: Expression
}

export interface RowSort {
  /** Index of the value; undefined: the row digest. */
  readonly value: number | undefined
  readonly direction: 'asc' | 'desc'
  readonly evaluationId: string | undefined
  readonly isDifference: boolean
}

/** Which rows of the compared evaluations are wanted, and in which order. */
export interface RowsPlan {
  readonly values: readonly TrialValue[]
  readonly filters: readonly RowFilter[]
  /** Whether a filter without an evaluation has to hold in every one. */
  readonly needsAll: boolean
  readonly sort: readonly RowSort[]
  readonly requireIntersection: boolean
  readonly limit: number | undefined
  readonly offset: number
}
