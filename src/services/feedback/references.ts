import type { ProjectReader } from '../../model/caller.ts'

/** Things of a project that feedback may point at and that have a say in it. */
export interface FeedbackReferences {
  /** The JSON Schema that values of an annotation have to satisfy; undefined where there is no such description (any more). */
  findAnnotationSchema(reader: ProjectReader, ref: string): Promise<unknown>
  hasQueue(reader: ProjectReader, queueId: string): Promise<boolean>
}
