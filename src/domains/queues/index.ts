/**
 * Annotation queues. Other code imports this subject through this file.
 */

export { AnnotationQueues } from './annotation-queues.ts'
export { annotationQueuesApi } from './operations/index.ts'
