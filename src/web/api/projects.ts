import { post } from './client.ts'

/** A project as lists show it. */
export interface ProjectSummary {
  readonly project_id: string
  readonly calls: number
  readonly first_call_at: string | null
  readonly last_call_at: string | null
  /** Size on disk, if the server reports it. */
  readonly bytes: number | null
  readonly last_24h: {
    readonly calls: number
    readonly errors: number
    /** In US dollars; null without a known price. */
    readonly cost: number | null
    /** Calls of each hour, the oldest first. */
    readonly hourly_calls: readonly number[]
  }
}

/** Projects that the session can access, the most recently active first. */
export interface ProjectList {
  readonly projects: readonly ProjectSummary[]
  readonly has_more: boolean
}

/** Reads the list of projects, for the query cache. */
export const projectsQuery = {
  queryKey: ['projects'],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<ProjectList> =>
    post('/projects/query', { limit: 1_000 }, { signal }),
}
