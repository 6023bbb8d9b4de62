import type { DataFile } from '../data-files/data-file.ts'
import { parquetSource } from '../data-files/open-data-files.ts'
import { rewriteRows } from '../data-files/rewrite-rows.ts'
import { writeDataFile } from '../data-files/write-data-file.ts'
import { type Action, commitInfo, erasureAction } from '../delta/actions.ts'
import { notMasked } from '../row-key.ts'
import { commitDataFiles, type FileWork, fileActions } from './commit-files.ts'
import type { CommittedFile, FileChange, FilePlan } from './file-commits.ts'
import type { FileWriteContext } from './file-write-context.ts'
import type { Sealed } from './table-layers.ts'

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
interface LogBorder {
  readonly application: string
  /** Of its last part. */
  readonly number: number
}

/**
 * Flushes a sealed memtable: writes its rows as a new file and rewrites each file that contains
 * rows it hides, in one Delta commit. Only output that was not committed is deleted.
 *
 * @param application under which the Delta log records what is in files; see `LogStorage`
 */
export async function flushMemtable(
  context: FileWriteContext,
  sealed: Sealed,
  application: string,
): Promise<FileChange<DataFile>> {
  const { commits, layers, layersLock, clock } = context
  const { memtable, walSegment, waiting } = sealed
  const border = { application, number: walSegment }
  // Whether rows of the files are deleted, rather than only replaced.
  const erases = memtable.tombstones.keys().some((key) => !waiting.has(key))
  const erasedIn = ({ removed }: FilePlan<DataFile>) =>
    erases && removed.length > 0 ? commits.deltaLog.state.version + 1 : undefined
  const change = await commitDataFiles(commits, layers.layout, {
    plan: flushing(stepsOf(context, sealed)),
    isDone: (state) => (state.transaction(application) ?? -1) >= walSegment,
    actions: (plan) => flushActions(plan, { border, nowMs: clock.nowMs(), erasedIn: erasedIn(plan) }),
    publish: (files) => layersLock.run(async () => layers.replaceSealed(sealed, files)),
  })
  return change ?? { dataFiles: [], removed: [] }
}

function stepsOf(context: FileWriteContext, { memtable, waiting }: Sealed): FlushSteps<DataFile> {
  const { layers, flusher: writer, clock } = context
  const { table, layout, keyIndex, damaged } = layers
  const shared = { writer, table, layout, nowMs: clock.nowMs() }
  return {
    affected: async (dataFiles) => {
      const hidden = [...memtable.masked].filter((key) => !waiting.has(key))
      const holders = (await keyIndex.lookUp(dataFiles, hidden)).dataFiles
      const intact: DataFile[] = []
      // The contents of a damaged file cannot be trusted. It stays, hidden from readers, until it
      // is repaired; rows that also exist elsewhere are then dropped from it.
      for (const dataFile of holders) if (!(await damaged.check(dataFile))) intact.push(dataFile)
      return intact
    },
    rewrite: (dataFile) => {
      const source = `${parquetSource(layout, [dataFile])} t WHERE ${notMasked(table, memtable.maskName)}`
      return rewriteRows({ ...shared, source })
    },
    writeFresh: async () => {
      const rows = { ...shared, source: `"${memtable.tableName}" t` }
      return [(await writeDataFile(rows, memtable.indexBuilder)) ?? []].flat()
    },
  }
}

/** The actions of a flush commit. */
export const flushActions = (
  plan: FilePlan<CommittedFile>,
  { border, nowMs, erasedIn }: { border: LogBorder; nowMs: number; erasedIn?: number | undefined },
): Action[] => [
  commitInfo('WRITE', { mode: 'Append' }, nowMs),
  { txn: { appId: border.application, version: border.number, lastUpdated: nowMs } },
  ...(erasedIn === undefined ? [] : [erasureAction(erasedIn, nowMs)]),
  ...fileActions(plan, nowMs),
]
