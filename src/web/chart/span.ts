/** A stretch of time in milliseconds; the end is not part of it. */
export interface Span {
  readonly from: number
  readonly to: number
}
