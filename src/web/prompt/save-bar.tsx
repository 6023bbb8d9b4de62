import { useMemo } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { promptText } from '../text/prompt.ts'
import type { Draft } from './drafts.ts'
import type { PromptFault, PromptPart } from './faults.ts'
import type { Prompt } from './prompt.ts'
import { changedParts, promptDiff } from './prompt-diff.ts'
import { FaultNote } from './prompt-editor.tsx'
import css from './save-bar.module.css'

interface SaveBarProps {
  readonly draft: Draft
  readonly before: Prompt | undefined
  readonly faults: readonly PromptFault[]
  /** Number of the version that saving makes. */
  readonly version: number
  readonly busy: boolean
  readonly isConflict: boolean
  readonly onDescribe: (description: string) => void
  readonly onSave: () => void
  readonly onDiscard: () => void
}

/** Longer prompts are not compared at every key press. */
const comparedMax = 100_000

/** The unsaved changes, the faults that prevent saving, and the button to save. */
export function SaveBar(props: SaveBarProps) {
  const { draft, before, faults, version, busy, isConflict, onDescribe, onSave, onDiscard } = props
  const [fault] = faults
  const stops = faults.some(({ level }) => level === 'fault')
  const words = useMemo(() => changesOf(before, draft.prompt), [before, draft.prompt])
  return (
    <div class={css.bar} role="region" aria-label={promptText.notSavedState} data-save-bar>
      <span class={css.dot} aria-hidden />
      <strong class={css.state}>{promptText.notSavedState}</strong>
      <span class={css.changes}>{words}</span>
      <input
        class={css.message}
        aria-label={promptText.whatChanged}
        placeholder={promptText.whatChangedHint}
        value={draft.prompt.description}
        dir="auto"
        onInput={(event) => onDescribe(event.currentTarget.value)}
      />
      {fault && <FaultNote fault={fault} more={faults.length - 1} onGo={() => goTo(fault.part)} />}
      <span class={css.buttons}>
        <Button kind="quiet" onClick={onDiscard}>
          {promptText.discard}
        </Button>
        <Button kind="primary" hint="⌘S" busy={busy} disabled={stops || isConflict} onClick={onSave}>
          {promptText.save(version)}
        </Button>
      </span>
    </div>
  )
}

function changesOf(before: Prompt | undefined, after: Prompt): string {
  const size = after.messages.reduce((sum, { text }) => sum + text.length, 0)
  if (before === undefined || size > comparedMax) return ''
  const { messages, others, isEqual } = changedParts(promptDiff(before, after))
  if (isEqual) return promptText.nothingElse
  return [
    ...(messages === 0 ? [] : [promptText.changes.message(messages)]),
    ...others.map((part) => (part === 'message' ? '' : promptText.changes[part])),
  ].join(', ')
}

/** Brings a part of the editor into view, and the focus into it. */
function goTo(part: PromptPart): void {
  const selector = typeof part === 'number' ? `[data-message="${part}"]` : `[data-part=${part}]`
  const element = document.querySelector<HTMLElement>(selector)
  element?.scrollIntoView({ block: 'center' })
  const fold = element?.querySelector<HTMLElement>('[aria-expanded=false]')
  if (part === 'tools' || part === 'schema') fold?.click()
  const field =
    part === 'variables'
      ? element?.nextElementSibling?.querySelector<HTMLElement>('input')
      : element?.querySelector<HTMLElement>('textarea, input')
  queueMicrotask(() => (field ?? element?.querySelector<HTMLElement>('textarea'))?.focus())
}
