import { link } from 'node:fs/promises'
import path from 'node:path'
import type { DataFile } from '../../../src/engine/data-files/data-file.ts'
import { newFileName } from '../../../src/engine/data-files/file-names.ts'
import type { Add, FileStatistics } from '../../../src/engine/delta/actions.ts'
import { DeltaLog } from '../../../src/engine/delta/delta-log.ts'
import { TableLayout } from '../../../src/engine/layout.ts'
import { callsTable } from '../../../src/engine/tables/calls-table.ts'
import { MiB } from '../../../src/lib/bytes.ts'
import { Database } from '../../../src/runtime/duck/database.ts'
import { Writer } from '../../../src/runtime/duck/writer.ts'
import { ensureFolder } from '../../../src/runtime/platform/files/files.ts'
import { type LargeShape, makeProse, makeUpFile, stepOf } from '../large/large-store.ts'

/**
 * Adds data files to the table of calls in a lake that is a folder, by one commit with a
 * checkpoint. Those with the numbers in `made` have calls of their own; the others are links to the
 * first of these, and their statistics say that they have the calls of their own time.
 */
export async function addLargeTable(lake: string, shape: LargeShape, made: readonly number[]): Promise<void> {
  const layout = new TableLayout(lake, callsTable.name)
  for (const folder of [layout.filters, layout.unfinished]) await ensureFolder(folder)
  const database = await Database.open({ memoryBytesMax: 1024 * MiB, temporaryFolder: path.join(lake, '../large-tmp') })
  const writer = new Writer(await database.connect())
  try {
    await makeProse(writer, shape)
    const real = new Map<number, DataFile>()
    for (const file of made) real.set(file, await makeUpFile(writer, callsTable, layout, shape, file))
    const [first, like] = [...real][0]!
    const adds: Add[] = []
    for (let file = 0; file < shape.files; file++) {
      const own = real.get(file)
      const micros = (file - first) * shape.rowsPerFile * stepOf(shape)
      adds.push({ add: own?.add ?? (await linkLater(layout, like, micros)) })
    }
    const deltaLog = await DeltaLog.open(writer, layout.deltaLog)
    if (!(await deltaLog.tryCommit(adds))) throw new Error('Add files to a lake: somebody else is writing to it')
    await deltaLog.checkpoint(writer, { logKeptMs: 0, versionsKeptMs: 0, nowMs: Date.now() })
  } finally {
    writer.close()
    database.close()
  }
}

/** Links to a data file and its index, with the statistics of a file with later calls. */
async function linkLater(layout: TableLayout, like: DataFile, micros: number): Promise<Add['add']> {
  const fileName = newFileName()
  await link(layout.parquet(like.fileName), layout.parquet(fileName))
  await link(layout.index(like.fileName), layout.index(fileName))
  const { minValues, maxValues, ...others } = JSON.parse(like.add.stats ?? '') as FileStatistics
  const later = (values: FileStatistics['minValues']) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, laterValue(value, micros)]))
  const stats = JSON.stringify({ ...others, minValues: later(minValues), maxValues: later(maxValues) })
  return { ...like.add, path: fileName, stats }
}

const timedId = /^([0-9a-f]{8})-([0-9a-f]{4})(-7[0-9a-f]{3}-.*)$/
const time = /^\d{4}-\d\d-\d\dT/

/** Moves a time, or the time of a UUIDv7. */
function laterValue(value: unknown, micros: number): unknown {
  if (typeof value !== 'string') return value
  if (time.test(value)) return new Date(Date.parse(value) + micros / 1000).toISOString()
  const [, high, low, rest] = timedId.exec(value) ?? []
  if (rest === undefined) return value
  const ms = (Number.parseInt(`${high}${low}`, 16) + Math.floor(micros / 1000)).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}${rest}`
}
