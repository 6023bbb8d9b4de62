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

/** Fields, and from how many calls they are known. */
export interface FoundFields {
  readonly fields: readonly CallField[]
  readonly calls_read: number
  /** Not all calls were read. */
  readonly is_sample: boolean
  /** The time was over before that. */
  readonly is_partial: boolean
}

const fieldsMax = 500
const freshMs = 5 * 60_000

const fieldsQuery = (projectId: string, rootsOnly: boolean) => ({
  queryKey: ['fields', projectId, rootsOnly] as const,
  staleTime: freshMs,
  retry: false as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const body = { project_id: projectId, limit: fieldsMax, ...(rootsOnly && { filter: { trace_roots_only: true } }) }
    return await post<FoundFields>('/calls/fields', body, { signal })
  },
})

/**
 * Paths that the calls of a project have, the most frequent first; undefined until they are known.
 */
export const useFields = (projectId: string, rootsOnly: boolean, enabled = true): FoundFields | undefined =>
  useQuery({ ...fieldsQuery(projectId, rootsOnly), enabled }).data

/** The same outside of components. */
export const readFields = (projectId: string, rootsOnly: boolean): Promise<FoundFields> =>
  queries.ensureQueryData(fieldsQuery(projectId, rootsOnly))
