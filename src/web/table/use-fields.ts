import { post } from '../api/client.ts'
import { queries, useQuery } from '../state/query-signal.ts'

/** A path that calls have. */
export interface CallField {
  readonly path: string
  readonly types: readonly string[]
  /** Share of calls that have it, 0 to 1. */
  readonly share: number
  readonly examples: readonly unknown[]
}

const fieldsMax = 500
const freshMs = 5 * 60_000

const fieldsQuery = (projectId: string, rootsOnly: boolean) => ({
  queryKey: ['fields', projectId, rootsOnly] as const,
  staleTime: freshMs,
  retry: false as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const body = { project_id: projectId, limit: fieldsMax, ...(rootsOnly && { filter: { trace_roots_only: true } }) }
    return (await post<{ fields: CallField[] }>('/calls/fields', body, { signal })).fields
  },
})

/**
 * Paths that the calls of a project have, the most frequent first; undefined until they are known.
 */
export const useFields = (projectId: string, rootsOnly: boolean, enabled = true): readonly CallField[] | undefined =>
  useQuery({ ...fieldsQuery(projectId, rootsOnly), enabled }).data

/** The same outside of components. */
export const readFields = (projectId: string, rootsOnly: boolean): Promise<readonly CallField[]> =>
  queries.ensureQueryData(fieldsQuery(projectId, rootsOnly))
