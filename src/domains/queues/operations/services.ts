import type { Streams } from '../../requests/streams.ts'
import type { AnnotationQueues } from '../annotation-queues.ts'

/** The services that these operations are given. */
export interface QueuesServices {
  readonly annotationQueues: AnnotationQueues
  readonly streams: Streams
}
