import { useMemo } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { settingsPath } from '../state/paths.ts'
import { isAdmin } from '../state/session.ts'
import { promptText } from '../text/prompt.ts'
import { FaultNote, SaveBar } from '../versions/save-bar.tsx'
import type { Draft } from './drafts.ts'
import type { PromptFault, PromptPart } from './faults.ts'
import type { Prompt } from './prompt.ts'
import { changedParts, promptDiff } from './prompt-diff.ts'
import css from './prompt-editor.module.css'

interface PromptSaveBarProps {
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
export function PromptSaveBar(props: PromptSaveBarProps) {
  const { draft, before, faults, version, busy, isConflict, onDescribe, onSave, onDiscard } = props
  const [fault] = faults
  const stops = faults.some(({ level }) => level === 'fault')
  const words = useMemo(() => changesOf(before, draft.prompt), [before, draft.prompt])
  const more = faults.length - 1
  return (
    <SaveBar
      label={promptText.notSavedState}
      state={promptText.notSavedState}
      changes={<span class={css.changes}>{words}</span>}
      description={{
        label: promptText.whatChanged,
        hint: promptText.whatChangedHint,
        value: draft.prompt.description,
        onInput: onDescribe,
      }}
      fault={
        fault && (
          <FaultNote
            stops={fault.level === 'fault'}
            text={more > 0 ? `${fault.text} ${promptText.faultsMore(more)}` : fault.text}
          >
            {!fault.isOfServer ? (
              <Button kind="quiet" size="compact" onClick={() => goTo(fault.part)}>
                {promptText.goToIt}
              </Button>
            ) : (
              isAdmin.value && (
                <a class={css.faultWay} href={settingsPath('secrets')}>
                  {promptText.openSecrets}
                </a>
              )
            )}
          </FaultNote>
        )
      }
      discard={promptText.discard}
      save={promptText.save(version)}
      busy={busy}
      canSave={!stops && !isConflict}
      onDiscard={onDiscard}
      onSave={onSave}
    />
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
