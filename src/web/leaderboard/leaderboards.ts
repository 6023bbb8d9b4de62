import type {
  Leaderboard,
  LeaderboardCell,
  LeaderboardColumn,
  LeaderboardRow,
} from '../../domains/evaluations/index.ts'
import { post } from '../api/client.ts'
import { modelOf, promptOf, scoreName, valueText } from '../evaluation/runs.ts'
import { formatDuration } from '../format/duration.ts'
import { formatNumber } from '../format/number.ts'
import { leaderboardText } from '../text/evaluation/leaderboard.ts'

export type { Leaderboard, LeaderboardCell, LeaderboardColumn, LeaderboardRow }

/** A column as it is stored, in the shape of the SDKs. */
export interface StoredColumn {
  readonly evaluation_object_ref: string
  readonly scorer_name: string
  readonly summary_metric_path: string
  readonly should_minimize: boolean | null
  /** Runs of all versions of the evaluation count. */
  readonly all_versions?: boolean
}

/** A leaderboard of a list. */
export interface ListedLeaderboard {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly columns: readonly StoredColumn[]
  readonly createdAt: string
}

/** What is stored of a leaderboard. */
export interface LeaderboardContent {
  readonly name: string
  readonly description: string | null
  readonly columns: readonly StoredColumn[]
}

const objectClass = 'Leaderboard'

interface LeaderboardObject {
  readonly object_id: string
  readonly created_at: string
  readonly val: { readonly name?: unknown; readonly description?: unknown; readonly columns?: unknown }
}

/** Reads the leaderboards of a project, the last changed first. */
export const leaderboardsQuery = (projectId: string) => ({
  queryKey: ['objects', projectId, 'leaderboards'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ListedLeaderboard[]> => {
    const filter = { base_object_classes: [objectClass], latest_only: true }
    const body = { project_id: projectId, filter, sort_by: [{ field: 'created_at', direction: 'desc' }] }
    const { objs } = await post<{ objs: LeaderboardObject[] }>('/objs/query', body, { signal })
    return objs.map(({ object_id, created_at, val }) => ({
      id: object_id,
      name: typeof val.name === 'string' && val.name !== '' ? val.name : object_id,
      description: typeof val.description === 'string' ? val.description : '',
      columns: Array.isArray(val.columns) ? val.columns : [],
      createdAt: created_at,
    }))
  },
})

/**
 * Reads the figures of a leaderboard; null if there is none of that name.
 * @param version digest, `v<number>` or alias
 */
export const leaderboardQuery = (projectId: string, name: string, version: string | undefined) => ({
  queryKey: ['objects', projectId, 'leaderboard', name, version],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Leaderboard | null> => {
    const filter = { object_ids: [name], base_object_classes: [objectClass], latest_only: true }
    const body = { project_id: projectId, filter, metadata_only: true }
    if ((await post<{ objs: object[] }>('/objs/query', body, { signal })).objs.length === 0) return null
    return await post('/evaluations/leaderboard', { project_id: projectId, name, digest: version ?? null }, { signal })
  },
})

/**
 * Stores a version. @param startedFrom digest of the version that was edited; undefined for a new
 * board
 *
 * @throws {Problem} 409 if another version came first
 */
export const saveLeaderboard = (
  projectId: string,
  id: string,
  val: LeaderboardContent,
  startedFrom: string | undefined,
): Promise<{ digest: string }> =>
  post('/obj/create', {
    obj: {
      project_id: projectId,
      object_id: id,
      builtin_object_class: objectClass,
      val,
      expected_latest_digest: startedFrom ?? '',
    },
  })

/** The id of a new leaderboard: its name in characters that names of objects may have. */
export const idOfName = (name: string): string =>
  name
    .trim()
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Name of a figure: of its score, or its place in the summary. */
export function figureName({
  scorer_name,
  summary_metric_path,
}: Pick<StoredColumn, 'scorer_name' | 'summary_metric_path'>): string {
  if (isLatency({ scorer_name, summary_metric_path })) return leaderboardText.dialog.latency
  const path = summary_metric_path.replace(/(^|\.)(true_fraction|mean)$/, '')
  return scoreName([scorer_name, path].filter((part) => part !== '').join('.')) || summary_metric_path
}

const isLatency = ({ scorer_name, summary_metric_path }: Pick<StoredColumn, 'scorer_name' | 'summary_metric_path'>) =>
  [scorer_name, summary_metric_path].filter((part) => part !== '').join('.') === 'model_latency.mean'

/** A value of a column as text. */
export const figureText = (column: LeaderboardColumn, value: number): string =>
  isLatency(column)
    ? formatDuration(value * 1_000)
    : column.kind === 'rate' || column.kind === 'mean'
      ? valueText(column.kind, value)
      : formatNumber(value)

/** Model and prompt of a row, as one text. */
const nameOf = (row: LeaderboardRow): string => `${modelOf(row)} ${promptOf(row)}`.trim()

/** Rows in the order of a column, its best first; those without a figure last. */
export function sortedRows(
  { rows }: Leaderboard,
  by: number | 'model',
  isReversed: boolean,
): readonly LeaderboardRow[] {
  const sign = isReversed ? -1 : 1
  const compare = (a: LeaderboardRow, b: LeaderboardRow): number => {
    if (by === 'model') return sign * nameOf(a).localeCompare(nameOf(b))
    const [first, second] = [a.cells[by]?.rank, b.cells[by]?.rank]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
    return sign * (first - second)
  }
  return rows.toSorted(compare)
}
