import { lakeLimits } from '../../lib/limits/objects.ts'
import { readLimits } from '../../lib/limits/reads.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { type DataFile, type FilePredicate, fileMatcher } from '../data-files/data-file.ts'
import { loadFilters, unloadedFilters } from '../data-files/deferred-filter.ts'
import type { DataFileList } from '../data-files/open-data-files.ts'
import type { Memtable } from '../memtable/memtable.ts'
import type { LoadedRollups } from '../rollups/rollups.ts'
import { rowKey } from '../row-key.ts'
import { HiddenRows } from './hidden-rows.ts'
import type { TableLayers } from './table-layers.ts'

/** Files that may contain one row, pinned until they are released. */
export interface PinnedFiles extends Pick<TableLayers, 'table' | 'layout' | 'valueIndexes'> {
  readonly dataFiles: readonly DataFile[]
  readonly release: () => Promise<void>
}

/**
 * Pins the files for a row that no memtable mentions; undefined if files alone cannot answer, or if
 * the row may be wide. Requires the layers lock.
 */
export function pinFilesFor(layers: TableLayers, projectId: string, id: string): PinnedFiles | undefined {
  const { active, sealed, files, damaged, hiddenProjects, table, layout, valueIndexes } = layers
  const key = rowKey(projectId, id)
  if (active.mayHaveFacts || active.mayContain(key) || sealed?.memtable.mayContain(key)) return undefined
  const wanted = { projectId, anyOf: new Map([[table.key[1], [id]]]) }
  const dataFiles = hiddenProjects.has(projectId) ? [] : files.dataFiles.filter(fileMatcher(table, wanted))
  // A snapshot read reports why there is no answer.
  if (damaged.among(dataFiles).length > 0) return undefined
  if (dataFiles.some(({ bytes, rows }) => bytes > rows * readLimits.pointRowBytesMax)) return undefined
  const list = files.pin()
  const release = async () => {
    list.pins--
    await layers.removeUnneeded()
  }
  return { table, layout, dataFiles, valueIndexes, release }
}

/** The layers of one table as pinned for a reader, and what is known about the files now. */
export interface PinnedTable
  extends Pick<
    TableLayers,
    'table' | 'layout' | 'damaged' | 'textFilters' | 'valueIndexes' | 'rollups' | 'hiddenProjects'
  > {
  readonly active: Memtable
  readonly sealed: Memtable | undefined
  readonly files: DataFileList
  /** Rows of the files that the memtables hide. */
  readonly hidden: HiddenRows
  /** The rollups in memory when pinned. */
  readonly loadedRollups: LoadedRollups
  /** Whether the memtables had rows when pinned; their key sets keep changing. */
  readonly activeHasRows: boolean
  readonly sealedHasRows: boolean
}

/**
 * Pins the layers. Requires the layers lock, after draining: rows that are still dirty are
 * invisible.
 */
export function pinTable(layers: TableLayers): PinnedTable {
  const { table, layout, active, damaged, textFilters, valueIndexes, rollups, hiddenProjects } = layers
  const { keyIndex, hiddenKeys } = layers
  const sealed = layers.sealed?.memtable
  const files = layers.files.pin()
  active.pins++
  if (sealed) sealed.pins++
  return {
    ...{ table, layout, active, sealed, files, damaged, textFilters, valueIndexes, rollups, hiddenProjects },
    hidden: new HiddenRows({ sealed, active, dataFiles: files.dataFiles, keyIndex, hiddenKeys }),
    loadedRollups: rollups.loaded,
    activeHasRows: active.keys.size > 0,
    sealedHasRows: sealed !== undefined && sealed.keys.size > 0,
  }
}

/** Fetches the filters that a predicate needs to rule out files, if these are not loaded. */
export async function loadFiltersFor({ table, layout, files }: PinnedTable, wanted: FilePredicate): Promise<void> {
  if (layout.files.filters === undefined || wanted.anyOf === undefined || wanted.anyOf.size === 0) return
  const dataFiles = files.dataFiles.filter(fileMatcher(table, wanted))
  const unloaded = unloadedFilters(dataFiles)
  // More of their indexes is needed soon. A failure is reported where they are read.
  if (unloaded.length <= lakeLimits.filesWithoutFilterMax)
    await Promise.allSettled(unloaded.map(({ path }) => layout.files.fetchSmall(path)))
  await loadFilters(dataFiles)
}

/** Whether the memtables have no rows, but at most hide some. */
export const areAllInFiles = ({ active, sealed }: TableLayers): boolean =>
  active.rows === 0 && (sealed === undefined || sealed.memtable.rows === 0)

/**
 * Whether all rows are in files, or are a few whose keys the active memtable has: rows that wait
 * for their files to be rewritten, once they have been drained (see
 * docs/decisions/284-counts-while-updates-wait.md).
 */
export const areListed = ({ active, sealed }: TableLayers): boolean =>
  active.rows === active.keys.size &&
  active.rows <= storageLimits.listedRowsMax &&
  active.lessons.size === 0 &&
  !active.hasStoredOrphans &&
  (sealed === undefined || sealed.memtable.rows === 0)

/** How many rows of a project a pinned table has in memory. Call it before the lock is released. */
export function listedRowsOf({ active }: PinnedTable, projectId: string): number {
  const prefix = rowKey(projectId, '')
  return active.keys.values().reduce((rows, key) => rows + (key.startsWith(prefix) ? 1 : 0), 0)
}

/** Unpins the layers, and removes files that are no longer referenced. */
export async function unpinTable(layers: TableLayers, pinned: PinnedTable): Promise<void> {
  pinned.active.pins--
  if (pinned.sealed) pinned.sealed.pins--
  pinned.files.pins--
  await layers.removeUnneeded()
}
