import type { Table } from '../../kernel/table.ts'
import { limits } from '../../limits.ts'
import { type DataFile, fileMatcher } from '../data-files/data-file.ts'
import type { TableLayout } from '../layout.ts'
import { rowKey } from '../row-key.ts'
import type { TableLayers } from './table-layers.ts'

/** Files that may have one row. They stay until they are released. */
export interface PinnedFiles {
  readonly table: Table
  readonly layout: TableLayout
  readonly dataFiles: readonly DataFile[]
  /** See `Snapshot`. */
  readonly wasReplaced: () => Promise<boolean>
  readonly release: () => Promise<void>
}

/**
 * Holds the files for a row of which the hot part knows nothing; undefined where they cannot answer alone, or where the row may be wide.
 * Only under the lock on layers.
 */
export function pinFilesFor(
  { active, sealed, files, deferredDeletes, damaged, table, layout }: TableLayers,
  projectId: string,
  id: string,
): PinnedFiles | undefined {
  const key = rowKey(projectId, id)
  if (active.mayContain(key) || sealed?.memtable.mayContain(key)) return undefined
  const wanted = { projectId, anyOf: new Map([[table.key[1], [id]]]) }
  const dataFiles = files.dataFiles.filter(fileMatcher(table, wanted))
  // Whoever asks a snapshot is told why there is no answer.
  if (damaged.among(dataFiles).length > 0) return undefined
  if (dataFiles.some(({ bytes, rows }) => bytes > rows * limits.pointRowBytesMax)) return undefined
  const list = files.pin()
  const release = async () => {
    list.pins--
    // What cannot be removed is no fault of the reader: the timer tries again, and reports.
    await deferredDeletes.sweep().catch(() => {})
  }
  return { table, layout, dataFiles, wasReplaced: () => damaged.wereReplaced(dataFiles), release }
}
