import { useState } from 'preact/hooks'
import { Problem } from '../../api/client.ts'
import { projectsQuery } from '../../api/projects.ts'
import { Field } from '../../components/controls/field.tsx'
import { Select } from '../../components/controls/select.tsx'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import type { TimeRange } from '../../filter/time-range.ts'
import { navigate } from '../../state/location.ts'
import { dashboardPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { showToast } from '../../state/toasts.ts'
import { boardText } from '../../text/board.ts'
import { type Board, boardLimits, type Card } from '../cards/board.ts'
import { titleOf } from '../cards/card-data.ts'
import { hasRoom, inserted } from '../edit/arrange.ts'
import { boardDrafts } from '../edit/drafts.ts'
import css from '../edit/new-board-dialog.module.css'
import { makeBoard, reloadBoards, type SavedBoard, saveBoard, savedDashboards } from '../saved-dashboards.ts'

interface AddToDialogProps {
  /** Undefined where rows are of several projects: then one is chosen. */
  readonly projectId: string | undefined
  readonly card: Card
  /** Times of a new dashboard. */
  readonly range: TimeRange
  readonly onClose: () => void
}

const words = boardText.addTo

/** Adds a card to a dashboard that there is, or to a new one. */
export default function AddToDialog({ projectId: given, card, range, onClose }: AddToDialogProps) {
  const projects = useQuery({ ...projectsQuery, enabled: given === undefined }).data?.projects ?? []
  const [chosenProject, setProject] = useState<string>()
  const projectId = given ?? chosenProject ?? projects[0]?.project_id ?? ''
  const { data } = useQuery({ ...savedDashboards(projectId), enabled: projectId !== '' })
  const boards = (data ?? []).flatMap((each) => (each.board ? [{ ...each, board: each.board }] : []))
  const [chosen, setChosen] = useState<string>()
  const saved = boards.find(({ id }) => id === (chosen ?? boards[0]?.id))
  const [title, setTitle] = useState(card.title)
  const [label, setLabel] = useState('')
  const isReady = projectId !== '' && data !== undefined && (saved !== undefined || label.trim() !== '')
  const add = async (): Promise<void> => {
    const into = saved ?? { label: label.trim(), range }
    const id = await addCard(projectId, into, { ...card, title: title.trim() })
    onClose()
    showToast({
      kind: 'done',
      text: words.done(into.label),
      action: { label: words.open, run: () => navigate(dashboardPath(projectId, id, '')) },
    })
  }
  return (
    <FormDialog
      title={words.title}
      verb={words.verb}
      isReady={isReady}
      formClass={css.form}
      submit={add}
      onClose={onClose}
    >
      <Field
        label={boardText.panel.name}
        value={title}
        placeholder={titleOf({ ...card, title: '' })}
        maxLength={boardLimits.titleCharsMax}
        autofocus
        dir="auto"
        onInput={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      {given === undefined && (
        <Select
          label={words.project}
          value={projectId}
          options={projects.map(({ project_id: id }) => ({ id, label: id }))}
          onChange={(id) => {
            setProject(id)
            setChosen(undefined)
          }}
        />
      )}
      <Select
        label={words.to}
        value={saved?.id ?? ''}
        options={[
          ...boards.map((each) => ({ id: each.id, label: each.label })),
          { id: '', label: data ? words.another : '…' },
        ]}
        onChange={setChosen}
        hint={saved && boardDrafts.find(projectId, saved.id) ? words.draft : undefined}
      />
      {data !== undefined && saved === undefined && (
        <Field
          label={boardText.make.name}
          placeholder={boardText.make.example}
          value={label}
          maxLength={boardLimits.titleCharsMax}
          required
          dir="auto"
          onInput={({ currentTarget }) => setLabel(currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}

/**
 * Adds a card at the end of a dashboard, or makes one with it. Where this browser keeps unsaved
 * changes to the dashboard, the card is added to these.
 *
 * @returns the id of the dashboard
 * @throws {Problem} if it cannot be stored
 */
async function addCard(
  projectId: string,
  into: SavedBoard | Pick<Board, 'label' | 'range'>,
  card: Card,
): Promise<string> {
  if (!('board' in into)) return await makeBoard(projectId, { label: into.label, range: into.range, cards: [card] })
  const draft = boardDrafts.find(projectId, into.id)
  const board = draft?.board ?? into.board
  if (!hasRoom(board)) throw new Error(boardText.full(boardLimits.cardsMax))
  if (draft) {
    boardDrafts.keep(projectId, into.id, { ...draft, board: inserted(board, card) })
    return into.id
  }
  try {
    await saveBoard(projectId, into.id, inserted(board, card), into.digest)
  } catch (error) {
    if (error instanceof Problem && error.type === 'VersionConflict') throw new Error(boardText.addTo.conflict)
    throw error
  } finally {
    await reloadBoards(projectId)
  }
  return into.id
}
