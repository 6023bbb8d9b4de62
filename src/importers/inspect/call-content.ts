type Members = Readonly<Record<string, unknown>>

/** What the type of an event says about its call. */
export interface CallContent {
  readonly display_name: string
  readonly attributes: Members
  readonly inputs: Members
  readonly output: unknown
  readonly exception: string | null
  readonly usage?: Members
}
