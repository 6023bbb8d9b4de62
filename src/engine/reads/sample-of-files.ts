import { storageLimits } from '../../lib/limits/storage.ts'
import type { RowRanges } from '../../lib/relation.ts'
import { type DataFile, type FilePredicate, fileMatcher, hasOnlyValue } from '../data-files/data-file.ts'
import { oldestFirst } from '../data-files/open-data-files.ts'
import { sampleRows } from '../data-files/sample-rows.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import type { ProjectRows } from '../value-index/value-indexes.ts'

/**
 * A sample of the rows of a project in data files that have a column for each wanted path;
 * undefined if there are not enough of them to leave any out.
 */
export async function sampleOfFiles(
  { table, files, valueIndexes }: PinnedTable,
  wanted: FilePredicate,
): Promise<ReadonlyMap<DataFile, RowRanges> | undefined> {
  const { projectId, paths = [] } = wanted
  const matching = oldestFirst(table, files.dataFiles.filter(fileMatcher(table, wanted)))
  if (matching.reduce((sum, { rows }) => sum + rows, 0) <= storageLimits.sampledRowsMin) return undefined
  const known: (readonly [DataFile, ProjectRows])[] = []
  let rows = 0
  for (const dataFile of matching) {
    const ofProject = hasOnlyValue(dataFile, table.key[0], projectId)
      ? { first: 0, rows: dataFile.rows }
      : await valueIndexes.rowsOfProject(dataFile, projectId)
    rows += ofProject?.rows ?? dataFile.rows
    const hasColumns = paths.every((path) => dataFile.pathColumns.has(path))
    if (ofProject !== undefined && ofProject.rows > 0 && hasColumns) known.push([dataFile, ofProject])
  }
  // Elsewhere the whole JSON would be read, within a limited time.
  const knownRows = known.reduce((sum, [, { rows }]) => sum + rows, 0)
  return rows > storageLimits.sampledRowsMin && knownRows * 2 >= rows ? sampleRows(known) : undefined
}
