import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { RowRanges } from '../../lib/relation.ts'
import type { ProjectRows } from '../value-index/value-indexes.ts'
import type { DataFile } from './data-file.ts'

/**
 * Rows of a project for an answer from a sample: a run of neighbours from the middle of its rows in
 * each of some files, evenly chosen. Files have the same run as far as possible, so that they are
 * read together.
 *
 * @param files in the order of time
 */
export function sampleRows(files: readonly (readonly [DataFile, ProjectRows])[]): ReadonlyMap<DataFile, RowRanges> {
  const chosen = evenly(files, storageLimits.sampledFilesMax)
  const run = storageLimits.rowGroupRowsMax
  return new Map(
    chosen.map(([dataFile, { first, rows }]) => {
      const middle = first + Math.floor(Math.max(0, rows - run) / 2)
      const from = Math.max(first, middle - (middle % run))
      return [dataFile, [[from, Math.min(from + run, first + rows, dataFile.rows) - 1]]]
    }),
  )
}

/** At most so many items, at equal distances. */
const evenly = <T>(items: readonly T[], most: number): readonly T[] =>
  items.length <= most
    ? items
    : Array.from({ length: most }, (_, at) => itemAt(items, Math.floor(((at + 0.5) * items.length) / most)))
