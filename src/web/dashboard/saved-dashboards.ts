import { post } from '../api/client.ts'
import { readTimeRange, type TimeRange } from '../filter/time-range.ts'
import { freeId, objectIdOf } from '../saved/saved-objects.ts'
import { queries } from '../state/query-signal.ts'
import { type ObjectVersion, saveVersion } from '../versions/objects.ts'
import { type Board, boardClass, boardOf, contentOf } from './cards/board.ts'

/**
 * A dashboard that somebody gave a name: cards, or the overview of an operation in a time range.
 * See docs/decisions/120-saved-dashboards.md.
 */
export interface SavedDashboard {
  readonly id: string
  readonly label: string
  /** Name of an op; empty for all. */
  readonly op: string
  readonly range: TimeRange
  /** Undefined for the overview of an operation. */
  readonly board: Board | undefined
  /** The latest version. */
  readonly digest: string
  readonly version: ObjectVersion
}

/** A dashboard of cards. */
export type SavedBoard = SavedDashboard & { readonly board: Board }

interface DashboardObject extends ObjectVersion {
  readonly val: { readonly label?: unknown; readonly op?: unknown; readonly range?: unknown }
}

/** Saved dashboards of a project, for the query cache. */
export const savedDashboards = (projectId: string) => ({
  queryKey: ['dashboards', projectId] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => readDashboards(projectId, signal),
})

/** Reads the saved dashboards again. */
export const reloadBoards = (projectId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: savedDashboards(projectId).queryKey })

/** Saved dashboards of a project, oldest first. */
async function readDashboards(projectId: string, signal: AbortSignal): Promise<SavedDashboard[]> {
  const filter = { base_object_classes: [boardClass], latest_only: true }
  const { objs } = await post<{ objs: DashboardObject[] }>('/objs/query', { project_id: projectId, filter }, { signal })
  return objs.map(({ val, ...version }) => ({
    id: version.object_id,
    label: typeof val.label === 'string' && val.label !== '' ? val.label : version.object_id,
    op: typeof val.op === 'string' ? val.op : '',
    range: (typeof val.range === 'string' ? readTimeRange(val.range) : undefined) ?? { kind: 'all' },
    board: boardOf(val, version.object_id),
    digest: version.digest,
    version,
  }))
}

/** Stores the overview of an operation as an object. @returns its id @throws {Problem} */
export async function saveDashboard(
  projectId: string,
  { label, op, range }: Pick<SavedDashboard, 'label' | 'op' | 'range'>,
): Promise<string> {
  const id = objectIdOf('dashboard', label)
  const { cards: _, ...content } = contentOf({ label, range, cards: [] })
  await post('/obj/create', { obj: { project_id: projectId, object_id: id, val: { ...content, op } } })
  return id
}

/**
 * Stores a version of a dashboard. @param startedFrom digest of the version that it starts from;
 * undefined for a new one
 *
 * @throws {Problem} 409 if it is not the latest
 */
export const saveBoard = (
  projectId: string,
  id: string,
  board: Board,
  startedFrom: string | undefined,
): Promise<{ digest: string }> => saveVersion(projectId, id, contentOf(board), startedFrom)

/** Stores a new dashboard under an id that is free. @returns its id @throws {Problem} */
export async function makeBoard(projectId: string, board: Board): Promise<string> {
  const taken = new Set((await queries.fetchQuery(savedDashboards(projectId))).map((each) => each.id))
  const id = freeId(objectIdOf('dashboard', board.label), taken)
  await saveBoard(projectId, id, board, undefined)
  await reloadBoards(projectId)
  return id
}
