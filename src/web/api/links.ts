import type { CreatedLink, Link, Links } from '../../domains/sharing/index.ts'
import { post } from './client.ts'

export type { Link }

const keyOf = (traceId: string | undefined) => ['links', traceId ?? '']

/** Reads the links that work, of one trace or of all projects, for the query cache. */
export const linksQuery = (of: { readonly projectId: string; readonly traceId: string } | undefined) => ({
  queryKey: keyOf(of?.traceId),
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Link[]> => {
    const body = of === undefined ? {} : { project_id: of.projectId, trace_id: of.traceId }
    return (await post<Links>('/shared_links/query', body, { signal })).links
  },
})

/** Makes a read-only link to a trace. @throws {Problem} */
export const createLink = (projectId: string, traceId: string, seconds: number): Promise<CreatedLink> =>
  post('/shared_links/create', { project_id: projectId, trace_id: traceId, expires_in_seconds: seconds })

/** Ends a link. @throws {Problem} */
export const revokeLink = ({ project_id, id }: Link): Promise<unknown> =>
  post('/shared_links/revoke', { project_id, id })
