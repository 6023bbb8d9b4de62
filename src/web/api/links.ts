import type { CreatedLink, Link, Links } from '../../domains/sharing/index.ts'
import { root, sharedLink } from '../base.ts'
import { post, problemOf, reach } from './client.ts'

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

/** What a read-only link opens, or how it ended. */
export type OpenedLink =
  | { readonly ended: null; readonly project_id: string; readonly trace_id: string; readonly expires_at: string }
  | { readonly ended: 'expired' | 'revoked' }

/**
 * Opens the read-only link whose page this is.
 * @param secret of the link; empty if only the cookie knows it
 * @throws {Problem}
 */
export async function openLink(secret: string): Promise<OpenedLink> {
  const response = await reach(`${root}/shared/${sharedLink}/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(secret === '' ? {} : { secret }),
  })
  if (!response.ok) throw await problemOf(response)
  return await response.json()
}
