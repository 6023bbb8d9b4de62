import { present } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import { textLiteral, typedNulls } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { ensureFolderDurably, syncFolder } from '../../runtime/platform/files/durable-files.ts'
import { fileExists, removeFile } from '../../runtime/platform/files/files.ts'
import { linkOrCopyFile } from '../../runtime/platform/files/link-or-copy-file.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { type ByteRange, findChangedRanges, findContentFault, hasChecksum } from '../data-files/file-checksum.ts'
import { fileColumnList, fileColumns, fileNameOf, ownFileScan } from '../data-files/file-scan.ts'
import { findFilter, openWithoutFilters, parquetSource } from '../data-files/open-data-files.ts'
import { discardFile, markCommitted } from '../data-files/uncommitted-files.ts'
import { writeDataFile } from '../data-files/write-data-file.ts'
import { commitInfo } from '../delta/actions.ts'
import { type DeltaFiles, deltaFilesOfFolder } from '../delta/delta-files.ts'
import { DeltaLog, removeAction } from '../delta/delta-log.ts'
import { readDeltaState, type TableFile } from '../delta/delta-state.ts'
import { TableLayout } from '../layout.ts'
import { sameKey } from '../row-key.ts'
import { readDamageNotes, removeDamageNote } from '../table/damaged-files.ts'
import { reason } from '../verify/verification.ts'

/** The DuckDB table that receives the readable rows. */
const salvagedTable = 'salvaged'

/**
 * Copies the trustworthy rows of a damaged file into the table `salvaged`, by row group: those
 * whose bytes match the checksum, or, in a file without checksums, those that can be decoded.
 * Without its footer nothing of a file can be salvaged.
 *
 * @returns how many rows were copied
 */
async function salvage(writer: Writer, table: Table, layout: TableLayout, file: TableFile): Promise<number> {
  await writer.createTable(salvagedTable, fileColumns(table))
  const { fileName, missing } = present(ownFileScan(table, file), 'The scan of an own file')
  const path = layout.parquet(fileName)
  const source = `(SELECT *${missing.length === 0 ? '' : `, ${typedNulls(missing)}`}
    FROM read_parquet(${textLiteral(path)}, file_row_number = true)) t`
  let rows = 0
  for (const { from, to } of await trustedGroups(writer, path, file)) {
    try {
      await writer.execute(
        `INSERT INTO "${salvagedTable}" BY NAME SELECT ${fileColumnList(table)} FROM ${source}
         WHERE t.file_row_number >= ${from} AND t.file_row_number < ${to}`,
      )
      rows += to - from
    } catch {
      // Not decodable: its rows count as lost.
    }
  }
  return rows
}

/**
 * Removes rows from `salvaged` that other files have in a newer version.
 * @returns how many
 */
async function removeSuperseded(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  others: readonly DataFile[],
): Promise<number> {
  if (others.length === 0) return 0
  const count = () => writer.readOne({ rows: 'integer' }, `SELECT count(*) FROM "${salvagedTable}"`)
  const before = await count()
  await writer.execute(
    `DELETE FROM "${salvagedTable}" t USING ${parquetSource(layout, others)} k WHERE ${sameKey(table, 'k')}`,
  )
  const after = await count()
  return before.rows - after.rows
}

/** Row groups as ranges of row numbers. */
async function trustedGroups(writer: Writer, path: string, { add }: TableFile): Promise<ByteRange[]> {
  try {
    const changed = await findChangedRanges(path, add)
    const groups = await writer.read(
      { id: 'integer', rows: 'number', offset: 'number', bytes: 'number' },
      `SELECT row_group_id, any_value(row_group_num_rows)::DOUBLE,
         min(CASE WHEN dictionary_page_offset > 0 THEN least(dictionary_page_offset, data_page_offset) ELSE
           data_page_offset END)::DOUBLE,
         sum(total_compressed_size)::DOUBLE
       FROM parquet_metadata(${textLiteral(path)}) GROUP BY 1 ORDER BY 1`,
    )
    const dataEnd = Math.max(0, ...groups.map(({ offset, bytes }) => offset + bytes))
    // The footer is damaged, so nothing it says can be trusted.
    if (changed?.some(({ to }) => to > dataEnd)) return []
    let row = 0
    return groups.flatMap(({ rows, offset, bytes }) => {
      const from = row
      row += rows
      const isChanged = changed?.some((stretch) => stretch.from < offset + bytes && stretch.to > offset)
      return isChanged ? [] : [{ from, to: row }]
    })
  } catch {
    // Missing, truncated, or without a readable footer.
    return []
  }
}

/** A table in the folder in which it is repaired, and where its files are kept besides. */
export interface RepairedTable {
  readonly layout: TableLayout
  readonly delta: DeltaFiles
  /** Keeps a damaged file that is in `_quarantine`. */
  keepDamaged(fileName: string): Promise<void>
  /** Forgets the index of a data file, which is damaged. */
  forgetIndex(fileName: string): Promise<void>
}

export interface RepairOptions {
  readonly writer: Writer
  /** By the name of the table. */
  readonly tableOf: (name: string) => RepairedTable
  readonly clock: Clock
  /** If false, nothing is changed, only reported. */
  readonly mayChange: boolean
  readonly onRepair: (repair: FileRepair) => void
}

const keepDamaged = async (): Promise<void> => {}
const forgetIndex = keepDamaged

/** Tables of which the folder has everything. */
export const tablesInFolder =
  (dataFolder: string): RepairOptions['tableOf'] =>
  (name) => ({ layout: new TableLayout(dataFolder, name), delta: deltaFilesOfFolder, keepDamaged, forgetIndex })

