import { Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { queries, useQuery } from '../state/query-signal.ts'
import { canWrite } from '../state/session.ts'
import { showError } from '../state/undo.ts'
import { partsText } from '../text/parts.ts'
import { savedText } from '../text/saved.ts'
import { deleteView, readSavedViews, type SavedView, saveView } from './saved-views.ts'
import css from './view-tabs.module.css'

const all = ''

/** Saved views as tabs; a dot after the name says that the table shows something else by now. */
export function ViewTabs({ projectId, kind, current, shown, enabled, onSelect }: ViewTabsProps) {
  const queryKey = ['views', projectId, kind]
  const views =
    useQuery({ queryKey, enabled, queryFn: ({ signal }) => readSavedViews(projectId, kind, signal) }).data ?? []
  const [isNaming, setNaming] = useState(false)
  const view = views.find(({ id }) => id === current)
  const isChanged = view !== undefined && !isSame(view, shown)
  const reload = () => queries.invalidateQueries({ queryKey })
  const save = async (label: string): Promise<void> => {
    const id = await saveView(projectId, kind, { ...shown, label })
    await reload()
    setNaming(false)
    onSelect({ ...shown, label, id })
  }
  const drop = async (): Promise<void> => {
    if (!view) return
    await deleteView(projectId, view.id)
    await reload()
    onSelect(undefined)
  }
  const tabs = [
    { id: all, label: savedText.all },
    ...views.map(({ id, label }) => ({ id, label: id === current && isChanged ? savedText.changed(label) : label })),
  ]
  return (
    <div class={css.tabs}>
      <Tabs
        tabs={tabs}
        current={view?.id ?? all}
        onSelect={(id) => onSelect(views.find((candidate) => candidate.id === id))}
        label={savedText.label}
      />
      {canWrite.value && (
        <>
          {view && isChanged && (
            <Button kind="quiet" size="compact" onClick={() => void save(view.label).catch(showError)}>
              {savedText.save}
            </Button>
          )}
          {view && !isChanged && (
            <IconButton
              of={Trash2}
              size="compact"
              iconSize={14}
              label={savedText.drop(view.label)}
              onClick={() => void drop().catch(showError)}
            />
          )}
          <IconButton of={Plus} size="compact" label={savedText.add} onClick={() => setNaming(true)} />
        </>
      )}
      {isNaming && <NameDialog onClose={() => setNaming(false)} onSave={save} />}
    </div>
  )
}

function NameDialog({ onClose, onSave }: { onClose: () => void; onSave: (label: string) => Promise<void> }) {
  const [label, setLabel] = useState('')
  const [busy, setBusy] = useState(false)
  const save = (): void => {
    if (label.trim() === '') return
    setBusy(true)
    onSave(label.trim())
      .catch(showError)
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={savedText.add}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {partsText.cancel}
          </Button>
          <Button kind="primary" busy={busy} onClick={save}>
            {savedText.save}
          </Button>
        </>
      }
    >
      <form
        class={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Field
          label={savedText.name}
          placeholder={savedText.example}
          hint={savedText.hint}
          value={label}
          required
          autofocus
          onInput={(event) => setLabel(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}

const isSame = (view: SavedView, shown: Shown): boolean =>
  view.filter === shown.filter &&
  (view.sort === undefined || (view.sort.id === shown.sort?.id && view.sort.direction === shown.sort.direction)) &&
  JSON.stringify(view.columns) === JSON.stringify(shown.columns)

/** What the table shows, as far as a view keeps it. */
type Shown = Omit<SavedView, 'id' | 'label'>

interface ViewTabsProps {
  readonly projectId: string
  readonly kind: 'traces' | 'calls'
  /** Id of the view that was chosen last. */
  readonly current: string
  readonly shown: Shown
  /** Rows come first. */
  readonly enabled: boolean
  /** Undefined for the table without a view. */
  readonly onSelect: (view: SavedView | undefined) => void
}
