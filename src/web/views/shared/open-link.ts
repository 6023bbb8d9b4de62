import { problemOf, reach } from '../../api/client.ts'
import { root, sharedLink } from '../../base.ts'

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
