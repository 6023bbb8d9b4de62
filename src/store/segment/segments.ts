import { textLiteral, typedNulls } from '../../duck/column-types.ts'
import type { Writer } from '../../duck/writer.ts'
import type { Log } from '../../log.ts'
import type { Column, Table } from '../../model/table.ts'
import { fileExists, listFolder, readBytes, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import type { TableFile } from '../delta/delta-state.ts'
import { indexedFile, type TableLayout } from '../layout.ts'
import { fileColumns } from './file-columns.ts'
import { IdFilter } from './id-filter.ts'
import { type Segment, segmentOf } from './segment.ts'
import { rebuildFilter } from './write-segment.ts'

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
}): Promise<Segment[]> {
  const { writer, table, layout, files, log } = options
  const segments: Segment[] = []
  for (const { add, columns } of files) {
    const fileName = decodeURIComponent(add.path)
    if (!(await fileExists(layout.parquet(fileName)))) {
      throw new Error(
        `Open the table ${table.name}: its Delta log names ${fileName}, which is missing in ${layout.folder}`,
      )
    }
    const missing = missingColumns(table, columns)
    segments.push(segmentOf(add, await readFilter({ writer, table, layout, fileName, log }), missing))
  }
  return segments
}

async function readFilter(options: {
  writer: Writer
  table: Table
  layout: TableLayout
  fileName: string
  log: Log
}): Promise<IdFilter> {
  const { writer, table, layout, fileName, log } = options
  const sidecar = layout.filter(fileName)
  if (await fileExists(sidecar)) {
    const filter = IdFilter.fromBytes(await readBytes(sidecar))
    if (filter) return filter
  }
  log.info({ file: fileName }, 'making the id filter of a file again')
  return await rebuildFilter(writer, table, layout, fileName)
}

/** Removes files of a crashed flush: whatever the Delta state does not name. */
export async function removeStrays(layout: TableLayout, segments: readonly Segment[]): Promise<void> {
  const known = new Set(segments.map((segment) => segment.fileName))
  for (const name of await listFolder(layout.folder)) {
    if (name.endsWith('.tmp') || (name.endsWith('.parquet') && !known.has(name)))
      await removeFile(joinPath(layout.folder, name))
  }
  for (const name of await listFolder(layout.filters)) {
    const indexed = indexedFile(name)
    const isKnown = indexed === undefined ? name.endsWith('.group') : known.has(indexed)
    if (!isKnown) await removeFile(joinPath(layout.filters, name))
  }
}

/** Columns that the table has and a file with `columns` has not. */
export const missingColumns = (table: Table, columns: readonly string[]): Column[] =>
  fileColumns(table).filter(({ name }) => !columns.includes(name))

/** Segments in the order in which the table's rows lie, by the column that follows the project. */
export function oldestFirst(table: Table, segments: readonly Segment[]): Segment[] {
  const column = table.order[1] ?? table.order[0]!
  const rank = ({ statistics }: Segment) => String(statistics.minValues[column] ?? '')
  return segments.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
}

/** Segments that miss the same columns. */
export function byMissingColumns(segments: readonly Segment[]): Segment[][] {
  const groups = new Map<string, Segment[]>()
  for (const segment of segments) {
    const key = segment.missing.map(({ name }) => name).join()
    const group = groups.get(key)
    if (group) group.push(segment)
    else groups.set(key, [segment])
  }
  return [...groups.values()]
}

/** A FROM item over files; columns that older ones miss read as null. */
export function parquetSource(layout: TableLayout, segments: readonly Segment[]): string {
  const sources = byMissingColumns(segments).map((group) => {
    const paths = group.map((segment) => textLiteral(layout.parquet(segment.fileName))).join(', ')
    const { missing } = group[0]!
    return missing.length === 0
      ? `read_parquet([${paths}])`
      : `(SELECT *, ${typedNulls(missing)} FROM read_parquet([${paths}]))`
  })
  if (sources.length === 1) return sources[0]!
  return `(${sources.map((source) => `FROM ${source}`).join(' UNION ALL BY NAME ')})`
}
