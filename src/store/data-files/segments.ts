import type { Writer } from '../../duck/writer.ts'
import type { Table } from '../../kernel/table.ts'
import type { Log } from '../../log.ts'
import { findDiskFault } from '../../platform/disk-fault.ts'
import { fileExists, listFolder, readBytes, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import type { TableFile } from '../delta/delta-state.ts'
import { IdFilter } from '../keys/id-filter.ts'
import { indexedFile, type TableLayout } from '../layout.ts'
import { endFault } from './file-checksum.ts'
import { type FileReading, fileSource, readingOf, statedReading } from './file-reading.ts'
import { isOwnName } from './own-files.ts'
import { type Segment, segmentOf } from './segment.ts'
import { rebuildFilter, valuesOfRows } from './write-segment.ts'

/** An immutable list of files: what a reader pins. */
export interface SegmentList {
  readonly segments: readonly Segment[]
  pins: number
}

/** Opens the files of a Delta state: reads their filters and makes missing ones again. */
export async function openSegments(options: {
  writer: Writer
  table: Table
  layout: TableLayout
  files: readonly TableFile[]
  log: Log
  /** False where nothing in the folder may change: then filters that are missing stay missing there. */
  mayWrite: boolean
  /**
   * Takes what is wrong with files of this store's own, by their names, as far as it shows without reading them. They are among the answer all the
   * same. Without it they are an error.
   */
  faults?: Map<string, string>
}): Promise<Segment[]> {
  const { writer, table, layout, files, log, mayWrite, faults } = options
  const segments: Segment[] = []
  for (const file of files) {
    const damaged = faults && (await damagedSegment({ table, layout, file, faults }))
    if (damaged !== undefined) {
      segments.push(damaged)
      continue
    }
    const reading = await readingOf(writer, table, layout, file)
    const filter = await readFilter({ writer, table, layout, reading, log, mayWrite }).catch((cause: unknown) => {
      // A disk that fails or is full now is another matter, and so are files of others.
      if (faults === undefined || findDiskFault(cause) !== undefined || !isOwnName(reading.fileName)) throw cause
      faults.set(reading.fileName, `cannot be read: ${cause instanceof Error ? cause.message.split('\n')[0] : ''}`)
      return IdFilter.ofEverything()
    })
    segments.push(segmentOf(file.add, filter, reading))
  }
  return segments
}

/** A file of which the end is not what it was, if it is one; undefined where it seems well. */
async function damagedSegment(options: {
  table: Table
  layout: TableLayout
  file: TableFile
  faults: Map<string, string>
}): Promise<Segment | undefined> {
  const { table, layout, file, faults } = options
  const stated = statedReading(table, file)
  if (stated === undefined) return undefined
  const fault = await endFault(layout.parquet(stated.fileName), file.add)
  if (fault === undefined) return undefined
  faults.set(stated.fileName, fault)
  const sidecar = layout.filter(stated.fileName)
  const filter = (await fileExists(sidecar)) ? IdFilter.fromBytes(await readBytes(sidecar)) : undefined
  return segmentOf(file.add, filter ?? IdFilter.ofEverything(), stated)
}

/** The files of a Delta state as they are read, for whoever looks through all of their rows: their filters deny nothing. */
export async function segmentsOf(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  files: readonly TableFile[],
): Promise<Segment[]> {
  const segments: Segment[] = []
  for (const file of files)
    segments.push(segmentOf(file.add, IdFilter.ofEverything(), await readingOf(writer, table, layout, file)))
  return segments
}

async function readFilter(options: {
  writer: Writer
  table: Table
  layout: TableLayout
  reading: FileReading
  log: Log
  mayWrite: boolean
}): Promise<IdFilter> {
  const { writer, table, layout, reading, log, mayWrite } = options
  const { fileName } = reading
  const sidecar = layout.filter(fileName)
  if (await fileExists(sidecar)) {
    const filter = IdFilter.fromBytes(await readBytes(sidecar))
    if (filter) return filter
  }
  log.info({ file: fileName }, 'making the id filter of a file again')
  if (mayWrite) return await rebuildFilter(writer, table, layout, reading)
  return await (await valuesOfRows(writer, table, `${fileSource(layout, [reading])} t`)).toFilter()
}

/** Removes index files of data files that the table does not have. */
export async function removeStrayFilters(layout: TableLayout, segments: readonly Segment[], log: Log): Promise<void> {
  const known = new Set(segments.flatMap(({ fileName }) => [layout.filter(fileName), layout.keys(fileName)]))
  const strays = (await listFolder(layout.filters)).filter((name) => {
    const isOfOneFile = indexedFile(name) !== undefined
    return isOfOneFile ? !known.has(joinPath(layout.filters, name)) : !name.endsWith('.group')
  })
  for (const name of strays) await removeFile(joinPath(layout.filters, name))
  if (strays.length > 0)
    log.info({ files: strays.length }, 'removed index files of data files that are not in the table')
}

/** Segments in the order in which the table's rows lie, by the column that follows the project. */
export function oldestFirst(table: Table, segments: readonly Segment[]): Segment[] {
  const column = table.order[1] ?? table.order[0]!
  const rank = ({ statistics }: Segment) => String(statistics.minValues[column] ?? '')
  return segments.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
}

/** Segments that are read in the same way. One that has deleted rows stands alone: they are numbered in their file. */
export function readAlike(segments: readonly Segment[]): Segment[][] {
  const groups = new Map<string, Segment[]>()
  for (const segment of segments) {
    const { missing, converted, deletedRows, fileName } = segment
    const key = JSON.stringify([missing.map(({ name }) => name), converted, deletedRows === '' ? '' : fileName])
    const group = groups.get(key)
    if (group) group.push(segment)
    else groups.set(key, [segment])
  }
  return [...groups.values()]
}

/** A FROM item over files; columns that older ones miss read as null. */
export function parquetSource(layout: TableLayout, segments: readonly Segment[]): string {
  const sources = readAlike(segments).map((group) => fileSource(layout, group))
  if (sources.length === 1) return sources[0]!
  return `(${sources.map((source) => `FROM ${source}`).join(' UNION ALL BY NAME ')})`
}
