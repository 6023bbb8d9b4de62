import { queries, useQuery } from '../state/query-signal.ts'
import { savedText } from '../text/saved.ts'
import { NamedTabs } from './named-tabs.tsx'
import { deleteSaved } from './saved-object.ts'
import { readSavedViews, type SavedView, saveView } from './saved-views.ts'

/** Saved views of a table as tabs. */
export function ViewTabs({ projectId, kind, current, shown, enabled, onSelect }: ViewTabsProps) {
  const queryKey = ['views', projectId, kind]
  const views =
    useQuery({ queryKey, enabled, queryFn: ({ signal }) => readSavedViews(projectId, kind, signal) }).data ?? []
  const view = views.find(({ id }) => id === current)
  const reload = () => queries.invalidateQueries({ queryKey })
  return (
    <NamedTabs
      words={savedText.views}
      items={views}
      current={current}
      isChanged={view !== undefined && !isSame(view, shown)}
      onSelect={(id) => onSelect(views.find((candidate) => candidate.id === id))}
      onSave={async (label) => {
        const id = await saveView(projectId, kind, { ...shown, label })
        await reload()
        onSelect({ ...shown, label, id })
      }}
      onDrop={async (id) => {
        await deleteSaved(projectId, id)
        await reload()
        onSelect(undefined)
      }}
    />
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
