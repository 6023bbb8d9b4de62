import type { ProjectReader } from '../../foundation/access/caller.ts'
import type { Objects } from '../../records/objects/objects.ts'

/** A version of an object, as far as completions look at it. */
export interface ObjectInUse {
  readonly digest: string
  readonly baseClass: string | null
  readonly val: unknown
}

/** The objects that completions build on: providers, their models, prompts. */
export interface ProviderObjects {
  /** @param version `latest`, `v<number>`, a digest or an alias; undefined where there is no such version (any more) */
  find(reader: ProjectReader, objectId: string, version: string): Promise<ObjectInUse | undefined>
}

/** Those that are stored and not deleted. */
export const liveObjects = (objects: Objects): ProviderObjects => ({
  async find(reader, objectId, version) {
    const found = await objects.find(reader, { object_id: objectId, digest: version, kind: 'object' })
    if (found === undefined || found.deleted_at !== null) return undefined
    return { digest: found.digest, baseClass: found.base_object_class, val: found.val }
  },
})
