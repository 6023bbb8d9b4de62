import { DomainError } from '../../lib/errors.ts'
import type { Row, Table } from '../../lib/table.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { RowsToErase } from '../data-files/rewrite-rows.ts'
import type { DirtyRow } from '../memtable/memtable.ts'
import type { FlushedTable, StoreSize, TableStats } from '../stats.ts'
import type { EncodedRows } from '../wal/batch-codec.ts'
import type { WriteAheadLog } from '../wal/write-ahead-log.ts'
import { Compactor } from './compactor.ts'
import { type ErasedFiles, type EraseOptions, Eraser, eraseQuarantine } from './eraser.ts'
import type { FileCommits } from './file-commits.ts'
import type { TableRetention } from './file-write-context.ts'
import { type FlushOptions, FlushScheduler } from './flush-scheduler.ts'
import { filtersLoaded, holdDataFiles } from './held-files.ts'
import { HistoryUpkeep } from './history-upkeep.ts'
import { IndexUpkeep } from './index-upkeep.ts'
import { LineageUpkeep } from './lineage-upkeep.ts'
import type { LogReplay } from './log-replay.ts'
import { openTableParts, type TableParts, type TableStoreOptions } from './open-table-parts.ts'
import { type PinnedFiles, type PinnedTable, pinFilesFor, pinTable, unpinTable } from './pinned-table.ts'
import type { TableLayers } from './table-layers.ts'
import { UncommittedUpkeep } from './uncommitted-upkeep.ts'
import type { Upkeep } from './upkeep.ts'
import { backpressureOf, type WriteBackpressure } from './write-backpressure.ts'

/** One table: its WAL, its layers, and the jobs that move rows through them. */
export class TableStore {
  readonly table: Table
  /** Work in the background, for a timer. */
  readonly upkeep: readonly Upkeep[]
  readersWaiting = 0
  readonly filtersLoaded = (): Promise<void> => filtersLoaded(this.layers)
  readonly stored = () => ({ table: this.table, layout: this.layers.layout, dataFiles: this.layers.intact })
  readonly holdFiles = (bytesMax: number, signal: AbortSignal) => holdDataFiles(this.layers, bytesMax, signal)
  private readonly layers: TableLayers
  private readonly wal: WriteAheadLog
  private readonly replay: LogReplay
  private readonly flushScheduler: FlushScheduler
  private readonly compactor: Compactor
  private readonly eraser: Eraser
  private readonly lineage: LineageUpkeep
  private readonly backpressure: WriteBackpressure
  private readonly commits: FileCommits<DataFile>
  private readonly clock: Clock
  private readonly retention: TableRetention

  private constructor({ context, wal, replay, storage }: TableParts) {
    const { layers, commits } = context
    this.replay = replay
    this.table = layers.table
    this.commits = commits
    this.clock = context.clock
    this.retention = context.retention
    this.layers = layers
    this.wal = wal
    const flushScheduler = new FlushScheduler(context, wal, replay)
    this.flushScheduler = flushScheduler
    this.compactor = new Compactor(context)
    this.eraser = new Eraser(context)
    this.lineage = new LineageUpkeep(context, { flushScheduler, replay })
    this.upkeep = [
      this.compactor,
      new IndexUpkeep(context),
      this.lineage,
      new UncommittedUpkeep(context, storage),
      new HistoryUpkeep(context),
    ]
    const readersWaiting = () => this.readersWaiting
    const { memtableBytesMax } = context
    this.backpressure = backpressureOf({ layers, replay, flushScheduler, memtableBytesMax, readersWaiting })
  }

  /**
   * Opens the table and cleans up after a crash. A small WAL is replayed, a large one later, by
   * `replayLog`.
   */
  static async open(options: TableStoreOptions): Promise<TableStore> {
    return new TableStore(await openTableParts(options))
  }

  /** Begins to replay a large WAL. Call it when all tables are open; reads and flushes do, too. */
  readonly replayLog = (): void => this.replay.start()

  /**
   * Returns once all rows of the WAL can be read: await it before `materialize`.
   *
   * @throws DomainError StoreUnavailable
   */
  replayed(): Promise<void> {
    return this.replay.done()
  }

  /**
   * Stores parts of rows, all or none: durable and visible on return.
   *
   * @throws DomainError Overloaded, StoreUnavailable
   */
  async write(rows: readonly Row[]): Promise<void> {
    await this.admit(rows)
    await this.wal.append(rows)
    this.flushScheduler.materializeIfNeeded()
  }

  /** The same for encoded rows, and for parts of rows that are stored before them. */
  async writeEncoded(encoded: EncodedRows, before: readonly Row[]): Promise<void> {
    await this.admit(before.length === 0 ? encoded.rows : [...before, ...encoded.rows])
    await this.wal.appendEncoded(encoded, before)
    this.flushScheduler.materializeIfNeeded()
  }

  private async admit(rows: readonly DirtyRow[]): Promise<void> {
    const refusal = this.commits.refusal ?? this.replay.failure
    if (refusal !== undefined) throw new DomainError('StoreUnavailable', refusal)
    await this.backpressure.admit(rows)
  }

  /** Why the table rejects writes, while it does. */
  get failure(): string | undefined {
    const { commits, replay, wal, flushScheduler } = this
    return commits.refusal ?? commits.failure ?? replay.failure ?? wal.failure ?? flushScheduler.failure
  }

