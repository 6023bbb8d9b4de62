import { valueAt } from '../../lib/present.ts'
import type { Relation, RolledUpRelation, TimeRange } from '../../lib/relation.ts'
import type { Table } from '../../lib/table.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import { type DataFile, fileMatcher, timeBoundsOf } from '../data-files/data-file.ts'
import { fileSource } from '../data-files/file-scan.ts'
import { areSubtracted } from '../rollups/subtract-rows.ts'
import type { KeysByFile } from '../table/hidden-keys.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import { relationOf } from './project-relation.ts'

/** The time range of a request that rollups can answer. */
export interface RollupWanted {
  /** Only rows of this time matter; undefined for all rows. */
  readonly range: TimeRange | undefined
  /** The part of it that consists of whole steps. */
  readonly whole: TimeRange | undefined
  /** Microseconds by which rows may be added up at most. */
  readonly stepMicros: number
  /** Whether only sums and numbers of rows matter. */
  readonly onlySums?: boolean
}

/**
 * Divides the rows of a table into those that its rollups in memory cover and the others.
 *
 * @returns undefined if no rollup covers any
 */
export async function rolledUpRelation(
  pinned: PinnedTable,
  projectId: string,
  { range, whole, stepMicros, onlySums = false }: RollupWanted,
): Promise<RolledUpRelation | undefined> {
  const { table, layout, files, rollups, loadedRollups, hiddenProjects } = pinned
  if (hiddenProjects.has(projectId)) return undefined
  const hiddenIn = await hiddenInFiles(pinned, projectId, stepMicros)
  const hidden = [...hiddenIn].filter(([, keys]) => onlySums && keys.length > 0)
  rollups.use(
    files.dataFiles,
    hidden.map(([dataFile, keys]) => ({ fileName: dataFile.fileName, source: fileSource(layout, [dataFile]), keys })),
  )
  const subtracted = new Map<DataFile, readonly number[]>()
  for (const [dataFile, keys] of hiddenIn) {
    const known = loadedRollups.hidden.get(dataFile.fileName)
    if (keys.length === 0) subtracted.set(dataFile, [])
    else if (onlySums && areSubtracted(known, keys)) subtracted.set(dataFile, known.numbers)
  }
  const covered = [...subtracted.keys()]
  const summed = covered.filter((dataFile) => overlaps(table, dataFile, whole))
  if (summed.length === 0) return undefined
  const names = new Set(covered.map(({ fileName }) => fileName))
  const isCovered = ({ fileName }: DataFile) => names.has(fileName)
  const shape = { key: table.key, presenceColumn: table.presenceColumn }
  const edge = (from: number, until: number): Relation | undefined => {
    const among = (dataFile: DataFile) => isCovered(dataFile) && overlaps(table, dataFile, { from, until })
    return orNone(relationOf(pinned, { projectId, among, isOfFilesOnly: true }))
  }
  const cost = readCost()
  for (const { fileName } of summed) cost?.filesSummed.add(layout.parquet(fileName))
  const numbers = summed.flatMap((dataFile) => [
    valueAt(loadedRollups.files, dataFile.fileName).number,
    ...valueAt(subtracted, dataFile),
  ])
  // The table may also have rows of files that are gone, and of files that the snapshot lacks.
  const sums = { kind: 'table', name: loadedRollups.tableName, fileNumbers: numbers } as const
  const paths = summed.map(({ fileName }) => valueAt(loadedRollups.files, fileName).path)
  return {
    rest: orNone(relationOf(pinned, { projectId, among: (dataFile) => !isCovered(dataFile) })),
    before: range && whole && edge(range.from, whole.from),
    after: range && whole && edge(whole.until, range.until),
    sums: { branches: [{ source: sums, masks: [] }], ...shape },
    lists: { branches: [{ source: { kind: 'files', paths, missing: '' }, masks: [] }], ...shape },
  }
}

const orNone = (relation: Relation): Relation | undefined => (relation.isEmpty ? undefined : relation)

/**
 * Files of the project whose rollup is in memory and fine enough, with the keys of their rows that
 * do not count, where these are known.
 */
async function hiddenInFiles(pinned: PinnedTable, projectId: string, stepMicros: number): Promise<KeysByFile> {
  const { table, files, damaged, loadedRollups, hidden } = pinned
  const matches = fileMatcher(table, { projectId })
  const isFineEnough = ({ fileName }: DataFile) =>
    (loadedRollups.files.get(fileName)?.stepMicros ?? Number.POSITIVE_INFINITY) <= stepMicros
  const loaded = files.dataFiles.filter(
    (dataFile) => isFineEnough(dataFile) && dataFile.deletedRows === '' && matches(dataFile),
  )
  const broken = new Set(damaged.among(loaded))
  const intact = loaded.filter((dataFile) => !broken.has(dataFile))
  return await hidden.keysIn(projectId, intact)
}

/** Whether a file may have rows of that time, by its bounds; true for all rows. */
function overlaps(table: Table, dataFile: DataFile, range: TimeRange | undefined): boolean {
  if (range === undefined) return true
  const [first, last] = timeBoundsOf(table, dataFile)
  return range.from < range.until && first < range.until && last >= range.from
}
