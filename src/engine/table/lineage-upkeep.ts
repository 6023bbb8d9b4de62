import { storageLimits } from '../../lib/limits/storage.ts'
import { present } from '../../lib/present.ts'
import { cellReader, type Lineage, type Table } from '../../lib/table.ts'
import { cellAt, keyPositions, positionOf } from '../../lib/typed-rows.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import { type DataFile, timeBoundsOf } from '../data-files/data-file.ts'
import { parquetSource } from '../data-files/open-data-files.ts'
import type { Lesson } from '../lineage/lessons.ts'
import type { Memtable } from '../memtable/memtable.ts'
import { type RowKey, rowKey, rowsOfColumns } from '../row-key.ts'
import type { FileWriteContext } from './file-write-context.ts'
import type { FlushScheduler } from './flush-scheduler.ts'
import type { LogReplay } from './log-replay.ts'
import { retryIfReplaced } from './replaced-files.ts'
import { lineageActions, lineageDone, lineageProperty } from './table-actions.ts'
import { Upkeep } from './upkeep.ts'

/** A stored row's lesson for its parent, which has not received it yet. */
interface PendingLesson {
  readonly source: RowKey
  readonly parent: RowKey
  readonly lesson: Lesson
}

/** Rows by their time in microseconds: from `after`, before `through`. */
interface Window {
  readonly after: number
  readonly through: number
}

/**
 * Passes facts of rows in data files to the rows above them, once, for files of versions before
 * `Lineage`. It reads the rows from the newest to the oldest. These facts are not in the log: the
 * progress is committed after the changed rows are in files, so a crash repeats a part of the work.
 * See docs/decisions/231-old-calls-learn.md.
 */
export class LineageUpkeep extends Upkeep {
  readonly what = 'propagating errors and usage in rows of earlier versions'
  private readonly flushScheduler: FlushScheduler
  private readonly replay: LogReplay
  /** Rows from this time on have passed their facts on; microseconds. */
  private through = Number.POSITIVE_INFINITY
  private passedOn = 0
  /** Whether all that rows have learned is in files. */
  private isSaved = true

  constructor(context: FileWriteContext, parts: { flushScheduler: FlushScheduler; replay: LogReplay }) {
    super(context, { retryMs: storageLimits.lineageRetryMs })
    this.flushScheduler = parts.flushScheduler
    this.replay = parts.replay
  }

  /** Data files with rows whose facts have not been passed on. */
  get filesLeft(): number {
    return this.isIncomplete ? this.filesBefore(this.through).length : 0
  }

  protected get isDue(): boolean {
    return this.isIncomplete && this.mayRun
  }

  private get isIncomplete(): boolean {
    return this.context.layers.table.lineage !== undefined && this.progress !== lineageDone
  }

  private get progress(): string | undefined {
    return this.context.commits.deltaLog.state.metaData?.configuration[lineageProperty]
  }

  private get mayRun(): boolean {
    const { commits, layers } = this.context
    // Rows of damaged files cannot be read or changed.
    const isWhole = layers.damaged.among(layers.files.dataFiles).length === 0
    return isWhole && !this.isClosed && !this.replay.isRunning && commits.refusal === undefined
  }

  protected async work(): Promise<void> {
    const { rewriteLock, log, layers } = this.context
    const { table } = layers
    const lineage = present(table.lineage, 'The lineage of the table')
    const stated = Number(this.progress ?? Number.NaN)
    this.through = Number.isNaN(stated) ? Number.POSITIVE_INFINITY : stated
    this.passedOn = 0
    const files = this.filesBefore(this.through).length
    if (files > 0) log.info({ files }, 'propagating errors and usage to rows of an earlier version')
    for (let window = this.nextWindow(); window !== undefined; window = this.nextWindow()) {
      if (!this.mayRun) return
      const beginMs = performance.now()
      const { after } = window
      await rewriteLock.run(() => this.learnWithin(table, lineage, window))
      if (this.isClosed) return
      this.through = after
      const { bytes, rows } = layers.active
      const isLarge = bytes > this.context.memtableBytesMax / 2 || rows > storageLimits.memtableRowsMax / 2
      if (isLarge) await this.save(String(after))
      const pauseMs = Math.min(performance.now() - beginMs, storageLimits.lineagePauseMsMax)
      await delay(pauseMs, this.closing)
    }
    await this.save(lineageDone)
    if (files > 0) log.info({ rows: this.passedOn }, 'propagated errors and usage to rows of an earlier version')
  }

  private filesBefore(micros: number): DataFile[] {
    const { table, files } = this.context.layers
    return files.dataFiles.filter((dataFile) => timeBoundsOf(table, dataFile)[0] < micros)
  }

  /** The next older rows, back to where one of their files begins. */
  private nextWindow(): Window | undefined {
    const { table } = this.context.layers
    const starts = this.filesBefore(this.through).map((dataFile) => timeBoundsOf(table, dataFile)[0])
    return starts.length === 0 ? undefined : { after: Math.max(...starts), through: this.through }
  }

