import { opKind } from '../table/rows/op-kind.ts'
import type { TraceAnswer } from './trace-answer.ts'

/** The values of one member by row. @throws RangeError for a row that is not loaded */
export type Column<Value> = (row: number) => Value

/** A list of values as a column. */
export const columnOf =
  <Value>(values: ArrayLike<Value>): Column<Value> =>
  (row) => {
    const value = values[row]
    if (value === undefined) throw new RangeError(`No row ${row}`)
    return value
  }

/**
 * The calls of a trace without their payloads, one column per member. Rows are depth-first,
 * so the descendants of a row are the rows up to `end`. Numbers the server does not know are NaN.
 */
export interface Skeleton {
  readonly traceId: string
  readonly threadId: string | null
  /** Calls of the trace, loaded or not. */
  readonly callCount: number
  readonly isComplete: boolean
  /** Start of the trace in Unix milliseconds. */
  readonly startedAt: number
  /** Rows loaded. */
  readonly size: number
  readonly ids: readonly string[]
  readonly id: Column<string>
  readonly name: Column<string | null>
  readonly parent: Column<number>
  readonly depth: Column<number>
  /** First row that is not a descendant. */
  readonly end: Column<number>
  /** Place among the loaded siblings, from 1. */
  readonly position: Column<number>
  readonly childCount: Column<number>
  readonly descendantCount: Column<number>
  readonly ops: readonly string[]
  readonly op: Column<number>
  readonly kinds: readonly string[]
  readonly kind: Column<number>
  readonly statuses: readonly string[]
  readonly status: Column<number>
  readonly models: readonly string[]
  /** Index of the model, or -1. */
  readonly model: Column<number>
  /** Milliseconds after the start of the trace. */
  readonly start: Column<number>
  /** Milliseconds; NaN while the call runs. */
  readonly duration: Column<number>
  readonly tokensIn: Column<number>
  readonly tokensOut: Column<number>
  readonly tokensCached: Column<number>
  readonly totalTokens: Column<number>
  readonly cost: Column<number>
  readonly totalCost: Column<number>
  readonly feedbackCount: Column<number>
  /** 1 if other calls state the usage of the call, too: totals count it there. */
  readonly usageRepeated: Column<number>
  readonly errorInside: Column<number>
}

/** Puts an answer of `POST /trace/read` into columns. */
export function skeletonOf(answer: TraceAnswer): Skeleton {
  return {
    traceId: answer.trace_id,
    threadId: answer.thread_id,
    callCount: answer.call_count,
    isComplete: answer.is_complete,
    startedAt: Date.parse(answer.started_at ?? ''),
    size: answer.call_ids.length,
    ids: answer.call_ids,
    id: columnOf(answer.call_ids),
    name: columnOf(answer.name),
    parent: integers(answer.parent),
    depth: integers(answer.depth),
    end: subtreeEnds(answer.parent),
    position: positions(answer.parent),
    childCount: integers(answer.child_count),
    descendantCount: integers(answer.descendant_count),
    ops: answer.ops,
    op: integers(answer.op),
    kinds: answer.kinds,
    kind: integers(answer.kind),
    statuses: answer.statuses,
    status: integers(answer.status),
    models: answer.models,
    model: integers(answer.model),
    start: numbers(answer.start_ms),
    duration: numbers(answer.duration_ms),
    tokensIn: numbers(answer.tokens_in),
    tokensOut: numbers(answer.tokens_out),
    tokensCached: numbers(answer.tokens_cached),
    totalTokens: numbers(answer.total_tokens),
    cost: numbers(answer.cost),
    totalCost: numbers(answer.total_cost),
    feedbackCount: integers(answer.feedback_count),
    usageRepeated: integers(answer.is_usage_repeated.map(Number)),
    errorInside: integers(answer.has_error_inside.map(Number)),
  }
}

/** Name of a call as shown: its display name, else its op. */
export const nameOf = (skeleton: Skeleton, row: number): string =>
  skeleton.name(row) || skeleton.ops[skeleton.op(row)] || skeleton.id(row)

/** Kind of a call: as stated by the server, or derived from its op's name. */
export function kindOf({ kinds, kind, ops, op }: Skeleton, row: number): string {
  const stated = kinds[kind(row)] ?? 'function'
  return stated === 'function' ? opKind(ops[op(row)] ?? '') : stated
}

/** Row of a call; -1 if it is not loaded. */
export const rowOf = (skeleton: Skeleton, id: string): number => skeleton.ids.indexOf(id)

/** Milliseconds from the start of the trace to the last end; running calls end at `now`. */
export function traceLength(skeleton: Skeleton, now: number): number {
  let length = 0
  for (let row = 0; row < skeleton.size; row++) {
    const end = endOf(skeleton, row, now)
    if (end > length) length = end
  }
  return length
}

/** End of a call in milliseconds after the start of the trace; a running call ends at `now`. */
export function endOf({ start, duration }: Skeleton, row: number, now: number): number {
  const length = duration(row)
  return Number.isNaN(length) ? Math.max(start(row), now) : start(row) + length
}

/** Ancestors of a row, root first. */
export function ancestorsOf({ parent }: Skeleton, row: number): number[] {
  const ancestors: number[] = []
  for (let above = parent(row); above >= 0; above = parent(above)) ancestors.push(above)
  return ancestors.reverse()
}

function subtreeEnds(parent: readonly number[]): Column<number> {
  const ends = new Int32Array(parent.length)
  // Depth first: what is not below a call ends it and all that are still open.
  const open: number[] = []
  for (const [row, above] of parent.entries()) {
    for (let last = open.at(-1); last !== undefined && last !== above; last = open.at(-1)) {
      ends[last] = row
      open.pop()
    }
    open.push(row)
  }
  for (const row of open) ends[row] = parent.length
  return columnOf(ends)
}

function positions(parent: readonly number[]): Column<number> {
  const siblings = new Map<number, number>()
  return integers(
    parent.map((above) => {
      const place = (siblings.get(above) ?? 0) + 1
      siblings.set(above, place)
      return place
    }),
  )
}

const integers = (list: readonly number[]): Column<number> => columnOf(Int32Array.from(list))

const numbers = (list: readonly (number | null)[]): Column<number> =>
  columnOf(Float64Array.from(list, (value) => value ?? Number.NaN))
