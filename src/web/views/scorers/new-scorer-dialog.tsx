import { useState } from 'preact/hooks'
import { Field } from '../../components/controls/field.tsx'
import { Select } from '../../components/controls/select.tsx'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { scorerDrafts } from '../../scorer/drafts.ts'
import { editableClasses, newScorer } from '../../scorer/scorer.ts'
import { scorerPath } from '../../state/judging-paths.ts'
import { navigate } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { scorerText } from '../../text/evaluation/scorer.ts'
import css from './scorer-list.module.css'

interface NewScorerDialogProps {
  readonly projectId: string
  /** Names that are taken. */
  readonly names: readonly string[]
  readonly onClose: () => void
}

const words = scorerText.new
const human = 'human'

/** Names a new scorer and chooses its kind; it is stored when it is first saved. */
export default function NewScorerDialog({ projectId, names, onClose }: NewScorerDialogProps) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState(editableClasses[0] ?? '')
  const isHuman = kind === human
  const fault =
    name === '' || /^[\w.-]{1,128}$/.test(name) ? (names.includes(name) ? words.taken(name) : undefined) : words.bad
  const isReady = isHuman || (name !== '' && fault === undefined)
  const create = () => {
    onClose()
    if (isHuman) return navigate(viewPath(projectId, 'queues'))
    scorerDrafts.keep(projectId, name, { startedFrom: undefined, latest: undefined, scorer: newScorer(kind) })
    navigate(scorerPath(projectId, name))
  }
  return (
    <FormDialog
      title={words.title}
      verb={isHuman ? words.openQueues : words.create}
      isReady={isReady}
      formClass={css.form}
      submit={create}
      onClose={onClose}
    >
      <Select
        label={words.kind}
        value={kind}
        options={[
          ...editableClasses.map((id) => ({ id, label: scorerText.kindName(id) })),
          { id: human, label: scorerText.human },
        ]}
        hint={isHuman ? scorerText.humanDoes : scorerText.kindDoes(kind)}
        onChange={setKind}
      />
      {!isHuman && (
        <Field
          label={words.name}
          hint={words.hint}
          error={fault}
          value={name}
          autofocus
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value.trim())}
        />
      )}
    </FormDialog>
  )
}
