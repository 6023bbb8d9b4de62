import type { DialectName } from '../../../config/configuration.ts'

/** The body of a request that writes many calls. */
export interface IntakeTask {
  /** `parts`: starts and ends of any projects; `completed`: whole calls of one project. */
  readonly kind: 'parts' | 'completed'
  /** The project in the path of completed calls. */
  readonly projectId: string | undefined
  readonly bytes: Uint8Array
  readonly userId: string
  readonly nowMs: number
  readonly redact: boolean
  /** Whether long content in payloads is stored as files. */
  readonly keepsContents: boolean
  /** In which content is described, and in which the members of the body are named. */
  readonly dialect: DialectName
  readonly bodyDialect: DialectName
}

/** Content extracted from the payloads of one project. */
interface ProjectContents {
  readonly projectId: string
  readonly files: readonly { readonly name: string; readonly digest: string; readonly bytes: Uint8Array }[]
}

/** The same calls, checked and ready for the log. */
export interface PreparedCalls {
  /** A record batch of the table of calls. */
  readonly message: Uint8Array<ArrayBuffer>
  /** A record batch of the derived cells of the same rows; see `EncodedMessages`. */
  readonly derived: Uint8Array<ArrayBuffer>
  readonly derivedRows: Uint8Array<ArrayBuffer>
  readonly hashes: Uint32Array<ArrayBuffer>
  /** The projects written to, in the order in which they are named. */
  readonly projects: readonly ProjectContents[]
  /** The answer, as JSON. */
  readonly answer: string
}

/** `undefined`: the body is not one that is prepared in a thread, or not a correct one. */
export type IntakeReply = { readonly prepared: PreparedCalls | undefined } | { readonly failed: string }
