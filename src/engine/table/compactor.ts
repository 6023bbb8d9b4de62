import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { type DataFile, needsRewrite } from '../data-files/data-file.ts'
import { newFileName } from '../data-files/file-names.ts'
import { oldestFirst, parquetSource } from '../data-files/open-data-files.ts'
import { rewriteRows } from '../data-files/rewrite-rows.ts'
import { discardFile, markCommitted } from '../data-files/uncommitted-files.ts'
import { writeDataFile } from '../data-files/write-data-file.ts'
import { indexRows } from '../data-files/write-index-file.ts'
import { type Action, commitInfo } from '../delta/actions.ts'
import { removeAction } from '../delta/delta-log.ts'
import type { TableLayout } from '../layout.ts'
import { CompactionOutput, commitFiles, retryIfReplaced } from './commit-files.ts'
import type { CommittedFile, FileChange, FileCommits, FilePlan } from './file-commits.ts'
import type { FileWriteContext } from './file-write-context.ts'
import { letFlushPass } from './flush-pressure.ts'
import type { TableLayers } from './table-layers.ts'

interface CompactionOptions {
  readonly writer: Writer
  readonly table: Table
  readonly layout: TableLayout
  /** Files to merge into one. */
  readonly chosen: readonly DataFile[]
  readonly clock: Clock
  /** See `writeSlices`. */
  readonly pause: () => Promise<void>
  /** Applies the change in memory. Must not fail. */
  readonly publish: (change: FileChange<DataFile>) => Promise<void>
}

/**
 * Merges files into one, or rewrites a single one. A single Delta commit replaces them and states
 * that no row changed. Only output that was not committed is deleted.
 *
 * @returns undefined if a flush or another engine replaced one of the files meanwhile
 */
async function compactFiles(
  commits: FileCommits<DataFile>,
  options: CompactionOptions,
): Promise<FileChange<DataFile> | undefined> {
  const { layout, chosen, clock, publish } = options
  const exists = ({ fileName }: DataFile) => layout.files.exists(layout.parquet(fileName))
  const discard = ({ fileName }: DataFile) => discardFile(layout, fileName)
  return await commitFiles(commits, {
    output: new CompactionOutput(chosen, { merge: () => writeMerged(options), exists, discard }),
    exists,
    discard,
    isDone: () => false,
    actions: (plan) => compactionActions(plan, clock.nowMs()),
    settle: (files) => markCommitted(layout, files),
    publish,
  })
}

async function writeMerged({
  writer,
  table,
  layout,
  chosen,
  clock,
  pause,
}: CompactionOptions): Promise<readonly DataFile[]> {
  const nowMs = clock.nowMs()
  const source = `${parquetSource(layout, chosen)} t`
  // A single file may have any size. Several files were chosen to fit into one, and would be chosen
  // again if they did not become one.
  if (chosen.length === 1) return await rewriteRows({ writer, table, layout, source, nowMs, pause })
  const values = await indexRows(writer, table, source)
  const merged = await writeDataFile({ writer, table, layout, source, fileName: newFileName(), values, nowMs, pause })
  return merged === undefined ? [] : [merged]
}

/** The actions of a compaction commit. */
export const compactionActions = ({ removed, added }: FilePlan<CommittedFile>, nowMs: number): Action[] => [
  commitInfo('OPTIMIZE', {}, nowMs),
  ...removed.map(({ add }) => removeAction(add, nowMs, { dataChange: false })),
  ...added.map(({ add }) => ({ add: { ...add, dataChange: false } })),
]

/**
 * Size tiers in ascending order: an upper bound as a fraction of a full file, and how many files of
 * the tier trigger a merge.
 */
const tiers = [
  { below: 1 / 4096, minFiles: 6 },
  { below: 1 / 512, minFiles: 6 },
  { below: 1 / 64, minFiles: 6 },
  { below: 1 / 8, minFiles: 4 },
  { below: 1 / 2, minFiles: 4 },
] as const
const [, , , , { below: fullAbove }] = tiers
/** Files above the last tier, up to this size, are merged in pairs once there are so many. */
const pairedBelow = 3 / 4
const pairsFrom = 4
if (tiers.some(({ below }, index) => below <= (tiers[index - 1]?.below ?? 0)))
  throw new Error('The tiers of the compaction policy do not ascend')

/**
 * Selects files to merge into one: once a tier has enough files, all files up to its size, oldest
 * first, as many as fit into one file. The result moves up a tier sooner or later, so a row is
 * rewritten a few times rather than with every flush, and a table has at most about twenty files
 * that are not full. Those beyond all tiers are merged in pairs.
 *
 * @returns undefined if nothing is due
 */
export function selectForCompaction(table: Table, dataFiles: readonly DataFile[]): DataFile[] | undefined {
  // Until it is rewritten, every reader has to convert it or skip deleted rows.
  const readAround = dataFiles.find(needsRewrite)
  if (readAround !== undefined) return [readAround]
  let above = 0
  for (const { below, minFiles } of tiers) {
    const withCapacity = dataFiles.filter((dataFile) => fillOf(dataFile) >= above && fillOf(dataFile) < below)
    if (withCapacity.length >= minFiles) return fillOneFile(table, dataFiles, below)
    above = below
  }
  return closestPair(table, dataFiles, pairsFrom)
}

