import type { Static } from '@sinclair/typebox'
import type { EffectiveSettings, JobList, Storage } from '../../domains/admin/index.ts'
import { apiUrl } from './api-request.ts'
import { Problem, post, problemOf, reach } from './client.ts'

interface Context {
  readonly signal: AbortSignal
}

/** Reads the sizes of tables and projects, for the query cache. */
export const storageQuery = {
  queryKey: ['storage'],
  queryFn: ({ signal }: Context): Promise<Storage> => post('/service/storage', {}, { signal }),
}

/** Reads the effective configuration, for the query cache. */
export const serverSettingsQuery = {
  queryKey: ['server settings'],
  queryFn: ({ signal }: Context): Promise<EffectiveSettings> => post('/service/settings', {}, { signal }),
}

/** Health of the server. */
export interface Health {
  readonly isWell: boolean
  /** Why it does not accept writes. */
  readonly reason: string | undefined
  readonly damagedFiles: number
}

/** Asks how the server is, for the query cache. An answer of 503 is an answer. */
export const healthQuery = {
  queryKey: ['health'],
  queryFn: async ({ signal }: Context): Promise<Health> => {
    const response = await reach(apiUrl('/health'), { signal })
    if (response.ok) {
      const { damaged_files = 0 }: { damaged_files?: number } = await response.json()
      return { isWell: true, reason: undefined, damagedFiles: damaged_files }
    }
    const problem = await problemOf(response)
    if (response.status === 503) return { isWell: false, reason: problem.message, damagedFiles: 0 }
    throw new Problem(problem.status, problem.message, problem.type)
  },
}

/** A job of the server. */
export type Job = Static<typeof JobList>['jobs'][number]

/** Reads how many rows of a run of an evaluation are done, for the query cache. */
export const runProgressQuery = (projectId: string, id: string) => ({
  queryKey: ['run progress', projectId, id],
  queryFn: async ({ signal }: Context): Promise<{ readonly done: number; readonly total: number }> => {
    const body = { project_id: projectId, call_id: id }
    const { status } = await post<{ status: { completed_rows?: number; total_rows?: number } }>(
      '/evaluations/status',
      body,
      { signal },
    )
    return { done: status.completed_rows ?? 0, total: status.total_rows ?? 0 }
  },
})

/** Cancels a job; its results so far are kept. @throws {Problem} */
export const cancelJob = (id: string): Promise<unknown> => post('/jobs/cancel', { id })

/** Reads the newest jobs, for the query cache. */
export const jobsQuery = {
  queryKey: ['jobs'],
  queryFn: ({ signal }: Context): Promise<Static<typeof JobList>> => post('/jobs/query', { limit: 200 }, { signal }),
}
