import type { ProjectReader } from '../../foundation/access/caller.ts'

/** Things of a project that feedback may point at and that have a say in it. */
export interface FeedbackReferences {
  /** The JSON Schema that values of an annotation have to satisfy; undefined where there is no such description (any more). */
  findAnnotationSchema(reader: ProjectReader, ref: string): Promise<unknown>
  hasQueue(reader: ProjectReader, queueId: string): Promise<boolean>
}

/** The same, which looks at each thing once: for one request with much feedback on few of them. */
export function rememberedReferences(references: FeedbackReferences): FeedbackReferences {
  const schemas = new Map<string, Promise<unknown>>()
  const queues = new Map<string, Promise<boolean>>()
  const once = <Found>(known: Map<string, Promise<Found>>, key: string, find: () => Promise<Found>) => {
    const found = known.get(key) ?? find()
    known.set(key, found)
    return found
  }
  // No project id has a line break.
  const keyOf = ({ projectId }: ProjectReader, name: string) => `${projectId}\n${name}`
  return {
    findAnnotationSchema: (reader, ref) =>
      once(schemas, keyOf(reader, ref), () => references.findAnnotationSchema(reader, ref)),
    hasQueue: (reader, id) => once(queues, keyOf(reader, id), () => references.hasQueue(reader, id)),
  }
}
