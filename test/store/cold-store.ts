import { changeLimits } from './change-limits.ts'
import { readDeltaTable } from './folder-state.ts'
import { closedNote, notesTable, startMs } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'

export const dayMs = 86_400_000
/** Rows of a full file, of a cold one, and files from which there are cold ones. */
const [fullRows, coldRowsMax, coldFromFiles] = [4, 16, 7]
const filesOfDay = 4
export const coldBytesMax = 2 ** 20

/** Limits by which files of four notes are full. */
export const coldLimits = {
  memtableRowsMax: fullRows,
  rewriteRowsMax: fullRows,
  coldRowsMax,
  coldFromFiles,
  coldCheckMs: 0,
  rewrittenFreelyBytesMax: 0,
} as const

export const idOf = (day: number, file: number, row: number): string => `${day}-${file}-${row}`

/** Ids of the notes of some days, in order. */
export const idsOfDays = (...days: readonly number[]): string[] =>
  days.flatMap((day) =>
    Array.from({ length: filesOfDay * fullRows }, (_, at) => idOf(day, Math.floor(at / fullRows), at % fullRows)),
  )

/** Writes the files of two days, and lets the clock show the second one. */
async function writeTwoDays(bench: StoreBench): Promise<void> {
  const hourMs = 3_600_000
  for (const day of [0, 1])
    for (let file = 0; file < filesOfDay; file++) {
      bench.nowMs = startMs + day * dayMs + (1 + file) * hourMs
      const rows = Array.from({ length: fullRows }, (_, row) => {
        const opened = (bench.nowMs + row) * 1000
        return closedNote(idOf(day, file, row), { opened, closed: opened + 5, touched: opened })
      })
      await bench.store.write('notes', rows)
      await bench.store.flush()
    }
}

/** A store with full files of two days, of which none is cold yet, and the limits. */
export async function storeOfTwoDays(
  options: Parameters<typeof StoreBench.open>[1] = {},
): Promise<StoreBench & Disposable> {
  const restore = changeLimits(coldLimits)
  const bench = await StoreBench.open([notesTable], options)
  await writeTwoDays(bench)
  return Object.assign(bench, { [Symbol.dispose]: restore })
}

/** When the first of the days may be merged. */
export const firstIsColdMs = startMs + 2 * dayMs

/** Rows of each data file, the oldest first. */
export async function rowsOfFiles(bench: StoreBench): Promise<number[]> {
  const { files } = await readDeltaTable(bench.tableFolder)
  const opened = ({ stats }: (typeof files)[number]) => String(stats.minValues['opened'])
  return files.toSorted((a, b) => (opened(a) < opened(b) ? -1 : 1)).map(({ stats }) => stats.numRecords)
}
