import { Check, KeyRound, Plus, X } from 'lucide'
import { useState } from 'preact/hooks'
import { createKey, type KeyRecord, keysQuery, type NewKey, type Role, revokeKey } from '../../api/settings.ts'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { CopyButton } from '../../components/controls/copy-button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Select } from '../../components/controls/select.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { Section } from '../../components/display/section.tsx'
import { Table } from '../../components/display/table.tsx'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatAgo, formatDate, formatFullTime } from '../../format/time.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { partsText } from '../../text/parts.ts'
import { accessText } from '../../text/settings/access.ts'
import { settingsText } from '../../text/settings/settings.ts'
import { FormDialog } from './form-dialog.tsx'
import css from './settings.module.css'

const scopeShape = /^(?:\*|[^/\s]+(?:\/[^/\s]+)?)$/
const roles = (['read', 'write', 'admin'] as const).map((id) => ({ id, label: id }))

/** Asks what the key is for. */
function NewKeyDialog({ onClose, onMade }: { onClose: () => void; onMade: (key: NewKey) => void }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('write')
  const [scope, setScope] = useState('*')
  const isScope = scopeShape.test(scope.trim())
  const save = async (): Promise<void> => {
    onMade(await createKey({ name: name.trim(), role, scope: scope.trim() }))
  }
  return (
    <FormDialog
      title={accessText.newKey}
      action={accessText.create}
      isReady={name.trim() !== '' && isScope}
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <Field
            label={accessText.name}
            hint={accessText.nameHint}
            placeholder="ci-evaluations"
            autofocus
            value={name}
            error={problem}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <Field
            label={accessText.scope}
            hint={accessText.scopeHint}
            value={scope}
            error={isScope ? undefined : accessText.scopeWrong}
            onInput={(event) => setScope(event.currentTarget.value)}
          />
          <Select
            label={accessText.rights}
            hint={accessText.roleHint}
            options={roles}
            value={role}
            onChange={setRole}
          />
        </>
      )}
    </FormDialog>
  )
}

const readAgain = () => queries.invalidateQueries({ queryKey: keysQuery.queryKey })

/** API keys: owner, purpose, and time of last use. */
export default function Keys() {
  const { data, error, refetch } = useQuery(keysQuery)
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const [leaving, setLeaving] = useState<KeyRecord>()
  return (
    <Section
      title={settingsText.sections.keys}
      lead={accessText.keysLead}
      action={
        <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
          {accessText.newKey}
        </Button>
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 1fr 1fr 1fr 80px" rows={4} height={40} />
      ) : (
        <Table
          label={settingsText.sections.keys}
          columns={[
            { id: 'name', name: accessText.name, isWide: true },
            { id: 'key', name: accessText.key, isExtra: true },
            { id: 'scope', name: accessText.scope, isExtra: true },
            { id: 'role', name: accessText.rights },
            { id: 'created', name: accessText.created, isNumber: true, isExtra: true },
            { id: 'used', name: accessText.lastUsed, isNumber: true },
            { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
          ]}
          rows={inOrder(data.keys).map((key) => ({
            id: key.id,
            isOff: key.revoked_at !== null,
            cells: cellsOf(key, () => setLeaving(key)),
          }))}
          foot={made && <MadeKey made={made} onClose={() => setMade(undefined)} />}
        />
      )}
      <p class={css.note}>{accessText.preset}</p>
      {isCreating && (
        <NewKeyDialog
          onClose={() => setCreating(false)}
          onMade={(key) => {
            setMade(key)
            void readAgain()
          }}
        />
      )}
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={accessText.revokeTitle(leaving?.name ?? '')}
        verb={accessText.revoke}
        keep={accessText.keep}
        run={async () => {
          if (leaving) await revokeKey(leaving.id)
          await readAgain()
        }}
      >
        <p>
          {accessText.revokeText}
          {leaving?.is_own && ` ${accessText.revokeOwn}`}
        </p>
      </ConfirmDialog>
    </Section>
  )
}

/** Keys in use by name, then those that are not. */
const inOrder = (keys: readonly KeyRecord[]): KeyRecord[] =>
  keys.toSorted((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null) || a.name.localeCompare(b.name))

const cellsOf = (key: KeyRecord, onRevoke: () => void) => ({
  name: (
    <span class={css.name}>
      <Icon of={KeyRound} />
      <span>
        <b>{key.name}</b>
        <span class={css.place}>{reachOf(key)}</span>
      </span>
      {key.is_own && <Badge tone="outline">{accessText.isYours}</Badge>}
    </span>
  ),
  key: <code>{key.id}…</code>,
  scope: <span class={css.scope}>{reachOf(key)}</span>,
  role: <Badge tone={key.role === 'admin' ? 'accent' : 'neutral'}>{key.role}</Badge>,
  created: <Created keyRecord={key} />,
  used: <LastUsed at={key.last_used_at} />,
  menu: key.revoked_at === null && (
    <MenuButton
      label={accessText.actions(key.name)}
      side="end"
      size="compact"
      items={[{ label: accessText.revoke, danger: true, run: onRevoke }]}
    />
  ),
})

const reachOf = ({ scope }: KeyRecord): string => (scope === '*' ? accessText.allProjects : scope)

const Created = ({ keyRecord: { created_at, revoked_at } }: { keyRecord: KeyRecord }) =>
  revoked_at === null ? (
    <span data-tip={formatFullTime(created_at)}>{formatDate(created_at)}</span>
  ) : (
    <span data-tip={formatFullTime(revoked_at)}>{accessText.revoked(formatDate(revoked_at))}</span>
  )

const LastUsed = ({ at }: { at: string | null }) =>
  at === null ? <span>{accessText.neverUsed}</span> : <span data-tip={formatFullTime(at)}>{formatAgo(at)}</span>

const MadeKey = ({ made, onClose }: { made: NewKey; onClose: () => void }) => (
  <div class={css.made} role="status">
    <Icon of={Check} />
    <b>{accessText.newKeyMade(made.name)}</b>
    <code>{made.key}</code>
    <CopyButton text={made.key} words />
    <small>{accessText.copyNow}</small>
    <IconButton of={X} label={partsText.close} size="compact" onClick={onClose} />
  </div>
)
