import type { RowRanges } from '../../lib/relation.ts'
import type { Table } from '../../lib/table.ts'
import { type DataFile, isWholly } from './data-file.ts'
import { isOwnName } from './file-names.ts'

/**
 * The files that may hold any of the last `rows` visible rows of a project in the order of the
 * table, by their bounds alone. Rows that are not counted, because they may be of another project,
 * invisible or deleted, do no harm: more files are read than necessary.
 *
 * @param hidden rows of these files that a memtable may mask
 */
export function selectLast(
  table: Table,
  dataFiles: readonly DataFile[],
  { projectId, rows, hidden }: { projectId: string; rows: number; hidden: number },
): readonly DataFile[] {
  const column = table.order[1]
  if (column === undefined || dataFiles.length < 2) return dataFiles
  // Texts of years beyond four digits do not sort like their times.
  const boundOf = ({ statistics }: DataFile, side: 'minValues' | 'maxValues') =>
    /^\d/.test(String(statistics[side][column])) ? String(statistics[side][column]) : ''
  const whole = dataFiles
    .filter((dataFile) => isWholly(table, dataFile, projectId) && boundOf(dataFile, 'minValues') !== '')
    .toSorted((a, b) => (boundOf(a, 'minValues') < boundOf(b, 'minValues') ? 1 : -1))
  let counted = 0
  for (const dataFile of whole) {
    counted += dataFile.rows
    // All rows counted so far are at or above this bound.
    const bound = boundOf(dataFile, 'minValues')
    if (counted >= rows + hidden)
      return dataFiles.filter((other) => boundOf(other, 'maxValues') === '' || boundOf(other, 'maxValues') >= bound)
  }
  return dataFiles
}

/**
 * The rows of these files that may be among the last ones: a file of this store is sorted, so they
 * are at its end. Other files may have them anywhere.
 */
export function lastRowsOf(
  table: Table,
  dataFiles: readonly DataFile[],
  { projectId, rows, hidden }: { projectId: string; rows: number; hidden: number },
): ReadonlyMap<string, RowRanges> {
  const sorted = dataFiles.filter((dataFile) => isWholly(table, dataFile, projectId) && isOwnName(dataFile.fileName))
  return new Map(
    sorted.map((file) => [file.fileName, [[Math.max(0, file.rows - rows - hidden), file.rows - 1]] as const]),
  )
}
