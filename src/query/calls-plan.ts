import type { Relation } from '../kernel/relation.ts'
import type { OutputOptions } from './call-output.ts'
import { type Field, isOfFeedback, isOfQueue } from './catalog.ts'
import type { AskedColumn } from './columns.ts'
import type { Expression } from './expression.ts'
import type { QueueRelations } from './queue-relations.ts'
import type { SortKey } from './sort.ts'
import { visitFields } from './walk.ts'

/** A calls query, parsed and checked: all that reading needs to know of the request. */
export interface CallsPlan {
  readonly projectId: string
  /** After all rewrites (rewrite/rewrite.ts). */
  readonly where: Expression
  /** Ids that the filter names, by column: files that hold none of them are skipped. */
  readonly anyOf: Readonly<Record<string, readonly string[]>>
  readonly sort: readonly SortKey[]
  readonly limit: number | undefined
  readonly offset: number
  readonly columns: readonly AskedColumn[] | undefined
  readonly output: OutputOptions
  /** Paths at which the answer holds what refs stand for, from the shallow to the deep. */
  readonly expand: readonly (readonly string[])[]
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
  /** Needed where the plan asks which queues a call is in. */
  readonly queues?: QueueRelations | undefined
}

/** Whether the answer depends on feedback: it shows it, or a condition or the order looks at it. */
export const readsFeedback = (plan: CallsPlan): boolean => plan.output.feedback === true || asks(plan, isOfFeedback)

/** Whether the answer depends on which annotation queues a call is in. */
export const readsQueues = (plan: CallsPlan): boolean => asks(plan, isOfQueue)

function asks({ where, sort }: CallsPlan, isOfKind: (field: Field) => boolean): boolean {
  let isAsked = sort.some(({ field }) => isOfKind(field))
  visitFields(where, (field) => {
    isAsked ||= isOfKind(field)
  })
  return isAsked
}
