import { itemAt } from '../lib/present.ts'
import type { Branch, Relation, TimeBounds } from '../lib/relation.ts'
import type { OutputOptions } from './call-output.ts'
import { columnField, type Field, isOfFeedback, isOfQueue, isOfUsage } from './catalog.ts'
import type { AskedColumn } from './columns.ts'
import type { AfterRow } from './cursor.ts'
import { all, type Expression } from './expression.ts'
import type { SortKey } from './sort.ts'
import { visitFields } from './walk.ts'

/** Where the usage of calls is, and what it costs. */
export interface UsageSource {
  /** Branches that may hold any call of the project. */
  readonly calls: Relation
  /** Prices of all models of the project; empty if no cost is read. */
  readonly rates: readonly TimedRate[]
}

/** Prices per token of a model whose input tokens per request are in (`above`, `through`]. */
export interface UsageRate {
  readonly model: string
  readonly above: number
  readonly through: number
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheCreation: number
  readonly cacheCreationLong: number
}

/** Prices of calls that start at `from` or later and before `until`, in microseconds. */
export interface TimedRate extends UsageRate {
  readonly from: number
  readonly until: number
}

/** Annotation queues and their items. */
export interface QueueRelations {
  /** `id`, and `deleted_at` of deleted queues. */
  readonly queues: Relation
  /** `queue_id`, `call_id`, `created_at`, `id`. */
  readonly items: Relation
}

/** A parsed and checked calls query: everything the reader needs to know about the request. */
export interface CallsPlan {
  readonly projectId: string
  /** Already rewritten (rewrite/rewrite.ts). */
  readonly where: Expression
  /** Ids that the filter names, by column. Files without any of them are skipped. */
  readonly anyOf: Readonly<Record<string, readonly string[]>>
  readonly sort: readonly SortKey[]
  /** Only calls after this one in the order of `sort`. */
  readonly after?: AfterRow | undefined
  readonly limit: number | undefined
  readonly offset: number
  readonly columns: readonly AskedColumn[] | undefined
  readonly output: OutputOptions
  /** Paths at which the answer contains the objects that refs point to, shallow ones first. */
  readonly expand: readonly (readonly string[])[]
}

/** An interval of time: `after` < started_at ≤ `through`, in microseconds. */
export interface TimeWindow {
  readonly after: number | undefined
  readonly through: number | undefined
}

/** A part of a long answer. */
export interface LineWindow extends TimeWindow {
  /** Whether all of its calls are answered, rather than the first ones. */
  readonly isWhole: boolean
}

export interface Relations {
  /** Branches that may hold matching calls. */
  readonly calls: Relation
  /** Branches that may hold any call of the same traces, for totals. */
  readonly traces: Relation
  /**
   * Feedback on calls, if the plan reads any. Needs the columns `call_id`, `feedback_type`,
   * `payload` (JSON), `runnable_ref`, `trigger_ref`, `created_at` and `id`.
   */
  readonly feedback?: Relation | undefined
  /** Required if the plan reads annotation queues. */
  readonly queues?: QueueRelations | undefined
  /** Required if the plan reads usage. */
  readonly usage?: UsageSource | undefined
}

/** A plan and where its calls are. */
export interface CallsIn {
  readonly plan: CallsPlan
  readonly relations: Relations
}

/** The calls that a plan may select, for `RowsWanted`: without its order and page. */
export const matchingRows = (
  { projectId, where, after }: CallsPlan,
  { calls: relation, feedback, queues, usage }: Omit<Relations, 'traces'>,
) => ({ relation, projectId, feedback, queues, usage, where, after })

export const startedAt = columnField('started_at', 'time')

/** The condition that a call started within a window. */
export const startedWithin = ({ after, through }: Partial<TimeWindow>): Expression => ({
  kind: 'within',
  field: startedAt,
  after,
  through,
})

/** The plan for calls that started within a window. */
export const planWithin = (plan: CallsPlan, window: TimeWindow): CallsPlan => ({
  ...plan,
  where: all([plan.where, startedWithin(window)]),
})

/** The calls that started within a window; the same if it is unbounded. */
export function callsWithin(calls: CallsIn, window: TimeWindow): CallsIn {
  if (window.after === undefined && window.through === undefined) return calls
  const relation = restrictToWindow(calls.relations.calls, window)
  return { plan: planWithin(calls.plan, window), relations: { ...calls.relations, calls: relation } }
}

/** Whether the answer depends on feedback: it contains feedback, or filters or sorts by it. */
export const readsFeedback = (plan: CallsPlan): boolean => plan.output.feedback === true || asks(plan, isOfFeedback)

/** Whether the answer depends on the annotation queues that a call is in. */
export const readsQueues = (plan: CallsPlan): boolean => asks(plan, isOfQueue)

/** Whether the answer depends on the usage of calls, and whether on its cost. */
export const readsUsage = (plan: CallsPlan): boolean => asks(plan, isOfUsage)
export const readsCost = (plan: CallsPlan): boolean =>
  asks(plan, (field) => isOfUsage(field) && field.figure === 'cost')

function asks({ where, sort }: CallsPlan, isOfKind: (field: Field) => boolean): boolean {
  let isAsked = sort.some(({ field }) => isOfKind(field))
  visitFields(where, (field) => {
    isAsked ||= isOfKind(field)
  })
  return isAsked
}

/** Time bounds of all files of a relation; undefined if those of a file are unknown. */
export function fileTimes({ branches }: Relation): readonly TimeBounds[] | undefined {
  const found: TimeBounds[] = []
  for (const { source } of branches) {
    if (source.kind === 'table') continue
    if (source.times === undefined) return undefined
    found.push(...source.times)
  }
  return found
}

/**
 * The relation without the files that have no row within the window. Without any branch if nothing
 * is left to be read.
 */
export function restrictToWindow(relation: Relation, { after, through }: TimeWindow): Relation {
  const isWithin = ([from, to]: TimeBounds) =>
    to > (after ?? Number.NEGATIVE_INFINITY) && from <= (through ?? Number.POSITIVE_INFINITY)
  const branches = relation.branches.flatMap((branch): Branch[] => {
    const { source } = branch
    if (source.kind === 'table' || source.times === undefined || source.times.every(isWithin)) return [branch]
    const { paths, times, sizes, counted: _, ...rest } = source
    const isKept = (_each: unknown, index: number) => isWithin(itemAt(times, index))
    const kept = paths.filter(isKept)
    if (kept.length === 0) return []
    const ofKept = { paths: kept, times: times.filter(isKept), ...(sizes && { sizes: sizes.filter(isKept) }) }
    return [{ ...branch, source: { ...rest, ...ofKept } }]
  })
  return { ...relation, branches }
}
