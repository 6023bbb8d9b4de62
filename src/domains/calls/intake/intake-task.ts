import type { DialectName } from '../../../runtime/config/configuration.ts'
import type { StatedResponse } from '../span-calls.ts'

/** Settings for reading a body of any kind. */
export interface BodyTask {
  readonly bytes: Uint8Array
  readonly userId: string
  readonly nowMs: number
  readonly redact: boolean
  /** Whether long content in payloads is stored as files. */
  readonly keepsContents: boolean
  /** The text that replaces payloads that are too large; undefined to keep them. */
  readonly marker?: string | undefined
  /** In which content is described. */
  readonly dialect: DialectName
}

/** The body of a request that writes many calls. */
export interface CallsTask extends BodyTask {
  /** `parts`: starts and ends of any projects; `completed`: whole calls of one project. */
  readonly kind: 'parts' | 'completed'
  /** The project in the path of completed calls. */
  readonly projectId: string | undefined
  /** In which the members of the body are named. */
  readonly bodyDialect: DialectName
}

/** An export of spans. */
export interface SpansTask extends BodyTask {
  readonly kind: 'spans'
  readonly encoding: 'protobuf' | 'json'
  /** The project of spans whose resource names none. */
  readonly project: string | undefined
  /** Entity of projects that are named after a service. */
  readonly entity: string | undefined
  /** Version of ops that have no source, which calls refer to unless another is known. */
  readonly opVersion: string
  /** Versions of other ops; null for a name that is invalid for ops. */
  readonly ops: readonly OpVersion[]
}

export type IntakeTask = CallsTask | SpansTask

/** Content extracted from the payloads of one project. */
interface ProjectContents {
  readonly projectId: string
  readonly files: readonly { readonly name: string; readonly digest: string; readonly bytes: Uint8Array }[]
}

/** Calls ready for the log. */
export interface EncodedCalls {
  /** A record batch of the table of calls, as it is logged, and before compression. */
  readonly message: Uint8Array<ArrayBuffer>
  readonly plain: Uint8Array<ArrayBuffer>
  /** A record batch of the derived cells of the same rows; see `EncodedMessages`. */
  readonly derived: Uint8Array<ArrayBuffer>
  readonly derivedRows: Uint8Array<ArrayBuffer>
  readonly hashes: Uint32Array<ArrayBuffer>
}

export interface StorableCalls extends EncodedCalls {
  /** The projects written to, in the order in which they are named. */
  readonly projects: readonly ProjectContents[]
}

/** The calls of a body, checked. */
export interface PreparedCalls extends StorableCalls {
  /** The answer, as JSON. */
  readonly answer: string
}

/** Which version of an op calls refer to; null: to none, by the plain name. */
export interface OpVersion {
  readonly projectId: string
  readonly name: string
  readonly version: string | null
}

/** The spans of an export as calls, all of them correct. */
export interface PreparedSpans extends StorableCalls {
  /** The ops that the calls refer to. They need not exist in these versions. */
  readonly ops: readonly OpVersion[]
  /**
   * 1 for each call that is a turn of a conversation if no call above belongs to it. It has the
   * turn if there is none in the export.
   */
  readonly mayBeTurn: Uint8Array<ArrayBuffer>
  /** The calls that state the usage of a response, with their projects. */
  readonly responses: readonly (StatedResponse & { readonly projectId: string })[]
}

/** What a thread has made of a task. */
export type IntakeReply =
  | { readonly kind: 'calls'; readonly calls: PreparedCalls }
  | { readonly kind: 'spans'; readonly spans: PreparedSpans }
  /** The body is not one that is prepared in a thread, or not a correct one. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly reason: string }
