import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { newFileName } from '../data-files/file-names.ts'
import { parquetSource } from '../data-files/open-data-files.ts'
import { rewriteRows } from '../data-files/rewrite-rows.ts'
import { writeDataFile } from '../data-files/write-data-file.ts'
import { type Action, commitInfo } from '../delta/actions.ts'
import { removeAction } from '../delta/delta-log.ts'
import { erasureAction } from '../delta/erased-history.ts'
import type { KeyIndex } from '../key-index/key-index.ts'
import type { TableLayout } from '../layout.ts'
import type { Memtable } from '../memtable/memtable.ts'
import type { WaitingKeys } from '../memtable/retained-rows.ts'
import { notMasked } from '../row-key.ts'
import { commitDataFiles, type FileWork } from './commit-files.ts'
import type { CommittedFile, FileChange, FileCommits, FilePlan } from './file-commits.ts'

/** How a flush writes its files. */
interface FlushSteps<F extends CommittedFile> {
  /** The files that have to be rewritten. */
  affected(files: readonly F[]): Promise<readonly F[]>
  /** Rewrites one of them as one or more; none if no row is left. */
  rewrite(file: F): Promise<readonly F[]>
  /** Writes the rows of the memtable; no file if there are none. */
  writeFresh(): Promise<readonly F[]>
}

/**
 * Plans the commit of a flush: the new rows, and a rewritten copy of each file without the rows
 * that they replace. Copies of files that the table no longer has are discarded.
 */
export const flushing =
  <F extends CommittedFile>({ affected, rewrite, writeFresh }: FlushSteps<F>): FileWork<F>['plan'] =>
  async (files, written) => {
    await written.madeOf('memtable', writeFresh)
    const removed = await affected(files)
    await written.keepOnly(new Set(['memtable', ...removed]))
    for (const file of removed) await written.madeOf(file, () => rewrite(file))
    return { removed, added: written.all }
  }

/** The part of the write-ahead log whose rows are in files, as the Delta log records it. */
export interface LogBorder {
  readonly application: string
  /** Of its last part. */
  readonly number: number
}

export interface FlushOptions {
  readonly writer: Writer
  readonly table: Table
  readonly layout: TableLayout
  readonly keyIndex: KeyIndex
  readonly memtable: Memtable
  /** Of the rows that are in the memtable. */
  readonly border: LogBorder
  readonly waiting: WaitingKeys
  /** Whether rows of the files are deleted, rather than only replaced. */
  readonly erases: boolean
  /** Verifies a file that is about to be rewritten. */
  readonly isDamaged: (dataFile: DataFile) => Promise<boolean>
  readonly clock: Clock
  /** Applies the change in memory. Must not fail. */
  readonly publish: (change: FileChange<DataFile>) => Promise<void>
}

/**
 * Flushes a sealed memtable: writes its rows as a new file and rewrites each file that contains
 * rows it hides, in one Delta commit. Only output that was not committed is deleted.
 */
export async function flushMemtable(
  commits: FileCommits<DataFile>,
  options: FlushOptions,
): Promise<FileChange<DataFile>> {
  const { layout, border, clock, publish } = options
  const erasedIn = (plan: FilePlan<DataFile>) =>
    options.erases && plan.removed.length > 0 ? commits.deltaLog.state.version + 1 : undefined
  const change = await commitDataFiles(commits, layout, {
    plan: flushing(stepsOf(options)),
    isDone: (state) => (state.transaction(border.application) ?? -1) >= border.number,
    actions: (plan) => flushActions(plan, { border, nowMs: clock.nowMs(), erasedIn: erasedIn(plan) }),
    publish,
  })
  return change ?? { dataFiles: [], removed: [] }
}

function stepsOf(options: FlushOptions): FlushSteps<DataFile> {
  const { writer, table, layout, keyIndex, memtable, waiting, isDamaged, clock } = options
  const shared = { writer, table, layout, nowMs: clock.nowMs() }
  return {
    affected: async (dataFiles) => {
      const hidden = [...memtable.masked].filter((key) => !waiting.has(key))
      const holders = (await keyIndex.lookUp(dataFiles, hidden)).dataFiles
      const intact: DataFile[] = []
      // The contents of a damaged file cannot be trusted. It stays, hidden from readers, until it
      // is repaired; rows that also exist elsewhere are then dropped from it.
      for (const dataFile of holders) if (!(await isDamaged(dataFile))) intact.push(dataFile)
      return intact
    },
    rewrite: (dataFile) => {
      const source = `${parquetSource(layout, [dataFile])} t WHERE ${notMasked(table, memtable.maskName)}`
      return rewriteRows({ ...shared, source })
    },
    writeFresh: async () => {
      const source = `"${memtable.tableName}" t`
      const values = memtable.indexBuilder
      return [(await writeDataFile({ ...shared, source, fileName: newFileName(), values })) ?? []].flat()
    },
  }
}

/** The actions of a flush commit. */
export function flushActions(
  { removed, added }: FilePlan<CommittedFile>,
  { border, nowMs, erasedIn }: { border: LogBorder; nowMs: number; erasedIn?: number | undefined },
): Action[] {
  return [
    commitInfo('WRITE', { mode: 'Append' }, nowMs),
    { txn: { appId: border.application, version: border.number, lastUpdated: nowMs } },
    ...(erasedIn === undefined ? [] : [erasureAction(erasedIn, nowMs)]),
    ...removed.map(({ add }) => removeAction(add, nowMs, { dataChange: true })),
    ...added.map(({ add }) => ({ add })),
  ]
}
