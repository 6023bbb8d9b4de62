import { post } from '../api/client.ts'
import { allOf, condition, type FilterNode, partsOf } from '../filter/expression.ts'
import { pathOfRequest, requestPath } from '../filter/fields.ts'
import { formatFilter } from '../filter/format-filter.ts'
import { fromQuery } from '../filter/from-query.ts'
import { parseFilter } from '../filter/parse-filter.ts'
import { toQuery } from '../filter/to-query.ts'
import { opName } from '../format/ids.ts'
import { queries, useQuery } from '../state/query-signal.ts'
import { type Column, readColumns, writeColumns } from '../table/columns/columns.ts'
import { columnById, offeredColumns } from '../table/columns/known-columns.ts'
import type { Sort } from '../table/columns/sort.ts'
import { savedText } from '../text/saved.ts'
import { NamedTabs } from './named-tabs.tsx'
import { deleteSaved, objectIdOf } from './saved-objects.ts'

/** A table that somebody gave a name: filter, order and columns. */
interface SavedView {
  readonly id: string
  readonly label: string
  readonly filter: string
  readonly sort: Sort | undefined
  readonly columns: readonly Column[] | undefined
}

interface Definition {
  readonly filter?: { readonly op_names?: readonly string[] | null } | null
  readonly query?: unknown
  readonly sort_by?: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[] | null
  readonly column_order?: readonly string[] | null
  readonly pin?: { readonly left?: readonly string[] } | null
}

interface ViewObject {
  readonly object_id: string
  readonly val: { readonly view_type?: unknown; readonly label?: unknown; readonly definition?: Definition }
}

/** Saved views of a kind, oldest first. Those that the filter bar has no words for are left out. */
async function readSavedViews(projectId: string, kind: string, signal: AbortSignal): Promise<SavedView[]> {
  const filter = { base_object_classes: ['SavedView'], latest_only: true }
  const { objs } = await post<{ objs: ViewObject[] }>('/objs/query', { project_id: projectId, filter }, { signal })
  return objs.filter(({ val }) => val.view_type === kind).flatMap(viewOf)
}

function viewOf({ object_id, val }: ViewObject): SavedView[] {
  const { filter, query, sort_by, column_order, pin } = val.definition ?? {}
  const ops = (filter?.op_names ?? []).map((name) => opName(name.replace(/:\*$/, ':x')))
  const asked = query ? fromQuery(query) : undefined
  if (query && !asked) return []
  const op: FilterNode[] = ops.length === 0 ? [] : [condition('op_name', ops.length === 1 ? '=' : 'in', ops)]
  const [sort] = sort_by ?? []
  const columns = column_order?.map((id) => `${id}${pin?.left?.includes(id) ? '!' : ''}`).join(',')
  return [
    {
      id: object_id,
      label: typeof val.label === 'string' ? val.label : object_id,
      filter: formatFilter(allOf([...op, ...partsOf(asked)])),
      sort: sort && { id: idOfPath(sort.field), direction: sort.direction },
      columns: columns ? readColumns(columns) : undefined,
    },
  ]
}

/** Stores a view as an object that other clients read as well. @returns its id @throws {Problem} */
async function saveView(
  projectId: string,
  kind: string,
  { label, filter, sort, columns }: Omit<SavedView, 'id'>,
): Promise<string> {
  const id = objectIdOf(kind, label)
  const val = {
    view_type: kind,
    label,
    definition: {
      query: toQuery(parseFilter(filter), kind === traces) ?? null,
      sort_by: sort
        ? [{ field: requestPath(columnById(sort.id).path, kind === traces), direction: sort.direction }]
        : null,
      column_order: columns?.map((column) => writeColumns([{ ...column, isPinned: false }])) ?? null,
      pin: columns
        ? { left: columns.filter(({ isPinned }) => isPinned).map(({ id: pinned }) => pinned), right: [] }
        : null,
    },
  }
  await post('/obj/create', { obj: { project_id: projectId, object_id: id, builtin_object_class: 'SavedView', val } })
  return id
}

const idOfPath = (path: string): string =>
  offeredColumns.find((id) => columnById(id).path === pathOfRequest(path)) ?? path

/** Kind of the views of the table of traces. */
const traces = 'traces'

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

/** The state of the table that a view saves. */
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
