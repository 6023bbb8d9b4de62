import { useState } from 'preact/hooks'
import { Field } from '../../components/controls/field.tsx'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { promptDrafts } from '../../prompt/drafts.ts'
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
  const create = () => {
    if (onName) return onName(name)
    promptDrafts.keep(projectId, name, { startedFrom: undefined, latest: undefined, prompt: prompt ?? newPrompt() })
    onClose()
    navigate(promptPath(projectId, name))
  }
  return (
    <FormDialog
      title={promptText.newPrompt}
      verb={onName ? promptText.save(0) : promptText.create}
      isReady={name !== '' && fault === undefined}
      submit={create}
      onClose={onClose}
    >
      <Field
        label={promptText.nameLabel}
        hint={promptText.nameHint}
        error={fault}
        value={name}
        autofocus
        autocomplete="off"
        onInput={(event) => setName(event.currentTarget.value.trim())}
      />
    </FormDialog>
  )
}
