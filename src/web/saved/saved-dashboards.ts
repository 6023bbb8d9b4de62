import { post } from '../api/client.ts'
import { readTimeRange, type TimeRange, writeTimeRange } from '../filter/time-range.ts'

/** The id of a saved object: its kind and what its name says in letters and digits. */
export function objectIdOf(kind: string, label: string): string {
  const name = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${kind}-${name || 'view'}`
}

/** Deletes a saved object with all its versions. @throws {Problem} */
export const deleteSaved = (projectId: string, id: string): Promise<unknown> =>
  post('/obj/delete', { project_id: projectId, object_id: id })

/**
 * A dashboard that somebody gave a name: an operation and a time range. See
 * docs/decisions/120-saved-dashboards.md.
 */
export interface SavedDashboard {
  readonly id: string
  readonly label: string
  /** Name of an op; empty for all. */
  readonly op: string
  readonly range: TimeRange
}

const objectClass = 'SavedDashboard'

interface DashboardObject {
  readonly object_id: string
  readonly val: { readonly label?: unknown; readonly op?: unknown; readonly range?: unknown }
}

/** Saved dashboards of a project, for the query cache. */
export const savedDashboards = (projectId: string) => ({
  queryKey: ['dashboards', projectId] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => readDashboards(projectId, signal),
})

/** Saved dashboards of a project, oldest first. */
async function readDashboards(projectId: string, signal: AbortSignal): Promise<SavedDashboard[]> {
  const filter = { base_object_classes: [objectClass], latest_only: true }
  const { objs } = await post<{ objs: DashboardObject[] }>('/objs/query', { project_id: projectId, filter }, { signal })
  return objs.map(({ object_id, val }) => ({
    id: object_id,
    label: typeof val.label === 'string' ? val.label : object_id,
    op: typeof val.op === 'string' ? val.op : '',
    range: (typeof val.range === 'string' ? readTimeRange(val.range) : undefined) ?? { kind: 'all' },
  }))
}

/** Stores a dashboard as an object. @returns its id @throws {Problem} */
export async function saveDashboard(
  projectId: string,
  { label, op, range }: Omit<SavedDashboard, 'id'>,
): Promise<string> {
  const id = objectIdOf('dashboard', label)
  const val = {
    _type: objectClass,
    _class_name: objectClass,
    _bases: ['Object', 'BaseModel'],
    label,
    op,
    range: writeTimeRange(range),
  }
  await post('/obj/create', { obj: { project_id: projectId, object_id: id, val } })
  return id
}
