import { UserRound, Users } from 'lucide'
import { useState } from 'preact/hooks'
import { type Person, peopleQuery, signOutPerson } from '../../../api/keys.ts'
import { Badge } from '../../../components/display/badge.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { Section } from '../../../components/display/section.tsx'
import { Table } from '../../../components/display/table.tsx'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { MenuButton } from '../../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { formatAgo, formatDate, formatFullTime } from '../../../format/time.ts'
import { queries, useQuery } from '../../../state/query-signal.ts'
import { partsText } from '../../../text/parts.ts'
import { accessText } from '../../../text/settings/access.ts'
import { peopleText } from '../../../text/settings/people.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import css from '../settings.module.css'

/** Everyone who has signed in through the OpenID provider. */
export default function People() {
  const { data, error, refetch } = useQuery(peopleQuery)
  const [leaving, setLeaving] = useState<Person>()
  return (
    <Section title={settingsText.sections.people} lead={peopleText.lead}>
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 2fr 1fr 80px" rows={4} height={40} />
      ) : data.people.length === 0 ? (
        <EmptyState icon={Users} title={peopleText.none}>
          {peopleText.noneReason}
        </EmptyState>
      ) : (
        <Table
          label={settingsText.sections.people}
          columns={[
            { id: 'name', name: accessText.name, isWide: true },
            { id: 'groups', name: peopleText.groups, isExtra: true },
            { id: 'first', name: peopleText.first, isNumber: true, isExtra: true },
            { id: 'last', name: peopleText.last, isNumber: true },
            { id: 'sessions', name: peopleText.sessions, isNumber: true, isExtra: true },
            { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
          ]}
          rows={data.people.map((person) => ({
            id: person.id,
            isOff: person.sessions === 0,
            cells: cellsOf(person, () => setLeaving(person)),
          }))}
        />
      )}
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={peopleText.signOutTitle(leaving?.name ?? '')}
        verb={peopleText.signOut}
        run={async () => {
          if (leaving) await signOutPerson(leaving.id)
          await queries.invalidateQueries({ queryKey: peopleQuery.queryKey })
        }}
      >
        <p>{peopleText.signOutText}</p>
      </ConfirmDialog>
    </Section>
  )
}

const cellsOf = (person: Person, onSignOut: () => void) => ({
  name: (
    <span class={css.name}>
      <Icon of={UserRound} />
      <span>
        <b>{person.name}</b>
        <span class={css.hint}>{person.email ?? person.id}</span>
      </span>
      {person.is_own && <Badge tone="outline">{accessText.isYours}</Badge>}
    </span>
  ),
  groups: person.groups.join(', '),
  first: <span data-tip={formatFullTime(person.first_signed_in_at)}>{formatDate(person.first_signed_in_at)}</span>,
  last: <span data-tip={formatFullTime(person.last_signed_in_at)}>{formatAgo(person.last_signed_in_at)}</span>,
  sessions: String(person.sessions),
  menu: person.sessions > 0 && (
    <MenuButton
      label={accessText.actions(person.name)}
      side="end"
      size="compact"
      items={[{ label: peopleText.signOut, danger: true, run: onSignOut }]}
    />
  ),
})
