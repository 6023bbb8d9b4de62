import type { Writer } from '../../duck/writer.ts'
import type { Table } from '../../kernel/table.ts'
import { fileExists } from '../../platform/files.ts'
import { newFileName } from '../data-files/own-files.ts'
import type { Segment } from '../data-files/segment.ts'
import { parquetSource } from '../data-files/segments.ts'
import { discardFile, settleFiles } from '../data-files/unfinished.ts'
import { valuesOfRows, writeSegment } from '../data-files/write-segment.ts'
import type { Action } from '../delta/actions.ts'
import { removeAction } from '../delta/delta-log.ts'
import type { TableLayout } from '../layout.ts'
import { commitInfo } from './commit-info.ts'
import { commitWritten } from './commit-written.ts'
import type { CommittedFile, FileChange, FileCommits, FilePlan } from './file-commits.ts'
import { Merging } from './merging.ts'

export interface CompactionOptions {
  readonly writer: Writer
  readonly table: Table
  readonly layout: TableLayout
  /** Files that become one. */
  readonly chosen: readonly Segment[]
  readonly nowMs: number
  /** Takes the change over into memory. Must not fail. */
  readonly publish: (change: FileChange<Segment>) => Promise<void>
}

/**
 * Writes the rows of some files as one file. One Delta commit puts it in their place, and says that no row has changed. Nothing is deleted
 * here but what was written in vain.
 *
 * @returns undefined where another program has changed one of the files meanwhile
 */
export async function compactFiles(
  commits: FileCommits<Segment>,
  options: CompactionOptions,
): Promise<FileChange<Segment> | undefined> {
  const { layout, chosen, nowMs, publish } = options
  const isThere = ({ fileName }: Segment) => fileExists(layout.parquet(fileName))
  return await commitWritten(commits, {
    written: new Merging(chosen, { merge: () => writeMerged(options), isThere }),
    isThere,
    discard: ({ fileName }) => discardFile(layout, fileName),
    isDone: () => false,
    actions: (plan) => compactionActions(plan, nowMs),
    settle: (files) => settleFiles(layout, files),
    publish,
  })
}

async function writeMerged({ writer, table, layout, chosen, nowMs }: CompactionOptions): Promise<Segment | undefined> {
  const source = `${parquetSource(layout, chosen)} t`
  const values = await valuesOfRows(writer, table, source)
  return await writeSegment({ writer, table, layout, source, fileName: newFileName(), values, nowMs })
}

/** The commit of a compaction. */
export const compactionActions = ({ removed, added }: FilePlan<CommittedFile>, nowMs: number): Action[] => [
  commitInfo('OPTIMIZE', {}, nowMs),
  ...removed.map(({ add }) => removeAction(add, nowMs, { dataChange: false })),
  ...added.map(({ add }) => ({ add: { ...add, dataChange: false } })),
]
