import { Button } from '../components/controls/button.tsx'
import { scorerText } from '../text/evaluation/scorer.ts'
import { FaultNote, SaveBar } from '../versions/save-bar.tsx'
import type { ScorerFault } from './faults.ts'
import css from './scorer-editor.module.css'

interface ScorerSaveBarProps {
  readonly faults: readonly ScorerFault[]
  /** What the server found wrong; undefined if nothing was refused. */
  readonly refusal: string | undefined
  readonly description: string
  /** Number of the version that saving makes. */
  readonly version: number
  readonly busy: boolean
  readonly isConflict: boolean
  readonly onDescribe: (description: string) => void
  readonly onSave: () => void
  readonly onDiscard: () => void
}

/** The unsaved changes, the first fault that prevents saving, and the button to save. */
export function ScorerSaveBar(props: ScorerSaveBarProps) {
  const { faults, refusal, description, version, busy, isConflict, onDescribe, onSave, onDiscard } = props
  const [fault] = faults
  const stops = faults.some(({ level }) => level === 'fault')
  return (
    <SaveBar
      label={scorerText.notSavedState}
      state={scorerText.notSavedState}
      description={{
        label: scorerText.whatChanged,
        hint: scorerText.whatChangedHint,
        value: description,
        onInput: onDescribe,
      }}
      fault={
        refusal !== undefined ? (
          <span class={css.refusal} role="alert">
            {scorerText.refused} {refusal}
          </span>
        ) : (
          fault && (
            <FaultNote
              stops={fault.level === 'fault'}
              text={faults.length > 1 ? `${fault.text} ${scorerText.more(faults.length - 1)}` : fault.text}
            >
              <Button kind="quiet" size="compact" onClick={() => goTo(fault)}>
                {scorerText.goTo}
              </Button>
            </FaultNote>
          )
        )
      }
      discard={scorerText.discard}
      save={scorerText.save(version)}
      busy={busy}
      canSave={!stops && !isConflict}
      onDiscard={onDiscard}
      onSave={onSave}
    />
  )
}

/** Brings a part of the editor into view, and the focus into it. */
function goTo({ part }: ScorerFault): void {
  const element = document.querySelector<HTMLElement>(`[data-part=${part}]`)
  element?.scrollIntoView({ block: 'center' })
  element?.querySelector<HTMLElement>('textarea, input, select')?.focus()
}
