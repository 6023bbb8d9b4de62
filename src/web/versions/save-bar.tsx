import { TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Button } from '../components/controls/button.tsx'
import { Icon } from '../components/display/icon.tsx'
import css from './save-bar.module.css'

interface SaveBarProps {
  /** Name of the bar for those who hear it. */
  readonly label: string
  /** What is not saved. */
  readonly state: string
  /** The changes in words. */
  readonly changes?: ComponentChildren
  /** Field for a sentence about the changes, which is stored with them. */
  readonly description?: {
    readonly label: string
    readonly hint: string
    readonly value: string
    readonly onInput: (description: string) => void
  }
  /** What prevents saving, or may be wrong. */
  readonly fault?: ComponentChildren
  readonly discard: string
  readonly save: string
  readonly busy: boolean
  readonly canSave: boolean
  readonly onDiscard: () => void
  readonly onSave: () => void
}

/** The unsaved changes of a page, what prevents saving them, and the buttons to save or discard. */
export function SaveBar({ label, state, changes, description, fault, discard, save, ...props }: SaveBarProps) {
  return (
    <div class={css.bar} role="region" aria-label={label} data-save-bar>
      <span class={css.dot} aria-hidden />
      <strong class={css.state}>{state}</strong>
      {changes}
      {description && (
        <input
          class={css.message}
          aria-label={description.label}
          placeholder={description.hint}
          value={description.value}
          dir="auto"
          onInput={(event) => description.onInput(event.currentTarget.value)}
        />
      )}
      {fault}
      <span class={css.buttons}>
        <Button kind="quiet" onClick={props.onDiscard}>
          {discard}
        </Button>
        <Button kind="primary" hint="⌘S" busy={props.busy} disabled={!props.canSave} onClick={props.onSave}>
          {save}
        </Button>
      </span>
    </div>
  )
}

interface FaultNoteProps {
  /** Whether it prevents saving. */
  readonly stops: boolean
  readonly text: string
  /** Way to what is wrong. */
  readonly children: ComponentChildren
}

/** A fault in the save bar. */
export const FaultNote = ({ stops, text, children }: FaultNoteProps) => (
  <span class={stops ? css.fault : css.warning} role={stops ? 'alert' : 'status'}>
    <Icon of={TriangleAlert} size={14} />
    <span class="cut">{text}</span>
    {children}
  </span>
)
