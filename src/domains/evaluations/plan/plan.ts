import type { Relation } from '../../../lib/relation.ts'
import type { Expression } from '../../../query/expression.ts'

/** The trials that a request is about. */
export interface TrialScope {
  readonly projectId: string
  /** Calls whose direct children are the trials; at least one. */
  readonly evaluationIds: readonly string[]
  /** Branches that may hold the trials. */
  readonly trials: Relation
  /** Branches that may hold calls of the traces of the evaluations. */
  readonly children: Relation
  /** Rows of datasets: `digest`, `val`. Required if the request reads them. */
  readonly datasetRows?: Relation | undefined
}

/** Trials that were read once, for all statements of a request. */
export interface KeptTrials {
  /** Name of a table with the columns of `trialsStatement`. */
  readonly table: string
  /**
   * Whether children may hold scores that their trials do not; the table then has all scores of the
   * trials.
   */
  readonly late: boolean
}

/** A value of a trial to filter or sort by. */
export interface TrialValue {
  readonly source: 'scores' | 'inputs' | 'output'
  readonly path: readonly string[]
}

export interface RowFilter {
  /** Undefined: every evaluation, or any, depending on `RowsPlan.needsAll`. */
  readonly evaluationId: string | undefined
  /**
   * Over one row of one evaluation, with the columns `row_digest` and `v0`, `v1`, … for the plan's
   * values. Already rewritten.
   */
  readonly condition: Expression
}

export interface RowSort {
  /** Index of the value; undefined means the row digest. */
  readonly value: number | undefined
  readonly direction: 'asc' | 'desc'
  readonly evaluationId: string | undefined
  readonly isDifference: boolean
}

/** Which rows of the compared evaluations to read, and in which order. */
export interface RowsPlan {
  readonly values: readonly TrialValue[]
  readonly filters: readonly RowFilter[]
  /** Whether a filter without an evaluation has to hold in all of them. */
  readonly needsAll: boolean
  readonly sort: readonly RowSort[]
  readonly requireIntersection: boolean
  readonly limit: number | undefined
  readonly offset: number
}
