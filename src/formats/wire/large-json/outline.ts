/** A range of UTF-8 bytes, from `start` up to, but excluding, `end`. */
export interface ByteSpan {
  readonly start: number
  readonly end: number
}

/** An array or object that is too long to be parsed at once. */
export interface LongContainer extends ByteSpan {
  readonly isArray: boolean
  /**
   * Its contents in order: runs of short children with the commas between them, and long children.
   */
  readonly parts: readonly Part[]
}

/** `name` is the text before a long member: its name and the colon. */
export type Part = { readonly run: ByteSpan } | { readonly long: LongContainer; readonly name: ByteSpan }

export interface Outline {
  /** The root if it is long; undefined if the whole text can be parsed at once. */
  readonly root: LongContainer | undefined
  /** Estimated memory of the parsed value, excluding the text. */
  readonly valueBytes: number
  /** Member `project_id` of the root, if it is a string without escapes. */
  readonly projectId: string | undefined
}

export interface OutlineBounds {
  readonly depthMax: number
  /** Bytes of text that are parsed at once. */
  readonly runBytes: number
  readonly valueBytesMax: number
  /** Members of all objects whose members JavaScript would reorder. */
  readonly reorderedMembersMax: number
}