/** The same for any number of files from two up. */
export function selectAnySmall(table: Table, dataFiles: readonly DataFile[]): DataFile[] | undefined {
  const readAround = dataFiles.find(needsRewrite)
  if (readAround !== undefined) return [readAround]
  const chosen = fillOneFile(table, dataFiles, fullAbove)
  return chosen.length < 2 ? closestPair(table, dataFiles, 2) : chosen
}

/**
 * Two neighbours of the files that have more than half of the rows of a full one, and so do not
 * fit into one with another: parts of a file that was split, or files that have lost rows. Together
 * they are full, so they are not selected again. Files of few wide rows are left alone: every flush
 * writes such.
 *
 * @returns the emptiest pair; undefined if there are fewer of these files than `minFiles`
 */
function closestPair(table: Table, dataFiles: readonly DataFile[], minFiles: number): DataFile[] | undefined {
  const isHalf = (file: DataFile) =>
    file.rows >= storageLimits.memtableRowsMax * fullAbove && fillOf(file) < pairedBelow
  const some = oldestFirst(table, dataFiles).filter(isHalf)
  if (some.length < minFiles) return undefined
  const pairs = some.slice(1).map((file, index) => [itemAt(some, index), file])
  const fillOfPair = (pair: readonly DataFile[]) => pair.reduce((sum, file) => sum + fillOf(file), 0)
  return pairs.toSorted((a, b) => fillOfPair(a) - fillOfPair(b))[0]
}

/** Its size as a fraction of a full file. */
const fillOf = ({ rows, bytes }: DataFile): number =>
  Math.max(rows / storageLimits.memtableRowsMax, bytes / storageLimits.mergedBytesMax)

function fillOneFile(table: Table, dataFiles: readonly DataFile[], below: number): DataFile[] {
  const small = dataFiles.filter((dataFile) => fillOf(dataFile) < below)
  let fill = 0
  return oldestFirst(table, small).filter((dataFile) => {
    const after = fill + fillOf(dataFile)
    if (after > 1) return false
    fill = after
    return true
  })
}

/**
 * Bounds the number of files of one table by merging small ones, and the number of its Delta
 * commits by writing checkpoints. See docs/decisions/057-compaction.md.
 */
export class Compactor {
  private readonly layers: TableLayers
  private readonly context: FileWriteContext
  private running: Promise<void> | undefined
  private isClosed = false
  private notBeforeMs = 0
  readonly stats = { compactions: 0, compactionFailures: 0 }

  constructor(context: FileWriteContext) {
    this.layers = context.layers
    this.context = context
  }

  /**
   * Runs one step if it is due. Called by a timer, so more steps follow; backs off after a failure.
   */
  async compactIfDue(): Promise<void> {
    if (this.running !== undefined || this.context.clock.nowMs() < this.notBeforeMs) return
    await this.run(selectForCompaction)
  }

  /** Merges all files that are not full. */
  async compactAll(): Promise<void> {
    while (this.running !== undefined) await this.running
    while (await this.run(selectAnySmall));
  }

  /** Waits for the step in progress and prevents further ones. */
  async close(): Promise<void> {
    this.isClosed = true
    // The caller of that step receives its failure.
    await this.running?.catch(() => {})
  }

  /** @returns whether there was something to do */
  private async run(choose: typeof selectForCompaction): Promise<boolean> {
    const { table } = this.layers
    const isDue = choose(table, this.layers.intact) !== undefined || this.context.commits.deltaLog.isCheckpointDue
    if (this.isClosed || !isDue || this.context.commits.refusal !== undefined) return false
    this.running = retryIfReplaced(
      () => this.context.rewriteLock.run(() => this.step(choose)),
      () => this.context.commits.follow(),
    )
    try {
      await this.running
    } catch (cause) {
      this.notBeforeMs = this.context.clock.nowMs() + storageLimits.compactionRetryMs
      this.stats.compactionFailures++
      throw cause
    } finally {
      this.running = undefined
    }
    return true
  }

  /** Requires the rewrite lock. */
  private async step(choose: typeof selectForCompaction): Promise<void> {
    if (this.isClosed) return
    const chosen = choose(this.layers.table, this.layers.intact)
    // A flush may replace some of them meanwhile.
    if (chosen !== undefined) await this.layers.files.hold(() => this.compact(chosen))
    await this.layers.deferredDeletes.sweep()
    const { commits, rewriter, retention, clock } = this.context
    if (commits.deltaLog.isCheckpointDue)
      await commits.deltaLog.checkpoint(rewriter, { ...retention, nowMs: clock.nowMs() })
  }

  /** Verifies files before their rows go into another one. Damaged files are not selected again. */
  private async hasDamage(chosen: readonly DataFile[]): Promise<boolean> {
    let found = false
    for (const dataFile of chosen) if (await this.layers.damaged.check(dataFile, this.context.log)) found = true
    return found
  }

  private async compact(chosen: readonly DataFile[]): Promise<void> {
    if (await this.hasDamage(chosen)) return
    const { layers, commits, rewriter: writer, clock } = this.context
    const { table, layout } = layers
    const publish = (change: FileChange<DataFile>) =>
      this.context.layersLock.run(async () => layers.files.replace(change))
    const pause = () => letFlushPass(this.context, () => this.isClosed)
    await pause()
    const change = await compactFiles(commits, { writer, table, layout, chosen, clock, pause, publish })
    if (change === undefined) return
    this.stats.compactions++
    this.context.log.info({ merged: chosen.length, files: change.dataFiles.length }, 'compacted small files')
  }
}
