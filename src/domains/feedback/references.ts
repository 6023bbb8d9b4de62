import type { ProjectReader } from '../access/index.ts'

/** Objects of a project that feedback refers to and is validated against. */
export interface FeedbackReferences {
  /**
   * The JSON Schema for values of an annotation; undefined if the annotation spec does not exist.
   */
  findAnnotationSchema(reader: ProjectReader, ref: string): Promise<unknown>
  hasQueue(reader: ProjectReader, queueId: string): Promise<boolean>
}

/** The same with a cache: for one request with many feedback items on few objects. */
export function rememberedReferences(references: FeedbackReferences): FeedbackReferences {
  const schemas = new Map<string, Promise<unknown>>()
  const queues = new Map<string, Promise<boolean>>()
  const once = <Found>(known: Map<string, Promise<Found>>, key: string, find: () => Promise<Found>) => {
    const found = known.get(key) ?? find()
    known.set(key, found)
    return found
  }
  // Project ids contain no line breaks.
  const keyOf = ({ projectId }: ProjectReader, name: string) => `${projectId}\n${name}`
  return {
    findAnnotationSchema: (reader, ref) =>
      once(schemas, keyOf(reader, ref), () => references.findAnnotationSchema(reader, ref)),
    hasQueue: (reader, id) => once(queues, keyOf(reader, id), () => references.hasQueue(reader, id)),
  }
}
