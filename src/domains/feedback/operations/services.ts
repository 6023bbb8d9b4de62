import type { Streams } from '../../requests/streams.ts'
import type { Feedback } from '../feedback.ts'

/** The services that these operations are given. */
export interface FeedbackServices {
  readonly feedback: Feedback
  readonly streams: Streams
}
