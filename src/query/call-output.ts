import type { Dialect } from '../formats/dialect/dialect.ts'
import type { CallMember } from './columns.ts'

/** How a value is written; `json` is already JSON text. */
export type OutputType = 'text' | 'time' | 'integer' | 'json'

/**
 * Names of members, of the server's own namespace and of built-in feedback types as the client
 * knows them.
 */
export type OutputNames = Pick<Dialect, 'nameOf' | 'namespace' | 'feedbackPrefix'>

/** A member of a call as it is answered. */
export interface OutputMember {
  readonly name: CallMember
  readonly type: OutputType
}

export interface OutputOptions extends OutputNames {
  /** All members, in the order in which they are written. */
  readonly members: readonly OutputMember[]
  readonly selected: ReadonlySet<CallMember>
  readonly storageSize: boolean
  readonly totalStorageSize: boolean
  /**
   * The caller adds costs: `summaryParts` leaves a gap for them, and `usageSql` selects the usage.
   */
  readonly costs?: boolean
  /** JSON leaves out members that are null or not selected. */
  readonly omitNull?: boolean
  /** Maximum length of the members `inputs_preview` and `output_preview`; undefined for none. */
  readonly previewChars?: number | undefined
  /** `f.entries` holds the feedback on each call. */
  readonly feedback?: boolean
  /** After how many days calls expire; undefined for never. */
  readonly retentionDays?: number | undefined
  /** Names by user id; undefined unless requested. */
  readonly usernames: ReadonlyMap<string, string> | undefined
}

/** Members whose previews are members too. */
export const previewed = ['inputs', 'output'] as const
