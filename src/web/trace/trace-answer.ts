/**
 * Answer of `POST /trace/read`: the calls of a trace in columns, depth-first, siblings by start.
 * Each list after the dictionaries has one element per call.
 */
export interface TraceAnswer {
  readonly trace_id: string
  readonly call_count: number
  /** Whether the response has every call of the trace. */
  readonly is_complete: boolean
  readonly started_at: string | null
  readonly ended_at: string | null
  /** When the latest call was written: `since` of the next request. */
  readonly read_at: string | null
  readonly thread_id: string | null
  readonly ops: readonly string[]
  readonly kinds: readonly string[]
  readonly models: readonly string[]
  readonly statuses: readonly string[]
  readonly call_ids: readonly string[]
  /** Row of the parent, or -1. */
  readonly parent: readonly number[]
  readonly depth: readonly number[]
  readonly op: readonly number[]
  readonly kind: readonly number[]
  readonly status: readonly number[]
  readonly name: readonly (string | null)[]
  /** Milliseconds after `started_at`. */
  readonly start_ms: readonly number[]
  /** Milliseconds; null while the call runs. */
  readonly duration_ms: readonly (number | null)[]
  readonly child_count: readonly number[]
  readonly descendant_count: readonly number[]
  readonly model: readonly number[]
  readonly tokens_in: readonly (number | null)[]
  readonly tokens_out: readonly (number | null)[]
  readonly tokens_cached: readonly (number | null)[]
  readonly cost: readonly (number | null)[]
  readonly total_tokens: readonly (number | null)[]
  readonly total_cost: readonly (number | null)[]
  readonly feedback_count: readonly number[]
  readonly is_usage_repeated: readonly boolean[]
  readonly has_error_inside: readonly boolean[]
}