/** The repair of one file, done or, in a dry run, planned. */
export interface FileRepair {
  /** Relative to the data folder. */
  readonly place: string
  readonly fault: string
  /**
   * Rows in the file: in total, kept, lost, and dropped because another file has a newer version.
   */
  readonly rows: number
  readonly kept: number
  readonly lost: number
  readonly newer: number
}

/**
 * Takes the damaged files of one table out of it: the rows that can be trusted go into a new file,
 * the old file goes into `_quarantine`, with one commit per file. Interrupting it leaves the table
 * in its old or new state, and it can be run again. The caller must have exclusive access to the
 * folder.
 */
export async function repairTable(options: RepairOptions, table: Table): Promise<void> {
  const kept = options.tableOf(table.name)
  const { layout } = kept
  if (!(await fileExists(layout.deltaLog))) return
  const { writer, mayChange } = options
  const { files } = await readDeltaState(writer, layout.deltaLog)
  const notes = await readDamageNotes(layout)
  const damaged: { file: TableFile; fault: string }[] = []
  for (const file of files) {
    // Files of other engines are theirs to repair.
    if (ownFileScan(table, file) === undefined) continue
    const fault = (await faultOf(writer, table, layout, file)) ?? notes.get(nameOf(file))
    if (fault !== undefined) damaged.push({ file, fault })
    else if (mayChange) await removeDamagedIndex(kept, nameOf(file))
  }
  const intact = files.filter((file) => !damaged.some((one) => one.file === file))
  const dataFiles = damaged.length === 0 ? [] : await openWithoutFilters(writer, table, layout, intact)
  for (const { file, fault } of damaged) {
    const added = await repairFile(options, table, kept, { file, fault, others: dataFiles })
    if (added !== undefined) dataFiles.push(added)
  }
  // Left by a repair that was interrupted after its commit.
  const named = new Set(damaged.map(({ file }) => nameOf(file)))
  if (mayChange) for (const name of notes.keys()) if (!named.has(name)) await removeOriginal(layout, name)
}

const nameOf = ({ add }: TableFile): string => fileNameOf(add.path)

/** Files without a checksum are decoded instead. */
async function faultOf(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  file: TableFile,
): Promise<string | undefined> {
  const fault = await findContentFault(layout.parquet(nameOf(file)), file.add)
  if (fault !== undefined || hasChecksum(file.add)) return fault
  const all = fileColumns(table).map(({ name }) => `t."${name}"`)
  try {
    const source = parquetSource(layout, await openWithoutFilters(writer, table, layout, [file]))
    await writer.rows(`SELECT bit_xor(hash(${all.join(', ')}))::VARCHAR FROM ${source} t`)
    return undefined
  } catch (cause) {
    return `cannot be read: ${reason(cause)}`
  }
}

async function repairFile(
  options: RepairOptions,
  table: Table,
  kept: RepairedTable,
  { file, fault, others }: { file: TableFile; fault: string; others: readonly DataFile[] },
): Promise<DataFile | undefined> {
  const { layout } = kept
  const { writer, mayChange, onRepair } = options
  const salvaged = await salvage(writer, table, layout, file)
  const newer = await removeSuperseded(writer, table, layout, others)
  const rows = present(ownFileScan(table, file), 'The scan of an own file').statistics.numRecords
  const place = joinPath('tables', table.name, nameOf(file))
  const added = mayChange ? await replace(options, table, kept, file) : undefined
  await writer.dropTable(salvagedTable)
  onRepair({ place, fault, rows, kept: salvaged - newer, lost: rows - salvaged, newer })
  return added
}

async function replace(
  { writer, clock }: RepairOptions,
  table: Table,
  { layout, delta, keepDamaged }: RepairedTable,
  file: TableFile,
): Promise<DataFile | undefined> {
  const nowMs = clock.nowMs()
  const added = await writeDataFile({ writer, table, layout, source: `"${salvagedTable}" t`, nowMs })
  if (await keepCopy(layout, nameOf(file))) await keepDamaged(nameOf(file))
  const deltaLog = await DeltaLog.open(writer, layout.deltaLog, delta)
  if (added !== undefined) await deltaLog.keepData([added.add.path])
  const isCommitted = await deltaLog.tryCommit([
    commitInfo('REPAIR', {}, nowMs),
    removeAction(file.add, nowMs, { dataChange: true }),
    ...(added === undefined ? [] : [{ add: added.add }]),
  ])
  if (!isCommitted) {
    if (added !== undefined) await discardFile(layout, added.fileName)
    throw new Error(`Cannot repair table ${table.name}: another engine is committing to it; run the repair again later`)
  }
  if (added !== undefined) await markCommitted(layout, [added])
  await removeOriginal(layout, nameOf(file))
  return added
}

/** Keeps the damaged file for manual recovery. @returns false if it is missing */
async function keepCopy(layout: TableLayout, fileName: string): Promise<boolean> {
  await ensureFolderDurably(layout.quarantine)
  const to = joinPath(layout.quarantine, fileName)
  const how = await linkOrCopyFile(layout.parquet(fileName), to, { temporary: `${to}.tmp`, mayLink: true })
  await syncFolder(layout.quarantine)
  return how !== undefined
}

async function removeOriginal(layout: TableLayout, fileName: string): Promise<void> {
  await removeFile(layout.parquet(fileName))
  for (const file of layout.indexFiles(fileName)) await removeFile(file)
  // Last: until then another run repeats the removal.
  await syncFolder(layout.folder)
  await removeDamageNote(layout, fileName)
}

/** The next start rebuilds it. */
async function removeDamagedIndex({ layout, forgetIndex }: RepairedTable, fileName: string): Promise<void> {
  if ((await findFilter(layout, fileName)) !== undefined) return
  for (const file of layout.indexFiles(fileName)) await removeFile(file)
  await forgetIndex(fileName)
}
