import { useState } from 'preact/hooks'
import { Field } from '../../components/controls/field.tsx'
import { Select } from '../../components/controls/select.tsx'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import type { TimeRange } from '../../filter/time-range.ts'
import { navigate } from '../../state/location.ts'
import { editedDashboardPath } from '../../state/paths.ts'
import { boardText } from '../../text/board.ts'
import { boardLimits } from '../cards/board.ts'
import { makeBoard } from '../saved-dashboards.ts'
import { overviewCards } from '../template.ts'
import css from './new-board-dialog.module.css'

interface NewBoardDialogProps {
  readonly projectId: string
  /** Op and times of the overview that is left; empty for all. */
  readonly op: string
  readonly range: TimeRange
  readonly onClose: () => void
}

const words = boardText.make

/** Makes a dashboard, without cards or with those of the overview, and opens it to be edited. */
export default function NewBoardDialog({ projectId, op, range, onClose }: NewBoardDialogProps) {
  const [label, setLabel] = useState('')
  const [from, setFrom] = useState<'empty' | 'overview'>(op === '' ? 'empty' : 'overview')
  const make = async (): Promise<void> => {
    const cards = from === 'overview' ? overviewCards(op) : []
    const id = await makeBoard(projectId, { label: label.trim(), range, cards })
    onClose()
    navigate(editedDashboardPath(projectId, id))
  }
  return (
    <FormDialog
      title={words.title}
      verb={words.verb}
      isReady={label.trim() !== ''}
      formClass={css.form}
      submit={make}
      onClose={onClose}
    >
      <Field
        label={words.name}
        placeholder={words.example}
        value={label}
        maxLength={boardLimits.titleCharsMax}
        required
        autofocus
        dir="auto"
        onInput={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <Select
        label={words.from}
        value={from}
        options={[
          { id: 'empty', label: words.empty },
          { id: 'overview', label: words.overview },
        ]}
        onChange={setFrom}
      />
    </FormDialog>
  )
}
