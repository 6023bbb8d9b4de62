import { lakeLimits } from '../../lib/limits/objects.ts'
import { readLimits } from '../../lib/limits/reads.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import { type DataFile, type FilePredicate, fileMatcher } from '../data-files/data-file.ts'
import { loadFilters, unloadedFilters } from '../data-files/deferred-filter.ts'
import type { DataFileList } from '../data-files/open-data-files.ts'
import type { KeyIndex } from '../key-index/key-index.ts'
import type { TableLayout } from '../layout.ts'
import type { Memtable } from '../memtable/memtable.ts'
import type { LoadedRollups, Rollups } from '../rollups/rollups.ts'
import { rowKey } from '../row-key.ts'
import type { TextFilters } from '../text-filter/text-filters.ts'
import type { ValueIndexes } from '../value-index/value-indexes.ts'
import type { DamagedFiles } from './damaged-files.ts'
import { HiddenRows } from './hidden-rows.ts'
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
    await sweepAfterRead(layers)
  }
  return { table, layout, dataFiles, valueIndexes, release }
}

/** The layers of one table as pinned for a reader. */
export interface PinnedTable {
  readonly table: Table
  readonly layout: TableLayout
  readonly active: Memtable
  readonly sealed: Memtable | undefined
  readonly files: DataFileList
  /** Rows of the files that the memtables hide. */
  readonly hidden: HiddenRows
  /** Values of such rows that have been counted; see `hiddenValues`. */
  readonly hiddenCounts: TableLayers['hiddenCounts']
  /** The files of the table currently known to be damaged. */
  readonly damaged: DamagedFiles
  readonly textFilters: TextFilters
  readonly keyIndex: KeyIndex
  readonly rollups: Rollups
  /** The rollups in memory when pinned. */
  readonly loadedRollups: LoadedRollups
  readonly valueIndexes: ValueIndexes
  readonly hiddenProjects: ReadonlySet<string>
  /** Whether the memtables had rows when pinned; their key sets keep changing. */
  readonly activeHasRows: boolean
  readonly sealedHasRows: boolean
}

/**
 * Pins the layers. Requires the layers lock, after draining: rows that are still dirty are
 * invisible.
 */
export function pinTable(layers: TableLayers): PinnedTable {
  const { table, layout, active } = layers
  const sealed = layers.sealed?.memtable
  active.pins++
  if (sealed) sealed.pins++
  return {
    table,
    layout,
    active,
    sealed,
    files: layers.files.pin(),
    hidden: new HiddenRows({
      sealed,
      active,
      dataFiles: layers.files.dataFiles,
      keyIndex: layers.keyIndex,
      hiddenKeys: layers.hiddenKeys,
    }),
    hiddenCounts: layers.hiddenCounts,
    damaged: layers.damaged,
    textFilters: layers.textFilters,
    keyIndex: layers.keyIndex,
    rollups: layers.rollups,
    loadedRollups: layers.rollups.loaded,
    valueIndexes: layers.valueIndexes,
    hiddenProjects: layers.hiddenProjects,
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
  await sweepAfterRead(layers)
}

/**
 * Removes files that are no longer referenced. The reader need not know if that fails, because the
 * timer retries and reports it, nor wait for it in an object store.
 */
export async function sweepAfterRead({ layout, deferredDeletes }: TableLayers): Promise<void> {
  const swept = deferredDeletes.sweep().catch(() => {})
  if (layout.files.filters === undefined) await swept
}
