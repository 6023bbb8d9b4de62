import { opKind } from '../table/rows/op-kind.ts'
import type { TraceAnswer } from './trace-answer.ts'

/**
 * The calls of a trace without their payloads, one typed array per member. Rows are depth-first,
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
  readonly names: readonly (string | null)[]
  readonly parent: Int32Array
  readonly depth: Uint16Array
  /** First row that is not a descendant. */
  readonly end: Uint32Array
  /** Place among the loaded siblings, from 1. */
  readonly position: Uint32Array
  readonly childCount: Uint32Array
  readonly descendantCount: Uint32Array
  readonly ops: readonly string[]
  readonly op: Uint32Array
  readonly kinds: readonly string[]
  readonly kind: Uint16Array
  readonly statuses: readonly string[]
  readonly status: Uint8Array
  readonly models: readonly string[]
  /** Index of the model, or -1. */
  readonly model: Int32Array
  /** Milliseconds after the start of the trace. */
  readonly start: Float64Array
  /** Milliseconds; NaN while the call runs. */
  readonly duration: Float64Array
  readonly tokensIn: Float64Array
  readonly tokensOut: Float64Array
  readonly tokensCached: Float64Array
  readonly totalTokens: Float64Array
  readonly cost: Float64Array
  readonly totalCost: Float64Array
  readonly feedbackCount: Uint32Array
  /** 1 if other calls state the usage of the call, too: totals count it there. */
  readonly usageRepeated: Uint8Array
  readonly errorInside: Uint8Array
}

/** Puts an answer of `POST /trace/read` into typed arrays. */
export function skeletonOf(answer: TraceAnswer): Skeleton {
  const parent = Int32Array.from(answer.parent)
  return {
    traceId: answer.trace_id,
    threadId: answer.thread_id,
    callCount: answer.call_count,
    isComplete: answer.is_complete,
    startedAt: Date.parse(answer.started_at ?? ''),
    size: answer.call_ids.length,
    ids: answer.call_ids,
    names: answer.name,
    parent,
    depth: Uint16Array.from(answer.depth),
    end: subtreeEnds(parent),
    position: positions(parent),
    childCount: Uint32Array.from(answer.child_count),
    descendantCount: Uint32Array.from(answer.descendant_count),
    ops: answer.ops,
    op: Uint32Array.from(answer.op),
    kinds: answer.kinds,
    kind: Uint16Array.from(answer.kind),
    statuses: answer.statuses,
    status: Uint8Array.from(answer.status),
    models: answer.models,
    model: Int32Array.from(answer.model),
    start: Float64Array.from(answer.start_ms),
    duration: numbers(answer.duration_ms),
    tokensIn: numbers(answer.tokens_in),
    tokensOut: numbers(answer.tokens_out),
    tokensCached: numbers(answer.tokens_cached),
    totalTokens: numbers(answer.total_tokens),
    cost: numbers(answer.cost),
    totalCost: numbers(answer.total_cost),
    feedbackCount: Uint32Array.from(answer.feedback_count),
    usageRepeated: Uint8Array.from(answer.is_usage_repeated, Number),
    errorInside: Uint8Array.from(answer.has_error_inside, Number),
  }
}

/** Name of a call as shown: its display name, else its op. */
export const nameOf = (skeleton: Skeleton, row: number): string =>
  skeleton.names[row] || skeleton.ops[skeleton.op[row]!] || skeleton.ids[row]!

/** What a call does: as the server says, or as its op's name tells. */
export function kindOf({ kinds, kind, ops, op }: Skeleton, row: number): string {
  const stated = kinds[kind[row]!] ?? 'function'
  return stated === 'function' ? opKind(ops[op[row]!] ?? '') : stated
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
  const length = duration[row]!
  return Number.isNaN(length) ? Math.max(start[row]!, now) : start[row]! + length
}

/** Ancestors of a row, root first. */
export function ancestorsOf({ parent }: Skeleton, row: number): number[] {
  const ancestors: number[] = []
  for (let above = parent[row]!; above >= 0; above = parent[above]!) ancestors.push(above)
  return ancestors.reverse()
}

function subtreeEnds(parent: Int32Array): Uint32Array {
  const ends = new Uint32Array(parent.length)
  for (let row = parent.length - 1; row >= 0; row--) {
    ends[row] = Math.max(ends[row]!, row + 1)
    const above = parent[row]!
    if (above >= 0) ends[above] = Math.max(ends[above]!, ends[row]!)
  }
  return ends
}

function positions(parent: Int32Array): Uint32Array {
  const places = new Uint32Array(parent.length)
  const siblings = new Uint32Array(parent.length + 1)
  for (let row = 0; row < parent.length; row++) {
    const above = parent[row]! + 1
    siblings[above] = siblings[above]! + 1
    places[row] = siblings[above]!
  }
  return places
}

const numbers = (list: readonly (number | null)[]): Float64Array =>
  Float64Array.from(list, (value) => value ?? Number.NaN)
