import { Button } from '../components/controls/button.tsx'
import css from '../prompt/save-bar.module.css'
import { scorerText } from '../text/evaluation/scorer.ts'
import type { ScorerFault } from './faults.ts'
import note from './scorer-editor.module.css'

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
    <div class={css.bar} role="region" aria-label={scorerText.notSavedState} data-save-bar>
      <span class={css.dot} aria-hidden />
      <strong class={css.state}>{scorerText.notSavedState}</strong>
      <input
        class={css.message}
        aria-label={scorerText.whatChanged}
        placeholder={scorerText.whatChangedHint}
        value={description}
        dir="auto"
        onInput={(event) => onDescribe(event.currentTarget.value)}
      />
      {refusal !== undefined ? (
        <span class={note.refusal} role="alert">
          {scorerText.refused} {refusal}
        </span>
      ) : (
        fault && (
          <span class={fault.level === 'fault' ? note.fault : note.caution} role="status">
            <span class="cut">{fault.text}</span>
            {faults.length > 1 && <span> {scorerText.more(faults.length - 1)}</span>}
            <Button kind="quiet" size="compact" onClick={() => goTo(fault)}>
              {scorerText.goTo}
            </Button>
          </span>
        )
      )}
      <span class={css.buttons}>
        <Button kind="quiet" onClick={onDiscard}>
          {scorerText.discard}
        </Button>
        <Button kind="primary" hint="⌘S" busy={busy} disabled={stops || isConflict} onClick={onSave}>
          {scorerText.save(version)}
        </Button>
      </span>
    </div>
  )
}

/** Brings a part of the editor into view, and the focus into it. */
function goTo({ part }: ScorerFault): void {
  const element = document.querySelector<HTMLElement>(`[data-part=${part}]`)
  element?.scrollIntoView({ block: 'center' })
  element?.querySelector<HTMLElement>('textarea, input, select')?.focus()
}
