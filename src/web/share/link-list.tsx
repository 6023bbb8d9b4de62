import { type Link, linksQuery } from '../api/links.ts'
import { Button } from '../components/controls/button.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { formatAgo, formatDayMinute, formatFullTime } from '../format/time.ts'
import { useQuery } from '../state/query-signal.ts'
import { shareText } from '../text/trace/share.ts'
import css from './share-dialog.module.css'
import { useRevoke } from './use-revoke.ts'

/** The read-only links to a trace that work now. */
export function LinkList({ projectId, traceId }: { readonly projectId: string; readonly traceId: string }) {
  const { data, error, refetch } = useQuery(linksQuery({ projectId, traceId }))
  const { revoke, busyId } = useRevoke()
  if (error && data === undefined) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows columns="1fr 80px" rows={2} height={40} />
  if (data.length === 0) return <p class={css.hint}>{shareText.openNone}</p>
  return (
    <div>
      <h4 class={css.listHead}>{shareText.open}</h4>
      <ul class={css.links}>
        {data.map((link) => (
          <li key={link.id}>
            <span class={css.link}>
              <span>
                <code>{link.id.slice(0, 8)}</code>{' '}
                <span data-tip={formatFullTime(link.expires_at)}>
                  {shareText.until(formatDayMinute(link.expires_at))}
                </span>
              </span>
              <span class={css.hint}>{shareText.by(authorOf(link), formatAgo(link.created_at))}</span>
            </span>
            <Button
              kind="danger"
              size="compact"
              busy={busyId === link.id}
              aria-label={shareText.revokeOf(link.id.slice(0, 8))}
              onClick={() => void revoke(link)}
            >
              {shareText.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Who made a link, by name if that is known. */
export const authorOf = ({ ext_username, ext_user_id }: Link): string => ext_username ?? ext_user_id
