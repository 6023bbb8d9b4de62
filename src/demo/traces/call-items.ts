/**
 * What is sent. Written out here, not imported from the server: a sender is a
 * client, and should notice when the server stops taking what clients send.
 */
export interface CallStart {
  project_id: string
  id: string
  op_name: string
  display_name?: string
  trace_id: string
  parent_id?: string
  thread_id?: string
  turn_id?: string
  /** ISO 8601, UTC. */
  started_at: string
  attributes: Record<string, unknown>
  inputs: Record<string, unknown>
}

export interface CallEnd {
  project_id: string
  id: string
  /** ISO 8601, UTC. */
  ended_at: string
  exception?: string
  output: unknown
  summary: { usage?: Record<string, TokenUsage> }
}

/** Tokens of one model, under the names of its vendor. */
export type TokenUsage = Record<string, number>

/** A call with its end, or without one while it is still running. */
export interface TracedCall {
  start: CallStart
  end?: CallEnd
}

/** The calls of one trace, in the order of their starts; the root is the first. */
export type Trace = readonly TracedCall[]

/** One item of the body of `POST /call/upsert_batch`. */
export type BatchItem = { mode: 'start'; req: { start: CallStart } } | { mode: 'end'; req: { end: CallEnd } }
