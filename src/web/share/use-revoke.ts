import { useState } from 'preact/hooks'
import { type Link, revokeLink } from '../api/links.ts'
import { queries } from '../state/query-signal.ts'
import { showError, showToast } from '../state/toasts.ts'
import { shareText } from '../text/trace/share.ts'

/** Revokes read-only links, one at a time. `busyId` is the one that is being revoked. */
export function useRevoke() {
  const [busyId, setBusyId] = useState<string>()
  const revoke = async (link: Link): Promise<void> => {
    setBusyId(link.id)
    try {
      await revokeLink(link)
      await queries.invalidateQueries({ queryKey: ['links'] })
      showToast({ kind: 'done', text: shareText.revoked })
    } catch (error) {
      showError(error)
    } finally {
      setBusyId(undefined)
    }
  }
  return { revoke, busyId }
}
