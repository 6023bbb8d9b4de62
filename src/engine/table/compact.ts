import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { fileExists } from '../../runtime/platform/files/files.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { newFileName } from '../data-files/file-names.ts'
import { parquetSource } from '../data-files/open-data-files.ts'
import { rewriteRows } from '../data-files/rewrite-rows.ts'
import { discardFile, markCommitted } from '../data-files/uncommitted-files.ts'
import { indexRows, writeDataFile } from '../data-files/write-data-file.ts'
import { type Action, commitInfo } from '../delta/actions.ts'
import { removeAction } from '../delta/delta-log.ts'
import type { TableLayout } from '../layout.ts'
import { commitFiles } from './commit-files.ts'
import { CompactionOutput } from './compaction-output.ts'
import type { CommittedFile, FileChange, FileCommits, FilePlan } from './file-commits.ts'

export interface CompactionOptions {
  readonly writer: Writer
  readonly table: Table
  readonly layout: TableLayout
  /** Files to merge into one. */
  readonly chosen: readonly DataFile[]
  readonly nowMs: number
  /** Applies the change in memory. Must not fail. */
  readonly publish: (change: FileChange<DataFile>) => Promise<void>
}

/**
 * Merges files into one, or rewrites a single one. A single Delta commit replaces them and states
 * that no row changed. Only output that was not committed is deleted.
 *
 * @returns undefined if another engine changed one of the files meanwhile
 */
export async function compactFiles(
  commits: FileCommits<DataFile>,
  options: CompactionOptions,
): Promise<FileChange<DataFile> | undefined> {
  const { layout, chosen, nowMs, publish } = options
  const exists = ({ fileName }: DataFile) => fileExists(layout.parquet(fileName))
  const discard = ({ fileName }: DataFile) => discardFile(layout, fileName)
  return await commitFiles(commits, {
    output: new CompactionOutput(chosen, { merge: () => writeMerged(options), exists, discard }),
    exists,
    discard,
    isDone: () => false,
    actions: (plan) => compactionActions(plan, nowMs),
    settle: (files) => markCommitted(layout, files),
    publish,
  })
}

async function writeMerged({ writer, table, layout, chosen, nowMs }: CompactionOptions): Promise<readonly DataFile[]> {
  const source = `${parquetSource(layout, chosen)} t`
  // A single file may have any size. Several files were chosen to fit into one, and would be chosen
  // again if they did not become one.
  if (chosen.length === 1) return await rewriteRows({ writer, table, layout, source, nowMs })
  const values = await indexRows(writer, table, source)
  const merged = await writeDataFile({ writer, table, layout, source, fileName: newFileName(), values, nowMs })
  return merged === undefined ? [] : [merged]
}

/** The actions of a compaction commit. */
export const compactionActions = ({ removed, added }: FilePlan<CommittedFile>, nowMs: number): Action[] => [
  commitInfo('OPTIMIZE', {}, nowMs),
  ...removed.map(({ add }) => removeAction(add, nowMs, { dataChange: false })),
  ...added.map(({ add }) => ({ add: { ...add, dataChange: false } })),
]
