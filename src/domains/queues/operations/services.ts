import { Type } from '@sinclair/typebox'
import type { Streams } from '../../requests/index.ts'
import type { AnnotationQueues } from '../annotation-queues.ts'

/** The services that these operations are given. */
export interface QueuesServices {
  readonly annotationQueues: AnnotationQueues
  readonly streams: Streams
}

/** Path parameters of operations on one queue. */
export const QueuePath = Type.Object({ queue_id: Type.String() })
