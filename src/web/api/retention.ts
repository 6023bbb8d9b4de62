import type { Static } from '@sinclair/typebox'
import type { Erasure, ErasureList, RetentionPolicy } from '../../domains/retention/index.ts'
import { post } from './client.ts'

/** Reads for how long a project keeps its calls, for the query cache. */
export const retentionQuery = (projectId: string | undefined) => ({
  queryKey: ['retention', projectId],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RetentionPolicy> =>
    post('/retention/read', { project_id: projectId }, { signal }),
})

/** Sets it; null: for ever. @throws {Problem} */
export const setRetention = (projectId: string, days: number | null): Promise<RetentionPolicy> =>
  post('/retention/set', { project_id: projectId, retention_days: days })

/** Reads the newest erasure of a project, for the query cache. */
export const erasureQuery = (projectId: string | undefined) => ({
  queryKey: ['erasure', projectId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Erasure | null> => {
    const body = { project_id: projectId, limit: 1 }
    const { erasures } = await post<Static<typeof ErasureList>>('/erasures/query', body, { signal })
    return erasures[0] ?? null
  },
})

/** Begins to erase a project. @throws {Problem} */
export const eraseProject = (projectId: string): Promise<Erasure> => post('/projects/erase', { project_id: projectId })
