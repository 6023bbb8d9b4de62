/**
 * Responses that are streamed while they are read from the store. See
 * docs/decisions/063-stalled-streams.md.
 */
export interface Streams {
  /**
   * Whether a stream should end if its client is not reading, because others are waiting for a
   * reader.
   */
  readonly shouldYield: () => boolean
}
