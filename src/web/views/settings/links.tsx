import { Link2, Lock } from 'lucide'
import { useState } from 'preact/hooks'
import { type Link, linksQuery } from '../../api/links.ts'
import { Button } from '../../components/controls/button.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { Section } from '../../components/display/section.tsx'
import { Table } from '../../components/display/table.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { shortId } from '../../format/ids.ts'
import { formatAgo, formatFullTime, formatWhen } from '../../format/time.ts'
import { authorOf } from '../../share/link-list.tsx'
import { useRevoke } from '../../share/use-revoke.ts'
import { tracePath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { canWrite } from '../../state/session.ts'
import { partsText } from '../../text/parts.ts'
import { accessText } from '../../text/settings/access.ts'
import { settingsText } from '../../text/settings/settings.ts'
import { shareText } from '../../text/trace/share.ts'
import css from './settings.module.css'

const words = shareText.list
const linksMax = 200

/** Every read-only link that works, with the way to end it. */
export default function Links() {
  return (
    <Section title={settingsText.sections.links} lead={words.lead}>
      {canWrite.value ? (
        <LinkTable />
      ) : (
        <EmptyState icon={Lock} title={words.readOnly}>
          {words.readOnlyReason}
        </EmptyState>
      )}
    </Section>
  )
}

function LinkTable() {
  const { data, error, refetch } = useQuery(linksQuery(undefined))
  const { revoke, busyId } = useRevoke()
  const [shown, setShown] = useState(linksMax)
  if (error && data === undefined) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows columns="2fr 1fr 1fr 1fr 40px" rows={4} height={40} />
  if (data.length === 0) {
    return (
      <EmptyState icon={Link2} title={words.none}>
        {words.noneReason}
      </EmptyState>
    )
  }
  return (
    <Table
      label={settingsText.sections.links}
      columns={[
        { id: 'trace', name: words.trace, isWide: true },
        { id: 'by', name: words.by, isExtra: true },
        { id: 'made', name: words.made, isNumber: true, isExtra: true },
        { id: 'expires', name: words.expires, isNumber: true },
        { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
      ]}
      rows={data.slice(0, shown).map((link) => ({
        id: link.id,
        isOff: busyId === link.id,
        cells: cellsOf(link, () => void revoke(link)),
      }))}
      foot={
        data.length > shown && (
          <Button kind="quiet" onClick={() => setShown(shown + linksMax)}>
            {words.more(data.length - shown)}
          </Button>
        )
      }
    />
  )
}

const cellsOf = (link: Link, onRevoke: () => void) => ({
  trace: (
    <span class={css.name}>
      <Icon of={Link2} />
      <span>
        <a href={tracePath(link.project_id, link.trace_id)}>
          <b>{link.project_id}</b> <code>{shortId(link.trace_id, 12)}</code>
        </a>
        <span class={css.place}>{shareText.by(authorOf(link), formatAgo(link.created_at))}</span>
      </span>
    </span>
  ),
  by: authorOf(link),
  made: <span data-tip={formatFullTime(link.created_at)}>{formatAgo(link.created_at)}</span>,
  expires: <span data-tip={formatFullTime(link.expires_at)}>{formatWhen(link.expires_at)}</span>,
  menu: (
    <MenuButton
      label={accessText.actions(shareText.linkName(link.id.slice(0, 8)))}
      side="end"
      size="compact"
      items={[{ label: shareText.revoke, danger: true, run: onRevoke }]}
    />
  ),
})
