import type { Writer } from '../../duck/writer.ts'
import type { Table } from '../../kernel/table.ts'
import type { Clock } from '../../platform/clock.ts'
import { ensureFolderDurably, syncFolder } from '../../platform/durable-files.ts'
import { fileExists, findBytes, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import { placeFile } from '../../platform/place-file.ts'
import { contentFault, hasChecksum } from '../data-files/file-checksum.ts'
import { fileColumns } from '../data-files/file-columns.ts'
import { fileNameOf, statedReading } from '../data-files/file-reading.ts'
import { newFileName } from '../data-files/own-files.ts'
import type { Segment } from '../data-files/segment.ts'
import { parquetSource, segmentsOf } from '../data-files/segments.ts'
import { discardFile, settleFiles } from '../data-files/unfinished.ts'
import { valuesOfRows, writeSegment } from '../data-files/write-segment.ts'
import { DeltaLog, removeAction } from '../delta/delta-log.ts'
import { readDeltaState, type TableFile } from '../delta/delta-state.ts'
import { IdFilter } from '../keys/id-filter.ts'
import { TableLayout } from '../layout.ts'
import { commitInfo } from '../table/commit-info.ts'
import { readDamageNotes, removeDamageNote } from '../table/damaged-files.ts'
import { removeNewer, salvage, salvagedTable } from './salvage.ts'

export interface RepairOptions {
  readonly writer: Writer
  readonly dataFolder: string
  readonly clock: Clock
  /** False: nothing is changed, only said. */
  readonly mayChange: boolean
  readonly onRepair: (repair: FileRepair) => void
}

/** What is, or would be, done about one file. */
export interface FileRepair {
  /** Below the data folder. */
  readonly place: string
  readonly fault: string
  /** Rows that it had; that are kept; that are lost; and that were left out because another file has them in a newer form. */
  readonly rows: number
  readonly kept: number
  readonly lost: number
  readonly newer: number
}

/**
 * Takes the damaged files of one table out of it: what can be trusted of their rows goes into a new file, the old one into `_quarantine`, and one
 * commit for each makes it so. Wherever this ends, the table is as before or as after, and it can be run again. Nobody else has the folder open.
 */
export async function repairTable(options: RepairOptions, table: Table): Promise<void> {
  const layout = new TableLayout(options.dataFolder, table.name)
  if (!(await fileExists(layout.deltaLog))) return
  const { writer, mayChange } = options
  const { files } = await readDeltaState(writer, layout.deltaLog)
  const notes = await readDamageNotes(layout)
  const damaged: { file: TableFile; fault: string }[] = []
  for (const file of files) {
    // Files of other programs are theirs to mend.
    if (statedReading(table, file) === undefined) continue
    const fault = (await faultOf(writer, table, layout, file)) ?? notes.get(nameOf(file))
    if (fault !== undefined) damaged.push({ file, fault })
    else if (mayChange) await removeDamagedFilter(layout, nameOf(file))
  }
  const intact = files.filter((file) => !damaged.some((one) => one.file === file))
  const segments = damaged.length === 0 ? [] : await segmentsOf(writer, table, layout, intact)
  for (const { file, fault } of damaged) {
    const added = await repairFile(options, table, layout, { file, fault, others: segments })
    if (added !== undefined) segments.push(added)
  }
  // Left by a repair that was interrupted after its commit.
  const named = new Set(damaged.map(({ file }) => nameOf(file)))
  if (mayChange) for (const name of notes.keys()) if (!named.has(name)) await removeOriginal(layout, name)
}

const nameOf = ({ add }: TableFile): string => fileNameOf(add.path)

/** Files of before there were checksums are decoded instead. */
async function faultOf(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  file: TableFile,
): Promise<string | undefined> {
  const fault = await contentFault(layout.parquet(nameOf(file)), file.add)
  if (fault !== undefined || hasChecksum(file.add)) return fault
  const all = fileColumns(table).map(({ name }) => `t."${name}"`)
  try {
    const source = parquetSource(layout, await segmentsOf(writer, table, layout, [file]))
    await writer.rows(`SELECT bit_xor(hash(${all.join(', ')}))::VARCHAR FROM ${source} t`)
    return undefined
  } catch (cause) {
    return `cannot be read: ${(cause as Error).message.split('\n')[0]}`
  }
}

async function repairFile(
  options: RepairOptions,
  table: Table,
  layout: TableLayout,
  { file, fault, others }: { file: TableFile; fault: string; others: readonly Segment[] },
): Promise<Segment | undefined> {
  const { writer, mayChange, onRepair } = options
  const salvaged = await salvage(writer, table, layout, file)
  const newer = await removeNewer(writer, table, layout, others)
  const rows = statedReading(table, file)!.statistics.numRecords
  const place = joinPath('tables', table.name, nameOf(file))
  const added = mayChange ? await replace(options, table, layout, file) : undefined
  await writer.dropTable(salvagedTable)
  onRepair({ place, fault, rows, kept: salvaged - newer, lost: rows - salvaged, newer })
  return added
}

async function replace(
  { writer, clock }: RepairOptions,
  table: Table,
  layout: TableLayout,
  file: TableFile,
): Promise<Segment | undefined> {
  const nowMs = clock.nowMs()
  const source = `"${salvagedTable}" t`
  const values = await valuesOfRows(writer, table, source)
  const added = await writeSegment({ writer, table, layout, source, fileName: newFileName(), values, nowMs })
  await keepCopy(layout, nameOf(file))
  const deltaLog = await DeltaLog.open(writer, layout.deltaLog)
  const isCommitted = await deltaLog.tryCommit([
    commitInfo('REPAIR', {}, nowMs),
    removeAction(file.add, nowMs, { dataChange: true }),
    ...(added === undefined ? [] : [{ add: added.add }]),
  ])
  if (!isCommitted) {
    if (added !== undefined) await discardFile(layout, added.fileName)
    throw new Error(`Repair the table ${table.name}: another program commits to it; run this again when it is done`)
  }
  if (added !== undefined) await settleFiles(layout, [added])
  await removeOriginal(layout, nameOf(file))
  return added
}

/** What is damaged may be worth something to somebody. */
async function keepCopy(layout: TableLayout, fileName: string): Promise<void> {
  await ensureFolderDurably(layout.quarantine)
  const to = joinPath(layout.quarantine, fileName)
  await placeFile(layout.parquet(fileName), to, { temporary: `${to}.tmp`, mayLink: true })
  await syncFolder(layout.quarantine)
}

async function removeOriginal(layout: TableLayout, fileName: string): Promise<void> {
  await removeFile(layout.parquet(fileName))
  await removeFile(layout.filter(fileName))
  await removeFile(layout.keys(fileName))
  // Last: until here another run has to do this again.
  await syncFolder(layout.folder)
  await removeDamageNote(layout, fileName)
}

/** The next start makes it again. */
async function removeDamagedFilter(layout: TableLayout, fileName: string): Promise<void> {
  const bytes = await findBytes(layout.filter(fileName))
  if (bytes !== undefined && IdFilter.fromBytes(bytes) === undefined) await removeFile(layout.filter(fileName))
}
