import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import { fileExists } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { openWithoutFilters, parquetSource } from '../data-files/open-data-files.ts'
import type { TableFile } from '../delta/delta-state.ts'
import { TableLayout } from '../layout.ts'
import { findUnreferencedFiles } from '../table/lost-commit.ts'
import { readTableOnDisk, type TableOnDisk } from '../table/table-on-disk.ts'
import { BatchCodec } from '../wal/batch-codec.ts'
import { readSegment } from '../wal/segment-reader.ts'
import { fileFaults } from './file-faults.ts'
import { RowFaults, reason, type Verification } from './verification.ts'
import { deltaLogFaults } from './verify-delta-log.ts'

/** The numbers of files and rows that were verified. */
export interface VerifiedTable {
  readonly files: number
  readonly fileRows: number
  /** Rows and parts of rows that are only in the WAL. */
  readonly logRows: number
}

/**
 * Verifies everything that a table has on disk and reports faults. A server may be running
 * meanwhile.
 */
export async function verifyTable(verification: Verification, table: Table): Promise<VerifiedTable> {
  const { writer, dataFolder, report } = verification
  const layout = new TableLayout(dataFolder, table.name)
  const place = joinPath('tables', table.name)
  const nothing = { files: 0, fileRows: 0, logRows: 0 }
  if (!(await fileExists(layout.folder))) {
    report(place, 'the folder of the table is missing')
    return nothing
  }
  await verifyDeltaLog(verification, layout, place)
  let onDisk: TableOnDisk
  try {
    onDisk = await readTableOnDisk(writer, layout)
  } catch (cause) {
    report(place, `the table cannot be read: ${reason(cause)}`)
    return nothing
  }
  await verifyNames(verification, layout, place)
  const logRows = verifyLog(verification, table, onDisk)
  const { files } = onDisk.state
  const areWhole = await verifyFiles(verification, table, layout, files)
  // DuckDB would only repeat that a file is unreadable.
  if (areWhole) await verifyKeys(verification, table, layout)
  return { files: files.length, fileRows: files.reduce((sum, file) => sum + rowsOf(file), 0), logRows }
}

/** Repeated if it finds faults: a server may have removed commits while they were being read. */
async function verifyDeltaLog({ writer, report }: Verification, layout: TableLayout, place: string): Promise<void> {
  const first = await deltaLogFaults(writer, layout.deltaLog)
  if (first.length === 0) return
  const again = await deltaLogFaults(writer, layout.deltaLog)
  for (const fault of again) report(joinPath(place, '_delta_log'), fault)
}

/**
 * Reports unreferenced data files. Repeated, because a server may be about to commit its output.
 */
async function verifyNames({ writer, report }: Verification, layout: TableLayout, place: string): Promise<void> {
  const look = async () => await findUnreferencedFiles(layout, (await readTableOnDisk(writer, layout)).state)
  const first = await look()
  const again = first.length === 0 ? [] : await look()
  for (const name of again.filter((name) => first.includes(name)))
    report(joinPath(place, name), 'is not named by any commit of the Delta log; a commit may be lost')
}

function verifyLog({ report, rowChecks }: Verification, table: Table, { logFiles }: TableOnDisk): number {
  const codec = new BatchCodec(table)
  const check = rowChecks.get(table.name)
  let count = 0
  for (const { name, bytes } of logFiles) {
    // A torn tail was never acknowledged.
    const { rows, damaged } = readSegment(bytes, codec)
    count += rows.length
    const place = joinPath('tables', table.name, '_wal', name)
    for (const { from, to } of damaged) report(place, `bytes ${from} to ${to} are damaged`)
    if (check === undefined) continue
    const broken = new RowFaults(check)
    for (const row of rows) broken.add(row)
    if (broken.fault !== undefined) report(place, broken.fault)
  }
  return count
}

/** According to the Delta log; other engines may not say. */
const rowsOf = ({ add }: TableFile): number =>
  (JSON.parse(add.stats ?? '{}') as { numRecords?: number }).numRecords ?? 0

/** @returns whether all files are intact */
async function verifyFiles(
  verification: Verification,
  table: Table,
  layout: TableLayout,
  files: readonly TableFile[],
): Promise<boolean> {
  const { writer, report, onProgress, rowChecks } = verification
  let areWhole = true
  for (const [index, file] of files.entries()) {
    onProgress(`${table.name}, files`, index, files.length)
    const faults = await fileFaults(writer, table, layout, file, rowChecks.get(table.name))
    // A file that a server has replaced meanwhile may be gone.
    if (faults.length === 0 || !(await currentPaths(verification, layout)).includes(file.add.path)) continue
    areWhole = false
    for (const fault of faults) report(joinPath('tables', table.name, fileNameOf(file.add.path)), fault)
  }
  return areWhole
}

async function currentPaths({ writer }: Verification, layout: TableLayout): Promise<string[]> {
  const { state } = await readTableOnDisk(writer, layout)
  return state.files.map(({ add }) => add.path)
}

/** No key may occur twice in the files. */
async function verifyKeys(verification: Verification, table: Table, layout: TableLayout): Promise<void> {
  const { writer, report } = verification
  const [project, id] = table.key
  for (;;) {
    const { files } = (await readTableOnDisk(writer, layout)).state
    if (files.length === 0) return
    try {
      const doubled = await writer.rows(
        `SELECT t."${project}", t."${id}", count(*) FROM
          ${parquetSource(layout, await openWithoutFilters(writer, table, layout, files))} t
         GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT ${storageLimits.duplicateKeysNamedMax}`,
      )
      for (const [projectId, rowId, count] of doubled)
        report(
          joinPath('tables', table.name),
          `the row ${JSON.stringify([projectId, rowId])} occurs ${count} times in files`,
        )
      return
    } catch (cause) {
      // A replaced file may have been removed meanwhile: then the table has other files by now.
      const paths = await currentPaths(verification, layout)
      if (files.some(({ add }) => !paths.includes(add.path))) continue
      report(joinPath('tables', table.name), `keys cannot be compared: ${reason(cause)}`)
      return
    }
  }
}
