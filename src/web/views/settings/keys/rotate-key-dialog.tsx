import { useState } from 'preact/hooks'
import { keysOf } from '../../../../lib/present.ts'
import { type KeyRecord, type NewKey, rotateKey } from '../../../api/keys.ts'
import { Select } from '../../../components/controls/select.tsx'
import { accessText } from '../../../text/settings/access.ts'
import css from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'

type Overlap = keyof typeof accessText.overlaps

const overlaps = keysOf(accessText.overlaps).map((id) => ({ id, label: accessText.overlaps[id] }))
const seconds = { none: 0, hour: 3_600, day: 86_400, week: 7 * 86_400 } as const

/** Asks for how long the old key works beside the new one. */
export function RotateKeyDialog({ old, onClose, onMade }: RotateKeyDialogProps) {
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
