import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import { type DataFile, needsRewrite, timeBoundsOf } from '../data-files/data-file.ts'
import { oldestFirst } from '../data-files/open-data-files.ts'
import { fillOf, fullAbove, isCold } from './compaction-policy.ts'
import type { TableLayers } from './table-layers.ts'
import { changesOf, isDue } from './waiting-changes.ts'

const dayMs = 86_400_000

export interface ColdOptions {
  /** Size of a cold file on disk; 0 if none are to be made. */
  readonly bytesMax: number
  readonly nowMs: number
}

/**
 * Selects full files of a day to merge into one cold file: of the oldest day that has been over for
 * a while, and of which no file has been written for as long. Neighbours in the order of the table
 * are merged, so cold files of a day overlap no more than these did.
 *
 * A merge at least doubles the size of each file that it takes, and files above half the size of a
 * cold file are left alone, so a row is rewritten a few times at most. See
 * docs/decisions/309-cold-files.md.
 *
 * @returns undefined if nothing is due
 */
export function selectCold(
  table: Table,
  dataFiles: readonly DataFile[],
  { bytesMax, nowMs }: ColdOptions,
): DataFile[] | undefined {
  if (bytesMax === 0 || dataFiles.length < storageLimits.coldFromFiles) return undefined
  const dayOf = (file: DataFile) => Math.floor(timeBoundsOf(table, file)[1] / 1000 / dayMs)
  const byDay = Map.groupBy(dataFiles, dayOf)
  const quietSinceMs = nowMs - storageLimits.coldAfterMs
  const isQuiet = (file: DataFile) => isCold(file) || file.add.modificationTime <= quietSinceMs
  for (const day of [...byDay.keys()].sort((a, b) => a - b)) {
    if (!((day + 1) * dayMs <= quietSinceMs)) break
    const ofDay = byDay.get(day) ?? []
    if (!ofDay.every(isQuiet)) continue
    const run = firstRun(table, ofDay, bytesMax)
    if (run !== undefined) return run
  }
  return undefined
}

/** The first files that fit into a cold file, if it is worthwhile to merge them. */
function firstRun(table: Table, dataFiles: readonly DataFile[], bytesMax: number): DataFile[] | undefined {
  const { coldRowsMax } = storageLimits
  const sizeOf = ({ rows, bytes }: DataFile) => Math.max(rows / coldRowsMax, bytes / bytesMax)
  const isMergeable = (file: DataFile) => !needsRewrite(file) && fillOf(file) >= fullAbove && sizeOf(file) <= 1 / 2
  let run: DataFile[] = []
  const total = (files: readonly DataFile[]) => files.reduce((sum, file) => sum + sizeOf(file), 0)
  const isWorthwhile = (files: readonly DataFile[]) => total(files) >= 2 * Math.max(...files.map(sizeOf))
  for (const file of oldestFirst(table, dataFiles.filter(isMergeable))) {
    if (total([...run, file]) <= 1) run.push(file)
    else if (run.length > 1 && isWorthwhile(run)) break
    else run = [file]
  }
  return run.length > 1 && isWorthwhile(run) ? run : undefined
}

/**
 * A cold file with changes that a flush should bring into it by now. Split into files of the usual
 * size, it leaves the flush only those of them that have changes.
 */
export async function selectForSplit(
  { active, intact, keyIndex }: TableLayers,
  nowMs: number,
): Promise<DataFile | undefined> {
  const cold = intact.filter(isCold)
  if (cold.length === 0 || active.masked.size === 0) return undefined
  const { files } = await changesOf(active, cold, keyIndex)
  const due = files.filter((file) => isDue(file, nowMs))
  return due.toSorted((a, b) => a.oldestMs - b.oldestMs)[0]?.dataFile
}
