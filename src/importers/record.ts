import type { FeedbackCreate } from '../domains/feedback/index.ts'
import type { CompletedCall, StartedCall } from '../formats/schemas/calls.ts'
import type { DialectName } from '../runtime/config/configuration.ts'

/** A message of OTLP in its JSON encoding, for example a span. */
export type OtlpJson = Readonly<Record<string, unknown>>

/** The signals of OpenTelemetry. */
export type Signal = 'traces' | 'logs' | 'metrics'

/** A span, log record or metric with its resource and scope. */
interface TelemetryRecord {
  readonly kind: 'telemetry'
  readonly signal: Signal
  readonly resource: OtlpJson
  readonly scope: OtlpJson
  readonly item: OtlpJson
}

/** The same in OTLP's protobuf encoding, which is passed on as it is. */
export interface ProtobufRecord {
  readonly kind: 'protobuf'
  readonly signal: Signal
  readonly resource: Uint8Array
  readonly scope: Uint8Array
  readonly item: Uint8Array
}

type WithoutProject<Record> = Omit<Record, 'project_id'>

/** The project that records go to, and the names that its server uses: what refs consist of. */
export interface Names {
  readonly project: string
  readonly dialect: DialectName
}

/** A value, or how it follows from the target, because it contains refs. */
type PerTarget<Value> = Value | ((target: Names) => Value)

type ImportedCall = WithoutProject<CompletedCall> | (WithoutProject<StartedCall> & { id: string; trace_id: string })

/** A finished or running call. Its id is that of the source, or derived from it. */
export interface CallRecord {
  readonly kind: 'call'
  readonly call: PerTarget<ImportedCall>
}

/** What the transcript of a coding agent tells of a call, before its place in the trace. */
export interface TranscriptCall {
  readonly id: string
  readonly op_name: string
  readonly display_name: string
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Record<string, unknown>
  readonly inputs: Record<string, unknown>
  readonly output: unknown
  readonly exception?: string | null
  readonly summary?: Record<string, unknown>
}

type ImportedFeedback = Omit<WithoutProject<FeedbackCreate>, 'ext_ref' | 'id'> & { id: string }

/** Feedback with an id, about a call or another record. */
export interface FeedbackRecord {
  readonly kind: 'feedback'
  readonly feedback: PerTarget<ImportedFeedback>
  /** Takes the place of `ext_ref`. */
  readonly about: { readonly callId: string } | { readonly ref: string }
}

/** The content of a record for this target. */
export const forTarget = <Value extends object>(value: PerTarget<Value>, target: Names): Value =>
  typeof value === 'function' ? value(target) : value

/** A record with requests of its own, which may be repeated: an object, a file, a price. */
export interface RequestRecord {
  readonly kind: 'request'
  /** Kind of the created records, in the plural: `tables`. */
  readonly what: string
  /** Name in messages. */
  readonly name: string
  readonly send: (target: Target) => Promise<void>
}

/** Something in the source that cannot be imported. */
interface LossRecord {
  readonly kind: 'loss'
  readonly what: string
  readonly count?: number
}

export type ImportRecord = TelemetryRecord | ProtobufRecord | CallRecord | FeedbackRecord | RequestRecord | LossRecord

/** Functions that a `RequestRecord` may use. Requests are repeated until the server answers. */
export interface Target extends Names {
  /** Posts JSON, or a form. @throws Error if the server refuses it */
  post(path: string, body: unknown): Promise<unknown>
  /** Puts JSON. @throws Error if the server refuses it */
  put(path: string, body: unknown): Promise<unknown>
}
