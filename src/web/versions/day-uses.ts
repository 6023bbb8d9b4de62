import type { ObjectUses } from '../../domains/usage/index.ts'
import { post } from '../api/client.ts'

/** Calls of the last 24 hours that used an object or a version. */
export interface DayUse {
  readonly calls: number
  readonly errors: number
}

/** Uses of objects by name, and of their versions by `<name>:<digest>`. */
export interface DayUses {
  readonly ofObject: ReadonlyMap<string, DayUse>
  readonly ofVersion: ReadonlyMap<string, DayUse>
}

const dayMs = 86_400_000
const againMs = 60_000
/** Objects that one request asks about. */
const namesMax = 1_000

/** Counts the calls of the last 24 hours that used objects: one request for a whole list. */
export const dayUsesQuery = (projectId: string, names: readonly string[]) => ({
  queryKey: ['day uses', projectId, names.slice(0, namesMax)],
  enabled: names.length > 0,
  refetchInterval: againMs,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<DayUses> => {
    const start = new Date(Date.now() - dayMs).toISOString()
    const body = { project_id: projectId, object_ids: names.slice(0, namesMax), start }
    const { objects, versions } = await post<ObjectUses>('/objs/uses', body, { signal })
    return {
      ofObject: new Map(objects.map((use) => [use.object_id, use])),
      ofVersion: new Map(versions.map((use) => [`${use.object_id}:${use.digest}`, use])),
    }
  },
})
