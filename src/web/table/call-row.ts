import { type Status, statusOf } from '../components/display/statuses.ts'
import { lineOfError } from '../format/error.ts'
import { opName, opNameOfSpan } from '../format/ids.ts'

/** A call as tables show it. */
export interface CallRow {
  readonly id: string
  readonly traceId: string
  readonly parentId: string | null
  /** Op as stored: a name, or a ref that contains it. */
  readonly op: string
  readonly name: string
  readonly kind: string | undefined
  readonly status: Status
  readonly startedAt: string
  readonly endedAt: string | null
  readonly latencyMs: number | null
  readonly input: string
  readonly output: string
  /** One line of the error of the call. */
  readonly error: string | null
  /** The same of the deepest call below it that failed. */
  readonly errorInside: string | null
  readonly threadId: string | null
  readonly userId: string | null
  readonly feedback: readonly Feedback[]
}

/** A judgement on a call. */
export interface Feedback {
  readonly type: string
  readonly payload: unknown
}

/** A line of `/calls/stream_query`, with empty members left out. */
export interface CallLine {
  readonly id: string
  readonly trace_id: string
  readonly parent_id?: string | null
  readonly op_name: string
  readonly display_name?: string | null
  readonly thread_id?: string | null
  readonly started_at: string
  readonly ended_at?: string | null
  readonly exception?: string | null
  readonly ext_user_id?: string | null
  readonly inputs_preview?: string | null
  readonly output_preview?: string | null
  readonly attributes?: { readonly kind?: unknown; readonly span_name?: unknown } | null
  readonly summary?: { readonly ext?: LineSummary | null } | null
}

interface LineSummary {
  readonly status?: string | null
  readonly latency_ms?: number | null
  readonly error_inside?: { readonly error: string } | null
  readonly feedback?: readonly { readonly feedback_type: string; readonly payload: unknown }[]
}

/** The row of a line. */
export function rowOfLine(line: CallLine): CallRow {
  const { status, latency_ms, feedback, error_inside } = line.summary?.ext ?? {}
  const name = opName(line.op_name)
  const spanName = line.attributes?.span_name
  return {
    id: line.id,
    traceId: line.trace_id,
    parentId: line.parent_id ?? null,
    op: line.op_name,
    name: typeof spanName === 'string' && opNameOfSpan(spanName) === name ? spanName : name,
    kind: typeof line.attributes?.kind === 'string' ? line.attributes.kind.toLowerCase() : undefined,
    status: statusOf(status),
    startedAt: line.started_at,
    endedAt: line.ended_at ?? null,
    latencyMs: latency_ms ?? null,
    input: line.inputs_preview ?? '',
    output: line.output_preview ?? '',
    error: lineOfError(line.exception),
    errorInside: error_inside?.error ?? null,
    threadId: line.thread_id ?? null,
    userId: line.ext_user_id ?? null,
    feedback: (feedback ?? []).map(({ feedback_type, payload }) => ({ type: feedback_type, payload })),
  }
}
