import { Mutex } from '../../lib/concurrency.ts'
import { findDiskFault } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { present } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import { listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { TableFile } from '../delta/delta-state.ts'
import { findSection, readSection } from '../index-file/index-file.ts'
import { BloomFilter, hashingOf } from '../keys/bloom-filter.ts'
import { indexedFile, type TableLayout } from '../layout.ts'
import { columnOfPath, type DataFile, dataFileOf } from './data-file.ts'
import { DeferredFilter } from './deferred-filter.ts'
import { findTailFault } from './file-checksum.ts'
import { FileFilter, type PlaceInGroup } from './file-filter.ts'
import { isOwnName } from './file-names.ts'
import { allRowsSource, type FileScan, fileSource, ownFileScan, resolveScan } from './file-scan.ts'
import { indexRows, rebuildIndexFile } from './write-index-file.ts'

/** An immutable list of files, pinned by readers. */
export interface DataFileList {
  readonly dataFiles: readonly DataFile[]
  pins: number
}

interface OpenOptions {
  readonly writer: Writer
  readonly table: Table
  readonly layout: TableLayout
  readonly log: Log
  /** If false, nothing in the folder changes: missing filters are built in memory only. */
  readonly mayWrite: boolean
  /**
   * Receives faults of this store's own files by name, as far as they show without reading the
   * whole file. Such files are still returned. Without this map a fault is an error.
   */
  readonly faults?: Map<string, string>
  /** The group that a file is in: then its own filter is not read. */
  readonly placeOf?: (fileName: string) => PlaceInGroup | undefined
  /** Memory for filters of files in no group; the newest files come first. */
  readonly room?: FilterRoom
}

/** How many bytes of Bloom filters may still be read when tables are opened. */
export interface FilterRoom {
  bytesLeft: number
}

/**
 * Opens the files of a Delta state. Of those in no group, it loads the Bloom filters and rebuilds
 * missing ones. Reads several files at once, since most of the time goes to waiting for the disk.
 */
export async function openDataFiles(options: OpenOptions & { files: readonly TableFile[] }): Promise<DataFile[]> {
  const { files } = options
  // Statements of one connection must not overlap.
  const statements = new Mutex()
  const opened = new Map<TableFile, DataFile>()
  const newestFirst = files.toSorted((a, b) => b.add.modificationTime - a.add.modificationTime)
  for (let from = 0; from < files.length; from += storageLimits.dataFilesOpenedAtOnce) {
    const some = newestFirst.slice(from, from + storageLimits.dataFilesOpenedAtOnce)
    const opening = some.map(async (file) => opened.set(file, await openDataFile({ ...options, file, statements })))
    // After a failure, none of the others may still be at work.
    for (const done of await Promise.allSettled(opening)) if (done.status === 'rejected') throw done.reason
  }
  return files.map((file) => present(opened.get(file), 'A data file that has been opened'))
}

async function openDataFile(options: OpenOptions & { file: TableFile; statements: Mutex }): Promise<DataFile> {
  const { writer, table, layout, file, faults, statements, placeOf } = options
  const stated = ownFileScan(table, file)
  const resolve = () => resolveScan(writer, table, layout, file, stated)
  const { filters } = layout.files
  if (filters !== undefined && stated !== undefined) {
    // Its end is verified when it arrives.
    const { fileName } = await resolve()
    const read = () => findFilter(layout, fileName)
    const own = new DeferredFilter(layout.index(fileName), filters, read)
    return dataFileOf(file.add, new FileFilter({ place: placeOf?.(fileName), own }), stated)
  }
  if (faults !== undefined && stated !== undefined) {
    const { fileName } = stated
    const fault = await findTailFault(layout.parquet(fileName), file.add)
    if (fault !== undefined) {
      faults.set(fileName, fault)
      const place = placeOf?.(fileName)
      const own = place === undefined ? await findFilter(layout, fileName) : undefined
      return dataFileOf(file.add, new FileFilter({ place, own }), stated)
    }
  }
  const reading = await (stated === undefined ? statements.run(resolve) : resolve())
  const filter = await filterOf({ ...options, reading }).catch((cause: unknown) => {
    // A disk that fails or is full right now says nothing about the file; files of other engines
    // are not ours to judge.
    if (faults === undefined || findDiskFault(cause) !== undefined || !isOwnName(reading.fileName)) throw cause
    faults.set(reading.fileName, `cannot be read: ${cause instanceof Error ? cause.message.split('\n')[0] : ''}`)
    return new FileFilter()
  })
  return dataFileOf(file.add, filter, reading)
}

/** The files of a Delta state for a scan of all rows: their filters match everything. */
export async function openWithoutFilters(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  files: readonly TableFile[],
): Promise<DataFile[]> {
  const dataFiles: DataFile[] = []
  for (const file of files)
    dataFiles.push(dataFileOf(file.add, new FileFilter(), await resolveScan(writer, table, layout, file)))
  return dataFiles
}

async function filterOf(options: OpenOptions & { reading: FileScan; statements: Mutex }): Promise<FileFilter> {
  const { layout, reading, log, statements, placeOf, room } = options
  const place = placeOf?.(reading.fileName)
  // Without room, everything may be in the file until it is in a group.
  if (place !== undefined || (room !== undefined && room.bytesLeft <= 0)) return new FileFilter({ place })
  let own = await findFilter(layout, reading.fileName)
  if (own === undefined) {
    log.info({ file: reading.fileName }, 'rebuilding the Bloom filter of a data file')
    own = await statements.run(() => rebuildFilter(options, reading))
  }
  if (room !== undefined) room.bytesLeft -= own.byteLength
  return new FileFilter({ own })
}

async function rebuildFilter(
  { writer, table, layout, mayWrite }: OpenOptions,
  reading: FileScan,
): Promise<BloomFilter> {
  // The other sections can wait.
  const renewed = new Set(['bloom'] as const)
  const rebuilt = mayWrite
    ? (await rebuildIndexFile(writer, table, { layout, reading, file: undefined, renewed })).filter
    : undefined
  return rebuilt ?? (await (await indexRows(writer, table, `${allRowsSource(table, layout, reading)} t`)).toFilter())
}

/** The Bloom filter of a data file; undefined if it is missing, damaged or larger. */
export async function findFilter(
  layout: TableLayout,
  fileName: string,
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<BloomFilter | undefined> {
  const place = await findSection(layout, fileName, 'bloom')
  if (place === undefined || place.bytes > bytesMax) return undefined
  const bytes = await readSection(place)
  return bytes && BloomFilter.fromBytes(bytes, hashingOf(place))
}

/**
 * Removes index files whose data file is not part of the table, and those of earlier versions that
 * have been replaced.
 */
export async function removeOrphanedIndexFiles(
  layout: TableLayout,
  dataFiles: readonly DataFile[],
  log: Log,
): Promise<void> {
  const names = await listFolder(layout.filters)
  const present = new Set(names.map((name) => joinPath(layout.filters, name)))
  const known = new Set(
    dataFiles.flatMap(({ fileName }) => {
      const index = layout.index(fileName)
      return present.has(index) ? [index] : Object.values(layout.earlierIndexes(fileName))
    }),
  )
  const strays = names.filter((name) => {
    const isOfOneFile = indexedFile(name) !== undefined
    return isOfOneFile ? !known.has(joinPath(layout.filters, name)) : !name.endsWith('.group')
  })
  for (const name of strays) await removeFile(joinPath(layout.filters, name))
  if (strays.length > 0) log.info({ files: strays.length }, 'removed orphaned index files')
}

/** Files in the table's row order, by the column that follows the project. */
export function oldestFirst(table: Table, dataFiles: readonly DataFile[]): DataFile[] {
  const column = table.order[1] ?? table.key[0]
  const rank = ({ statistics }: DataFile) => String(statistics.minValues[column] ?? '')
  return dataFiles.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
}

/**
 * Groups files that are read in the same way: they hold the same of the wanted paths in the same
 * columns. A file with deleted rows forms its own group, because row numbers are per file.
 */
export function groupByShape(dataFiles: readonly DataFile[], paths: readonly string[] = []): DataFile[][] {
  const groups = new Map<string, DataFile[]>()
  for (const dataFile of dataFiles) {
    const { missing, converted, deletedRows, fileName } = dataFile
    const columns = paths.map((path) => columnOfPath(dataFile, path) ?? '')
    const shape = [missing.map(({ name }) => name), converted, deletedRows === '' ? '' : fileName, columns]
    const key = JSON.stringify(shape)
    const group = groups.get(key)
    if (group) group.push(dataFile)
    else groups.set(key, [dataFile])
  }
  return [...groups.values()]
}

/** A FROM item over files. Columns that a file lacks read as null. */
export function parquetSource(layout: TableLayout, dataFiles: readonly DataFile[]): string {
  const sources = groupByShape(dataFiles).map((group) => fileSource(layout, group))
  const [first, ...others] = sources
  if (first !== undefined && others.length === 0) return first
  return `(${sources.map((source) => `FROM ${source}`).join(' UNION ALL BY NAME ')})`
}
