/** Responses that are streamed while they are read from the store. */
export interface Streams {
  /**
   * Whether a stream should end if its client is not reading, because others are waiting for a
   * reader.
   */
  readonly shouldYield: () => boolean
}
