import type { Table } from '../../kernel/table.ts'
import { limits } from '../../limits.ts'
import { matcherOf, type Segment } from '../data-files/segment.ts'
import type { TableLayout } from '../layout.ts'
import { rowKey } from '../row-key.ts'
import type { TableLayers } from './table-layers.ts'

/** Files that may have one row. They stay until they are released. */
export interface HeldFiles {
  readonly table: Table
  readonly layout: TableLayout
  readonly segments: readonly Segment[]
  /** See `Snapshot`. */
  readonly wasReplaced: () => Promise<boolean>
  readonly release: () => Promise<void>
}

/**
 * Holds the files for a row of which the hot part knows nothing; undefined where they cannot answer alone, or where the row may be wide.
 * Only under the lock on layers.
 */
export function holdFilesOf(
  { active, sealed, files, retired, damaged, table, layout }: TableLayers,
  projectId: string,
  id: string,
): HeldFiles | undefined {
  const key = rowKey(projectId, id)
  if (active.knows(key) || sealed?.generation.knows(key)) return undefined
  const wanted = { projectId, anyOf: new Map([[table.key[1], [id]]]) }
  const segments = files.segments.filter(matcherOf(table, wanted))
  // Whoever asks a snapshot is told why there is no answer.
  if (damaged.among(segments).length > 0) return undefined
  if (segments.some(({ bytes, rows }) => bytes > rows * limits.pointRowBytesMax)) return undefined
  const list = files.pin()
  const release = async () => {
    list.pins--
    // What cannot be removed is no fault of the reader: the timer tries again, and reports.
    await retired.sweep().catch(() => {})
  }
  return { table, layout, segments, wasReplaced: () => damaged.wereReplaced(segments), release }
}
