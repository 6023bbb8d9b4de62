import { Check, KeyRound, Plus, X } from 'lucide'
import { useState } from 'preact/hooks'
import { keysOf } from '../../../../lib/present.ts'
import { isInUse, type KeyRecord, keysQuery, type NewKey, revokeKey, rotateKey } from '../../../api/keys.ts'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { CopyButton } from '../../../components/controls/copy-button.tsx'
import { Select } from '../../../components/controls/select.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { Section } from '../../../components/display/section.tsx'
import { Table } from '../../../components/display/table.tsx'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { queries, useQuery } from '../../../state/query-signal.ts'
import { partsText } from '../../../text/parts.ts'
import { accessText } from '../../../text/settings/access.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import css from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'
import { keyCells } from './key-cells.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

const readAgain = () => queries.invalidateQueries({ queryKey: keysQuery.queryKey })

/** API keys: owner, purpose, expiry, and time of last use. */
export default function Keys() {
  const { data, error, refetch } = useQuery(keysQuery)
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const [turning, setTurning] = useState<KeyRecord>()
  const [leaving, setLeaving] = useState<KeyRecord>()
  const show = (key: NewKey): void => {
    setMade(key)
    void readAgain()
  }
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
      ) : data.keys.length === 0 && !made ? (
        <EmptyState icon={KeyRound} title={accessText.noKeys}>
          {accessText.noKeysReason}
        </EmptyState>
      ) : (
        <Table
          label={settingsText.sections.keys}
          columns={[
            { id: 'name', name: accessText.name, isWide: true },
            { id: 'key', name: accessText.key, isExtra: true },
            { id: 'scope', name: accessText.scope, isExtra: true },
            { id: 'role', name: accessText.rights },
            { id: 'expires', name: accessText.expires, isNumber: true, isExtra: true },
            { id: 'used', name: accessText.lastUsed, isNumber: true },
            { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
          ]}
          rows={inOrder(data.keys).map((key) => ({
            id: key.id,
            isOff: !isInUse(key),
            cells: keyCells(key, { onRotate: () => setTurning(key), onRevoke: () => setLeaving(key) }),
          }))}
          foot={made && <MadeKey made={made} onClose={() => setMade(undefined)} />}
        />
      )}
      <p class={css.note}>{accessText.preset}</p>
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} onMade={show} />}
      {turning && <RotateKeyDialog old={turning} onClose={() => setTurning(undefined)} onMade={show} />}
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
  keys.toSorted((a, b) => Number(!isInUse(a)) - Number(!isInUse(b)) || a.name.localeCompare(b.name))

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

type Overlap = keyof typeof accessText.overlaps

const overlaps = keysOf(accessText.overlaps).map((id) => ({ id, label: accessText.overlaps[id] }))
const seconds = { none: 0, hour: 3_600, day: 86_400, week: 7 * 86_400 } as const

/** Asks for how long the old key works beside the new one. */
function RotateKeyDialog({ old, onClose, onMade }: RotateKeyDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>('day')
  const save = async (): Promise<void> => {
    onMade(await rotateKey({ id: old.id, overlap_seconds: seconds[overlap] }))
  }
  return (
    <SettingsForm
      title={accessText.rotateTitle(old.name)}
      verb={accessText.rotateVerb}
      isReady
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>{accessText.rotateText}</p>
          <Select label={accessText.overlap} options={overlaps} value={overlap} onChange={setOverlap} />
          {old.is_own && <p class={css.hint}>{accessText.rotateOwn}</p>}
          {problem && <p role="alert">{problem}</p>}
        </>
      )}
    </SettingsForm>
  )
}

interface RotateKeyDialogProps {
  readonly old: KeyRecord
  readonly onClose: () => void
  readonly onMade: (key: NewKey) => void
}
