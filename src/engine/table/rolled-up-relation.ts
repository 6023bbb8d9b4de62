import { storageLimits } from '../../lib/limits/storage.ts'
import { valueAt } from '../../lib/present.ts'
import type { Relation, RolledUpRelation, TimeRange } from '../../lib/relation.ts'
import type { Table } from '../../lib/table.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import { type DataFile, type FilePredicate, fileMatcher } from '../data-files/data-file.ts'
import { fileSource } from '../data-files/file-scan.ts'
import { areSubtracted } from '../rollups/subtract-rows.ts'
import type { RowKey } from '../row-key.ts'
import type { PinnedTable } from './pinned-table.ts'

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
 * @param relationOf the branches of a table that may contain rows of a predicate
 * @returns undefined if no rollup covers any
 */
export async function rolledUpRelation(
  pinned: PinnedTable,
  wanted: FilePredicate,
  { range, whole, stepMicros, onlySums = false }: RollupWanted,
  relationOf: (wanted: FilePredicate) => Relation,
): Promise<RolledUpRelation | undefined> {
  const { table, layout, files, rollups, loadedRollups } = pinned
  const hiddenIn = await hiddenInFiles(pinned, wanted, stepMicros)
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
    return orNone(relationOf({ ...wanted, among, isOfFilesOnly: true }))
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
    rest: relationOf({ ...wanted, among: (dataFile) => !isCovered(dataFile) }),
    before: range && whole && edge(range.from, whole.from),
    after: range && whole && edge(whole.until, range.until),
    sums: { branches: [{ source: sums, masks: [] }], ...shape },
    lists: { branches: [{ source: { kind: 'files', paths, missing: '' }, masks: [] }], ...shape },
  }
}

const orNone = (relation: Relation): Relation | undefined => (relation.branches.length === 0 ? undefined : relation)

/**
 * Files of the project whose rollup is in memory and fine enough, with the keys of their rows that
 * do not count, where these are known.
 */
async function hiddenInFiles(
  pinned: PinnedTable,
  wanted: FilePredicate,
  stepMicros: number,
): Promise<ReadonlyMap<DataFile, readonly RowKey[]>> {
  const { table, files, damaged, loadedRollups, hidden } = pinned
  const matches = fileMatcher(table, wanted)
  const isFineEnough = ({ fileName }: DataFile) =>
    (loadedRollups.files.get(fileName)?.stepMicros ?? Number.POSITIVE_INFINITY) <= stepMicros
  const loaded = files.dataFiles.filter(
    (dataFile) => isFineEnough(dataFile) && dataFile.deletedRows === '' && matches(dataFile),
  )
  const broken = new Set(damaged.among(loaded))
  const intact = loaded.filter((dataFile) => !broken.has(dataFile))
  const masked = hidden.atMostOf(wanted.projectId)
  if (masked === 0) return new Map(intact.map((dataFile) => [dataFile, []]))
  return masked > storageLimits.hiddenRowsCountedMax ? new Map() : await hidden.keysIn(intact)
}

/** Whether a file may have rows of that time, by its bounds; true for all rows. */
function overlaps(table: Table, { statistics }: DataFile, range: TimeRange | undefined): boolean {
  const column = table.order[1]
  if (range === undefined || column === undefined) return true
  const timeOf = (bound: string | number | undefined) => Date.parse(String(bound ?? ''))
  const [min, max] = [timeOf(statistics.minValues[column]), timeOf(statistics.maxValues[column])]
  if (Number.isNaN(min) || Number.isNaN(max)) return range.from < range.until
  return range.from < range.until && min * 1000 < range.until && max * 1000 >= range.from
}
