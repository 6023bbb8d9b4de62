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
import type { KeyIndex } from '../key-index/key-index.ts'
import type { TableLayout } from '../layout.ts'
import type { Generation } from '../memtable/generation.ts'
import { notMasked } from '../row-key.ts'
import { commitInfo } from './commit-info.ts'
import { commitWritten } from './commit-written.ts'
import type { CommittedFile, FileChange, FileCommits, FilePlan } from './file-commits.ts'
import { Rewriting, type RewritingSteps } from './rewriting.ts'

/** Name under which a table's Delta log notes the last log segment that its files contain. */
export const walApplication = 'tracelake/wal'

export interface FlushOptions {
  readonly writer: Writer
  readonly table: Table
  readonly layout: TableLayout
  readonly keyIndex: KeyIndex
  readonly generation: Generation
  /** Last log segment whose rows the generation holds. */
  readonly walSegment: number
  /** Reads a file that is about to be written again, and says whether it is not what was written. */
  readonly isDamaged: (segment: Segment) => Promise<boolean>
  readonly nowMs: number
  /** Takes the change over into memory. Must not fail. */
  readonly publish: (change: FileChange<Segment>) => Promise<void>
}

/**
 * Writes a sealed generation to disk: its rows as a new file, and each file that holds rows it hides once more without them. One
 * Delta commit makes both true at the same moment. Nothing is deleted here but what was written in vain.
 */
export async function flushGeneration(
  commits: FileCommits<Segment>,
  options: FlushOptions,
): Promise<FileChange<Segment>> {
  const { layout, walSegment, nowMs, publish } = options
  const steps = stepsOf(options)
  const change = await commitWritten(commits, {
    ...steps,
    written: new Rewriting(steps),
    isDone: (state) => (state.transaction(walApplication) ?? -1) >= walSegment,
    actions: (plan) => flushActions(plan, { walSegment, nowMs }),
    settle: (files) => settleFiles(layout, files),
    publish,
  })
  return change ?? { segments: [], removed: [] }
}

function stepsOf(options: FlushOptions): RewritingSteps<Segment> {
  const { writer, table, layout, keyIndex, generation, isDamaged, nowMs } = options
  const made = { writer, table, layout, nowMs }
  return {
    concerned: async (segments) => {
      const holders = (await keyIndex.holding(segments, [...generation.masked])).segments
      const intact: Segment[] = []
      // What a damaged one says may be wrong. It stays, hidden from readers, until it is repaired; rows that are elsewhere too go out of it then.
      for (const segment of holders) if (!(await isDamaged(segment))) intact.push(segment)
      return intact
    },
    rewrite: async (segment) => {
      const source = `${parquetSource(layout, [segment])} t WHERE ${notMasked(table, generation.maskName)}`
      const values = await valuesOfRows(writer, table, source)
      return await writeSegment({ ...made, source, fileName: newFileName(), values })
    },
    writeFresh: () =>
      writeSegment({
        ...made,
        source: `"${generation.tableName}" t`,
        fileName: newFileName(),
        values: generation.filterValues,
      }),
    isThere: ({ fileName }) => fileExists(layout.parquet(fileName)),
    discard: ({ fileName }) => discardFile(layout, fileName),
  }
}

/** The commit of a flush. */
export function flushActions(
  { removed, added }: FilePlan<CommittedFile>,
  { walSegment, nowMs }: { walSegment: number; nowMs: number },
): Action[] {
  return [
    commitInfo('WRITE', { mode: 'Append' }, nowMs),
    { txn: { appId: walApplication, version: walSegment, lastUpdated: nowMs } },
    ...removed.map(({ add }) => removeAction(add, nowMs, { dataChange: true })),
    ...added.map(({ add }) => ({ add })),
  ]
}
