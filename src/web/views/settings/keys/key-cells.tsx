import { KeyRound } from 'lucide'
import { isInUse, type KeyRecord } from '../../../api/keys.ts'
import { Badge } from '../../../components/display/badge.tsx'
import { classNames } from '../../../components/display/class-names.ts'
import { Icon } from '../../../components/display/icon.tsx'
import { MenuButton } from '../../../components/overlays/menu-button.tsx'
import { formatAgo, formatDate, formatFullTime, formatWhen } from '../../../format/time.ts'
import { accessText } from '../../../text/settings/access.ts'
import css from '../settings.module.css'

const soonMs = 7 * 86_400_000

/** Cells of the table of keys. */
export const keyCells = (key: KeyRecord, { onRotate, onRevoke }: KeyActions) => ({
  name: (
    <span class={classNames(css.name, css.keyName)}>
      <Icon of={KeyRound} />
      <span>
        <b>{key.name}</b> {key.is_own && <Badge tone="outline">{accessText.isYours}</Badge>}{' '}
        <span class={css.since} data-tip={formatFullTime(key.created_at)}>
          {accessText.since(formatDate(key.created_at))}
        </span>
        <span class={css.place}>{reachOf(key)}</span>
      </span>
    </span>
  ),
  key: <code>{key.id}…</code>,
  scope: <span class={css.scope}>{reachOf(key)}</span>,
  role: <Badge tone={key.role === 'admin' ? 'accent' : 'neutral'}>{key.role}</Badge>,
  expires: <Expires of={key} />,
  used: <LastUsed at={key.last_used_at} />,
  menu: isInUse(key) && (
    <MenuButton
      label={accessText.actions(key.name)}
      side="end"
      size="compact"
      items={[
        { label: accessText.rotate, run: onRotate },
        { label: accessText.revoke, danger: true, separator: true, run: onRevoke },
      ]}
    />
  ),
})

interface KeyActions {
  readonly onRotate: () => void
  readonly onRevoke: () => void
}

const reachOf = ({ scope }: KeyRecord): string => (scope === '*' ? accessText.allProjects : scope)

function Expires({ of: { revoked_at, expires_at, replaced_by } }: { of: KeyRecord }) {
  if (revoked_at !== null)
    return <span data-tip={formatFullTime(revoked_at)}>{accessText.revoked(formatDate(revoked_at))}</span>
  if (expires_at === null) return <span class={css.dim}>{accessText.never}</span>
  const leftMs = Date.parse(expires_at) - Date.now()
  const words = leftMs <= 0 ? accessText.expired(formatDate(expires_at)) : formatWhen(expires_at)
  return (
    <span data-tip={formatFullTime(expires_at)}>
      {leftMs > 0 && leftMs < soonMs ? <Badge tone="warn">{words}</Badge> : words}
      {replaced_by !== null && <span class={css.hint}>{accessText.replacedBy(replaced_by)}</span>}
    </span>
  )
}

const LastUsed = ({ at }: { at: string | null }) =>
  at === null ? <span>{accessText.neverUsed}</span> : <span data-tip={formatFullTime(at)}>{formatAgo(at)}</span>
