import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { type DataFile, hasOnlyValue, withinBounds } from './data-file.ts'
import { textWidth } from './row-groups.ts'
import { sortKey } from './sorted-slices.ts'
import { discardFile } from './uncommitted-files.ts'
import { type RowsToWrite, writeDataFile } from './write-data-file.ts'

/** Rows of one project that are to be removed from the data files: all, or those before a time. */
export interface RowsToErase {
  readonly projectId: string
  readonly before?: {
    /** A time column. A row without a value counts by the time of its last write. */
    readonly column: string
    readonly micros: number
  }
}

/** Whether the bounds of a file allow it to contain any of the rows. */
export const mayContainRows = (table: Table, dataFile: DataFile, { projectId, before }: RowsToErase): boolean =>
  withinBounds(dataFile, table.key[0], projectId) && (before === undefined || mayReachBack(dataFile, before))

function mayReachBack({ statistics }: DataFile, { column, micros }: NonNullable<RowsToErase['before']>): boolean {
  const min = statistics.minValues[column]
  return typeof min !== 'string' || statistics.nullCount[column] !== 0 || Date.parse(min) * 1000 < micros
}

/** Whether the bounds of a file prove that all of its rows are to be removed. */
export const containsOnlyRows = (table: Table, dataFile: DataFile, { projectId, before }: RowsToErase): boolean =>
  before === undefined && hasOnlyValue(dataFile, table.key[0], projectId)

/** Condition that the row `t` is one of the rows. */
export function isErasedSql(table: Table, rows: readonly RowsToErase[]): string {
  const conditions = rows.map(({ projectId, before }) => {
    const isOfProject = `t."${table.key[0]}" = ${textLiteral(projectId)}`
    if (before === undefined) return isOfProject
    const time = `coalesce(t."${before.column}", t."${table.updatedAtColumn}")`
    return `(${isOfProject} AND ${time} < make_timestamptz(${Math.floor(before.micros)}))`
  })
  return `coalesce(${conditions.join(' OR ')}, false)`
}

/** Rows of the largest files that compaction makes of small ones: two of three quarters. */
export const usualRowsMax = (): number => storageLimits.memtableRowsMax * 1.5

/**
 * Splits the rows of `source` (a FROM clause over file columns, named `t`) into consecutive ranges
 * of the table's sort order, each with at most about `rewriteRowsMax` rows and `rewriteBytesMax` of
 * JSON text, so that a few changes of a file do not cost much. Every row is in exactly one range.
 *
 * Each range is a FROM clause of the same kind. A scan per range reads the file again, so there are
 * at most `storageLimits.rewriteRangesMax`.
 */
async function splitRows(writer: Writer, table: Table, source: string, partsMin: number): Promise<string[]> {
  const { rewriteBytesMax, rewriteRowsMax, rewriteRangesMax } = storageLimits
  const text = textWidth(table) ?? '0'
  const { bytes, rows } = await writer.readOne(
    { bytes: 'number?', rows: 'number' },
    `SELECT sum(${text})::DOUBLE, count(*)::DOUBLE FROM ${source}`,
  )
  // The halves of a file of two would be merged again.
  const byRows = rows <= usualRowsMax() ? 1 : rows / rewriteRowsMax
  const byBytes = (bytes ?? 0) / rewriteBytesMax
  const count = Math.min(Math.ceil(Math.max(byBytes, byRows, partsMin)), rewriteRangesMax)
  if (count <= 1) return [source]
  const width = byRows > byBytes ? '1' : text
  const keyOf = sortKey(table)
  const starts = await startsOfRanges(writer, { keyOf, width, source, count })
  return ['', ...starts].map((start, index) => {
    const end = starts[index]
    const conditions = [
      ...(start === '' ? [] : [`${keyOf} >= from_hex('${start}')`]),
      ...(end === undefined ? [] : [`${keyOf} < from_hex('${end}')`]),
    ]
    return `(SELECT t.* FROM ${source}) t WHERE ${conditions.join(' AND ') || 'true'}`
  })
}

/** Where the second and later ranges start, as hexadecimal sort keys, by a sample of the rows. */
async function startsOfRanges(
  writer: Writer,
  { keyOf, width, source, count }: { keyOf: string; width: string; source: string; count: number },
): Promise<string[]> {
  const sample = await writer.read(
    { key: 'text', bytes: 'number' },
    `SELECT hex(key), width::DOUBLE FROM (
       SELECT ${keyOf} AS key, ${width} AS width FROM ${source}
     ) USING SAMPLE reservoir(${sampleRows} ROWS) REPEATABLE (1) ORDER BY key`,
  )
  const total = sample.reduce((sum, { bytes }) => sum + bytes, 0)
  const starts = new Set<string>()
  let before = 0
  for (const { key, bytes } of sample) {
    if (before >= (total / count) * (starts.size + 1) && starts.size < count - 1) starts.add(key)
    before += bytes
  }
  return [...starts]
}

const sampleRows = 4096

/**
 * Writes the rows of an existing file again: one data file, or several with consecutive ranges of
 * the sort order where the file has more than memory should hold at once. Files of other engines
 * have any size. See docs/decisions/003-changed-rows-rewrite-files-at-flush.md.
 *
 * @param options.partsMin how many files are wanted, if there are enough rows
 * @returns no files if the source has no rows
 */
export async function rewriteRows(rows: RowsToWrite, { partsMin = 1 } = {}): Promise<DataFile[]> {
  const written: DataFile[] = []
  try {
    for (const source of await splitRows(rows.writer, rows.table, rows.source, partsMin)) {
      const file = await writeDataFile({ ...rows, source })
      if (file !== undefined) written.push(file)
    }
  } catch (cause) {
    // If even this fails, the first error says why, and the next start cleans up.
    for (const { fileName } of written) await discardFile(rows.layout, fileName).catch(() => {})
    throw cause
  }
  return written
}