  /** Requires the rewrite lock. */
  private async learnWithin(table: Table, lineage: Lineage, window: Window): Promise<void> {
    const { layers } = this.context
    // Rows may leave memory between reading the lessons and teaching them.
    const flushed: Memtable[] = []
    layers.flushed = flushed
    try {
      const pending = await layers.files.hold(() => this.read(table, lineage, window))
      const count = this.rowsAtOnce()
      for (let from = 0; from < pending.length; from += count) {
        if (this.isClosed) return
        await this.teach(pending.slice(from, from + count), lineage, flushed)
      }
    } finally {
      layers.flushed = undefined
    }
  }

  /** How many rows become values in memory at a time, by the size of rows on disk. */
  private rowsAtOnce(): number {
    const { fileRows, fileBytes } = this.context.layers.size
    const { taughtAtOnceMax, taughtBytesMax } = storageLimits
    return Math.max(1, Math.min(taughtAtOnceMax, Math.floor((taughtBytesMax * fileRows) / Math.max(1, fileBytes))))
  }

  private async read(
    table: Table,
    { sources, ...lineage }: Lineage,
    { after, through }: Window,
  ): Promise<PendingLesson[]> {
    const { layers, rewriter } = this.context
    const files = this.filesBefore(through).filter((dataFile) => timeBoundsOf(table, dataFile)[1] >= after)
    if (files.length === 0) return []
    const time = `t."${table.order[1]}"`
    const conditions = [
      sources.condition,
      ...(Number.isFinite(after) ? [`${time} >= make_timestamptz(${Math.floor(after)})`] : []),
      ...(Number.isFinite(through) ? [`${time} < make_timestamptz(${Math.floor(through)})`] : []),
    ]
    const { project, id } = keyPositions(table)
    const touched = positionOf(table, table.updatedAtColumn, 'time')
    const pending: PendingLesson[] = []
    const found = rewriter.columns(
      `SELECT ${sources.columns.map((name) => `t."${name}"`).join(', ')}
       FROM ${parquetSource(layers.layout, files)} t WHERE ${conditions.join(' AND ')}`,
    )
    for await (const columns of found)
      for (const row of rowsOfColumns(table, sources.columns, columns)) {
        table.derive(row)
        const reader = cellReader(row)
        const facts = lineage.factsForParent(reader, reader)
        const parentId = reader.text(lineage.parent)
        if (facts === undefined || parentId === null) continue
        const projectId = cellAt(row, project)
        pending.push({
          source: rowKey(projectId, cellAt(row, id)),
          parent: rowKey(projectId, parentId),
          lesson: {
            ...{ tree: reader.text(lineage.tree), project: projectId, id: parentId },
            ...{ touched: cellAt(row, touched), facts },
          },
        })
      }
    return pending
  }

  /**
   * Passes lessons on, except those of rows in memtables, which have passed them on or are deleted.
   *
   * @param flushed memtables whose rows are in files now, but were not when the lessons were read
   */
  private async teach(all: readonly PendingLesson[], lineage: Lineage, flushed: readonly Memtable[]): Promise<void> {
    const { layers, layersLock, commits, clock } = this.context
    const { knownRows, hiddenProjects } = layers
    const teachAll = async () => {
      for (const { source, parent, lesson } of all) {
        const memtables = [layers.active, ...(layers.sealed ? [layers.sealed.memtable] : []), ...flushed]
        if (memtables.some((memtable) => memtable.mayContain(source))) continue
        const isNew = knownRows.isNewFor(
          parent,
          lesson.tree,
          (known) => lineage.learn(lesson.id, known, lesson.facts) !== known,
        )
        if (!isNew || hiddenProjects.has(lesson.project)) continue
        layers.active.teach(parent, lesson, clock.nowMs())
        this.passedOn++
        this.isSaved = false
      }
    }
    await layers.sealing.run(() => layersLock.run(teachAll))
    const drain = () => layers.materialize('incomplete stay')
    // What others have to learn of that comes next. A flush drains the rest.
    for (let before = 0; layers.active.lessons.size > 0 && layers.active.lessons.size !== before; ) {
      before = layers.active.lessons.size
      await retryIfReplaced(() => layersLock.run(drain), commits)
    }
  }

  /** Commits how far it has come, once that is in files. */
  private async save(progress: string): Promise<void> {
    const { commits, clock, log } = this.context
    // Forced, because rows that stay in memory are in the log as they were.
    if (!this.isSaved) await this.flushScheduler.flushCurrent({ retainIncomplete: true, isForced: true })
    this.isSaved = true
    await commits.commit({
      isDone: ({ metaData }) => metaData?.configuration[lineageProperty] === progress,
      plan: async () => ({ removed: [], added: [] }),
      actions: () =>
        lineageActions(present(commits.deltaLog.state.metaData, 'The metadata of the table'), progress, clock.nowMs()),
    })
    if (progress !== lineageDone)
      log.info(
        { rows: this.passedOn, files: this.filesLeft },
        'continuing to propagate errors and usage to rows of an earlier version',
      )
  }
}
