import { useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { keepDraft } from '../../prompt/drafts.ts'
import { newPrompt, type Prompt } from '../../prompt/prompt.ts'
import { navigate } from '../../state/location.ts'
import { promptPath } from '../../state/paths.ts'
import { promptText } from '../../text/prompt.ts'

interface NewPromptDialogProps {
  readonly projectId: string
  /** Names that are taken. */
  readonly names: readonly string[]
  readonly prompt?: Prompt
  /** Takes the name instead of opening the page of the prompt. */
  readonly onName?: (name: string) => void
  readonly onClose: () => void
}

/** Names a new prompt; it is stored when it is first saved. */
export default function NewPromptDialog({ projectId, names, prompt, onName, onClose }: NewPromptDialogProps) {
  const [name, setName] = useState('')
  const fault =
    name === '' || /^[\p{L}\p{N}_.-]{1,128}$/u.test(name)
      ? names.includes(name)
        ? promptText.nameTaken(name)
        : undefined
      : promptText.nameBad
  const create = (event: Event) => {
    event.preventDefault()
    if (name === '' || fault !== undefined) return
    if (onName) return onName(name)
    keepDraft(projectId, name, { startedFrom: undefined, latest: undefined, prompt: prompt ?? newPrompt() })
    onClose()
    navigate(promptPath(projectId, name))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={promptText.newPrompt}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {promptText.cancel}
          </Button>
          <Button kind="primary" type="submit" form="new-prompt" disabled={name === '' || fault !== undefined}>
            {onName ? promptText.save(0) : promptText.create}
          </Button>
        </>
      }
    >
      <form id="new-prompt" onSubmit={create}>
        <Field
          label={promptText.nameLabel}
          hint={promptText.nameHint}
          error={fault}
          value={name}
          autofocus
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value.trim())}
        />
      </form>
    </Dialog>
  )
}
