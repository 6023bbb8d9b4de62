import type { ProjectReader } from '../access/index.ts'
import type { Objects } from '../objects/index.ts'

/** The parts of an object version that completions use. */
export interface ObjectInUse {
  readonly digest: string
  readonly baseClass: string | null
  readonly val: unknown
}

/** Looks up the objects that completions use: providers, their models, prompts. */
export interface ProviderObjects {
  /**
   * @param version `latest`, `v<number>`, a digest or an alias; undefined if the version does not
   *   exist
   */
  find(reader: ProjectReader, objectId: string, version: string): Promise<ObjectInUse | undefined>
}

/** Objects that are stored and not deleted. */
export const liveObjects = (objects: Objects): ProviderObjects => ({
  async find(reader, objectId, version) {
    const found = await objects.find(reader, { object_id: objectId, digest: version, kind: 'object' })
    if (found === undefined || found.deleted_at !== null) return undefined
    return { digest: found.digest, baseClass: found.base_object_class, val: found.val }
  },
})