  get stats(): TableStats {
    const { size, memtableBytes } = this.layers
    return {
      table: this.table.name,
      ...size,
      memtableBytes,
      damagedFiles: this.damagedFiles,
      index: this.layers.keyIndex.stats,
      log: this.wal.stats,
      ...this.flushScheduler.stats,
      ...this.compactor.stats,
      ...this.commits.stats,
      unlearnedFiles: this.lineage.filesLeft,
      unflushedAgeMs: this.unflushedAgeMs,
    }
  }

  private get unflushedAgeMs(): number {
    const { oldestUnflushedMs } = this.layers
    return oldestUnflushedMs === undefined ? 0 : Math.max(0, this.clock.nowMs() - oldestUnflushedMs)
  }

  get isFlushBehind(): boolean {
    return this.flushScheduler.isBehind
  }

  /** Damaged files, whose rows are not served. */
  get damagedFiles(): number {
    return this.layers.damaged.among(this.layers.files.dataFiles).length
  }

  /** Verifies all files that need not be fetched, one after the other. */
  async checkFiles(): Promise<void> {
    await this.commits.follow()
    await this.layers.damaged.checkAll(this.layers.intact)
  }

  get size(): StoreSize {
    return this.layers.size
  }

  /** Whether there are no rows, neither here nor in a log that is not replayed yet. */
  get isEmpty(): boolean {
    const { fileRows, memtableRows } = this.size
    return !this.replay.isRunning && fileRows + memtableRows === 0
  }

  /** Drains everything accepted so far into DuckDB. Requires `layersLock`. */
  materialize(): Promise<void> {
    return this.layers.materializeAll()
  }

  /** Pins the current layers for a reader. Requires `layersLock`, after `materialize`. */
  pin(): PinnedTable {
    return pinTable(this.layers)
  }

  /** Pins the files that alone can answer for a row; see `pinFilesFor`. Requires `layersLock`. */
  pinFilesFor(projectId: string, id: string): PinnedFiles | undefined {
    // The log may have something newer.
    return this.replay.isRunning ? undefined : pinFilesFor(this.layers, projectId, id)
  }

  /** Pins the layers without draining, if that suffices. Requires `layersLock`. */
  pinIf(isEnough: (layers: TableLayers) => boolean): PinnedTable | undefined {
    return !this.replay.isRunning && isEnough(this.layers) ? pinTable(this.layers) : undefined
  }

  unpin(pinned: PinnedTable): Promise<void> {
    return unpinTable(this.layers, pinned)
  }

  /** Checks whether a WAL that could not be written has recovered. Called by a timer. */
  readonly probeLog = (): Promise<void> => this.wal.probe()

  /** Follows commits of other engines. Called by a timer; failures are reported and retried. */
  readonly followOthers = (): Promise<void> => this.commits.follow()

  /** The same before a read; never fails. */
  followOthersBeforeRead(): Promise<void> {
    return this.commits.followBeforeRead()
  }

  /** Flushes if the memtable is large, old or idle. Called by a timer. */
  flushIfDue(): Promise<void> {
    return this.flushScheduler.flushIfDue()
  }

  /** Call when a rollup could not be read. */
  checkRollups(): void {
    this.layers.rollups.areSuspect = true
  }

  /** Merges all files that are not full. */
  readonly compact = (): Promise<void> => this.compactor.compactAll()

  /**
   * Removes rows from the data files: those that were written before the call. With `isFinal`, rows
   * of their projects that cannot be shown go too, and no row of them stays in the WAL.
   *
   * @throws whatever `signal` was aborted with
   */
  async erase(rows: readonly RowsToErase[], options: EraseOptions & { isFinal?: boolean } = {}): Promise<ErasedFiles> {
    this.layers.knownRows.clear()
    if (!options.isFinal) return await this.eraser.erase(rows, options)
    for (const { projectId } of rows) {
      await this.flushScheduler.flushWithout(projectId)
      await eraseQuarantine(this.layers.layout, projectId)
    }
    return await this.eraser.erase(rows, options)
  }

  /** Removes replaced files past their retention time. Called by a timer. */
  removeReplaced(): Promise<void> {
    return this.layers.deferredDeletes.sweep()
  }

  /**
   * Flushes the memtable. With `retainIncomplete`, recent rows without their other half stay in
   * memory; with `mayWait`, changes for which it is not worth rewriting their files yet; without
   * `withParts`, what cannot be shown.
   */
  flush(options: FlushOptions): Promise<void> {
    return this.flushScheduler.flush(options)
  }

  /** Flushes everything except rows that cannot be shown. */
  async flushAll(): Promise<FlushedTable> {
    await this.flushScheduler.flushAll()
    return { table: this.table.name, version: this.commits.deltaLog.state.version, rows: this.size.fileRows }
  }

  /** Waits for compactions and the like that are underway. None begins afterwards. */
  async endUpkeep(): Promise<void> {
    await Promise.all(this.upkeep.map((one) => one.close()))
  }

  /** Closes the WAL. Its rows are flushed by the node that replays it. */
  async handOver(): Promise<void> {
    await this.endUpkeep()
    await this.wal.close()
  }

  /** Flushes, closes the WAL and removes all unneeded files. Nothing may be written afterwards. */
  async close(): Promise<void> {
    try {
      await this.endUpkeep()
      await this.layers.rollups.close()
      // Rows that cannot be written because of other engines stay in the WAL.
      if (this.commits.refusal === undefined && !this.wal.isClosed)
        await this.flushScheduler.flushAll({ mayWait: true })
      await this.flushScheduler.ended()
      await this.layers.deferredDeletes.close({ isEarly: this.retention.endsAtClose })
    } finally {
      await this.wal.close()
    }
  }
}
