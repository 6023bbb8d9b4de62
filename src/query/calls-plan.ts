import type { Relation } from '../model/relation.ts'
import type { OutputOptions } from './call-output.ts'
import { isOfFeedback } from './catalog.ts'
import type { AskedColumn } from './columns.ts'
import type { Expression } from './expression.ts'
import type { SortKey } from './sort.ts'
import { visitFields } from './walk.ts'

/** A calls query, read and checked. */
export interface CallsPlan {
  readonly projectId: string
  readonly where: Expression
  readonly sort: readonly SortKey[]
  readonly limit: number | undefined
  readonly offset: number
  readonly columns: readonly AskedColumn[] | undefined
  readonly output: OutputOptions
}

/** Part of the time axis: `after` < started_at ≤ `through`, microseconds. */
export interface TimeWindow {
  readonly after: number | undefined
  readonly through: number | undefined
}

export interface Relations {
  /** Branches that may hold the wanted calls. */
  readonly calls: Relation
  /** Branches that may hold any call of their traces, for totals. */
  readonly traces: Relation
  /** Feedback on calls, needed where the plan reads any: `call_id`, `feedback_type`, `payload` (JSON), `runnable_ref`, `trigger_ref`, `created_at`, `id`. */
  readonly feedback?: Relation | undefined
}

/** Whether the answer depends on feedback: it shows it, or a condition or the order looks at it. */
export function readsFeedback({ where, sort, output }: CallsPlan): boolean {
  let isAsked = output.feedback === true || sort.some(({ field }) => isOfFeedback(field))
  visitFields(where, (field) => {
    isAsked ||= isOfFeedback(field)
  })
  return isAsked
}
