import { readLimits } from '../../lib/limits/reads.ts'
import type { Table } from '../../lib/table.ts'
import { type DataFile, fileMatcher } from '../data-files/data-file.ts'
import type { TableLayout } from '../layout.ts'
import { rowKey } from '../row-key.ts'
import type { ValueIndexes } from '../value-index/value-indexes.ts'
import type { TableLayers } from './table-layers.ts'

/** Files that may contain one row, pinned until they are released. */
export interface PinnedFiles {
  readonly table: Table
  readonly layout: TableLayout
  readonly dataFiles: readonly DataFile[]
  readonly valueIndexes: ValueIndexes
  readonly release: () => Promise<void>
}

/**
 * Pins the files for a row that no memtable mentions; undefined if files alone cannot answer, or if
 * the row may be wide. Requires the layers lock.
 */
export function pinFilesFor(layers: TableLayers, projectId: string, id: string): PinnedFiles | undefined {
  const { active, sealed, files, deferredDeletes, damaged, hiddenProjects, table, layout, valueIndexes } = layers
  const key = rowKey(projectId, id)
  if (active.mayTell || active.mayContain(key) || sealed?.memtable.mayContain(key)) return undefined
  const wanted = { projectId, anyOf: new Map([[table.key[1], [id]]]) }
  const dataFiles = hiddenProjects.has(projectId) ? [] : files.dataFiles.filter(fileMatcher(table, wanted))
  // A snapshot read reports why there is no answer.
  if (damaged.among(dataFiles).length > 0) return undefined
  if (dataFiles.some(({ bytes, rows }) => bytes > rows * readLimits.pointRowBytesMax)) return undefined
  const list = files.pin()
  const release = async () => {
    list.pins--
    // A failed removal does not concern the reader: the timer retries and reports it.
    await deferredDeletes.sweep().catch(() => {})
  }
  return { table, layout, dataFiles, valueIndexes, release }
}
