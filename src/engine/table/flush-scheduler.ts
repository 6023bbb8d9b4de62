import { DomainError, describeDiskFault } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { touchedMs } from '../memtable/memtable.ts'
import type { WriteAheadLog } from '../wal/write-ahead-log.ts'
import type { FileWriteContext } from './file-write-context.ts'
import { flushMemtable } from './flush.ts'
import { isFlushBehind } from './flush-pressure.ts'
import type { LogReplay } from './log-replay.ts'
import type { SealOptions } from './prepare-seal.ts'
import { retryIfReplaced } from './replaced-files.ts'
import type { TableLayers } from './table-layers.ts'
import { lookUpChanges } from './waiting-changes.ts'

/**
 * Before blocking writers, drain what arrived meanwhile up to this many times, down to this many
 * rows.
 */
const aheadMax = 6
const aheadRows = 500

/** What may stay in memory. */
export type FlushOptions = Pick<SealOptions, 'retainIncomplete' | 'withParts' | 'mayWait'>

type AnyOptions = Omit<SealOptions, 'nowMs' | 'keptBytesMax'>

/**
 * Moves the rows of one table onward: from memory into DuckDB's tables, and from there into files.
 */
export class FlushScheduler {
  private readonly layers: TableLayers
  private readonly wal: WriteAheadLog
  private readonly replay: LogReplay
  private readonly context: FileWriteContext
  private materializing = false
  private flushing: Promise<void> | undefined
  /** Flushes that begin once the one in progress has ended, by their options. */
  private readonly next = new Map<string, Promise<void>>()
  private failedInARow = 0
  private notBeforeMs = 0
  private staleCheckMs = 0
  /** Why flushing fails, while it does. */
  failure: string | undefined
  readonly stats = { flushes: 0, flushFailures: 0 }

  constructor(context: FileWriteContext, wal: WriteAheadLog, replay: LogReplay) {
    this.layers = context.layers
    this.wal = wal
    this.replay = replay
    this.context = context
  }

  get isBehind(): boolean {
    return this.failure === undefined && isFlushBehind(this.context)
  }

  /** Drains the memtable in the background if enough parts are dirty. Called after every write. */
  materializeIfNeeded(): void {
    const { dirtyBytes, incomplete, drainableRows } = this.layers.active
    const areMany =
      dirtyBytes - incomplete.bytes > storageLimits.dirtyBytesMax || drainableRows > storageLimits.dirtyRowsMax
    if (areMany) this.scheduleMaterialize()
  }

  /** Drains the memtable in the background, and starts a flush if it has become too large. */
  scheduleMaterialize(): void {
    if (this.materializing) return
    this.materializing = true
    this.drainBacklog()
      .finally(() => {
        this.materializing = false
      })
      .then(() => {
        const { bytes, rows } = this.layers.active
        return bytes > this.context.memtableBytesMax || rows > storageLimits.memtableRowsMax
          ? this.flushIfDue()
          : undefined
      })
      .catch((err: unknown) =>
        this.context.log.error({ err }, 'cannot move rows to disk; they stay in the WAL and in memory'),
      )
  }

  /** Takes the lock for each step, so that readers get their turn. */
  private async drainBacklog(): Promise<void> {
    const { drainedRowsMax, drainedBytesMax } = storageLimits
    for (let isMuch = true; isMuch; ) {
      const moved = await this.withLayers(() => this.layers.materialize('incomplete stay'))
      const { dirtyBytes, incomplete, drainableRows } = this.layers.active
      isMuch = moved > 0 && (drainableRows > drainedRowsMax || dirtyBytes - incomplete.bytes > drainedBytesMax)
    }
  }

  /** Flushes if the memtable is large, old or idle. Called by a timer. */
  async flushIfDue(): Promise<void> {
    this.replay.start()
    if (this.flushing || this.replay.isRunning || this.context.commits.refusal !== undefined) return
    const { firstWriteMs, lastWriteMs, bytes, dirtyBytes, rows, masked } = this.layers.active
    const nowMs = this.context.clock.nowMs()
    if (this.failure !== undefined && nowMs < this.notBeforeMs) return
    if (this.hasStaleRows(nowMs)) {
      await this.flush({ retainIncomplete: true, isForced: true, mayWait: true })
      return
    }
    const isLarge = bytes + dirtyBytes > this.context.memtableBytesMax || rows > storageLimits.memtableRowsMax
    const isIdle = nowMs - lastWriteMs > storageLimits.flushIdleMs
    const isOld = firstWriteMs !== undefined && nowMs - firstWriteMs > storageLimits.flushAgeMs
    const { isLong } = this.wal
    if (
      this.layers.sealed !== undefined ||
      this.failure !== undefined ||
      isLarge ||
      isLong ||
      ((isIdle || isOld) && rows + masked.size > 0 && firstWriteMs !== undefined)
    ) {
      // A long log becomes shorter also if all of its rows stay in memory: they begin the next one.
      await this.flush({ retainIncomplete: true, isForced: isLong, mayWait: true })
    }
  }

  /**
   * Whether rows that wait for their other half, and changes, have been in the WAL for too long.
   * Without writes nothing else ends its segment.
   */
  private hasStaleRows(nowMs: number): boolean {
    const { tombstones, orphans, dirty, replaced, firstWriteMs } = this.layers.active
    if (firstWriteMs !== undefined || nowMs < this.staleCheckMs) return false
    this.staleCheckMs = nowMs + storageLimits.staleRowsCheckMs
    const { table } = this.layers
    const oldestMs = nowMs - storageLimits.retainedAgeMs
    for (const rows of [tombstones, orphans, dirty])
      for (const row of rows.values()) if (touchedMs(table, row) <= oldestMs) return true
    return replaced.values().some(({ sinceMs }) => sinceMs <= oldestMs)
  }

  /**
   * Flushes the memtable, once it holds all rows of the WAL segments before it. Flushes do not
   * overlap: callers who come during one share another, which begins afterwards.
   */
  async flush(options: AnyOptions): Promise<void> {
    await this.replay.done()
    if (this.flushing === undefined) await this.flushNow(options)
    else await this.flushNext(options)
  }

  private flushNext(options: AnyOptions): Promise<void> {
    const key = JSON.stringify(options)
    const flushAfterOthers = async () => {
      try {
        while (this.flushing) await this.flushing
      } finally {
        this.next.delete(key)
      }
      await this.flushNow(options)
    }
    const next = this.next.get(key) ?? flushAfterOthers()
    this.next.set(key, next)
    return next
  }

  private async flushNow(options: AnyOptions): Promise<void> {
    const { refusal } = this.context.commits
    if (refusal !== undefined) throw new DomainError('StoreUnavailable', refusal)
    this.flushing = this.sealAndFlush(options)
    try {
      await this.flushing
      this.failure = undefined
      this.failedInARow = 0
    } catch (cause) {
      const why = describeDiskFault(cause)
      this.failure = `cannot flush rows to disk${why === undefined ? '' : `: ${why}`}`
      this.stats.flushFailures++
      const pauseMs = Math.min(storageLimits.flushCheckMs * 2 ** this.failedInARow++, storageLimits.flushRetryMsMax)
      this.notBeforeMs = this.context.clock.nowMs() + pauseMs
      throw cause
    } finally {
      this.flushing = undefined
    }
  }

  /** Waits for flushes that are underway, or wait for those. */
  async ended(): Promise<void> {
    while (this.flushing !== undefined || this.next.size > 0)
      await Promise.allSettled([this.flushing, ...this.next.values()])
  }

  /** Flushes everything except rows that cannot be shown, and changes that may wait. */
  async flushAll({ mayWait = false }: Pick<FlushOptions, 'mayWait'> = {}): Promise<void> {
    await this.flushCurrent({ retainIncomplete: false, mayWait })
  }

  /** The same as `flush` for all that is in memory now, also if an earlier flush has failed. */
  async flushCurrent(options: AnyOptions): Promise<void> {
    if (this.hasFailed) await this.flush(options)
    await this.flush(options)
  }

  /**
   * Flushes everything except rows that cannot be shown, of which those of one project are dropped.
   * Then no segment of the WAL has any rows of it, unless more are written meanwhile.
   */
  async flushWithout(projectId: string): Promise<void> {
    // So that only changes of other projects wait.
    await this.flushCurrent({ retainIncomplete: false, dropped: projectId, isForced: true, mayWait: true })
  }

  /** Whether a flush has left a sealed memtable, which goes first. */
  private get hasFailed(): boolean {
    return this.layers.sealed !== undefined && this.flushing === undefined
  }

  private async sealAndFlush(options: AnyOptions): Promise<void> {
    const { layers } = this
    if (layers.sealed === undefined) {
      await this.drainAhead()
      if (options.mayWait) await lookUpChanges(layers)
      const seal = () => this.wal.exclusively(() => this.seal(options))
      await layers.sealing.run(() => retryIfReplaced(seal, this.context.commits))
    }
    const { sealed } = layers
    if (sealed === undefined) return
    const { memtable, walSegment, waiting } = sealed
    const write = () => flushMemtable(this.context, sealed, this.wal.application)
    // A compaction may replace files that are being rewritten.
    const flushed = await this.context.flushLock.run(() => layers.files.hold(write))
    await this.wal.removeThrough(walSegment)
    await layers.removeUnneeded()
    this.stats.flushes++
    this.context.log.info(
      {
        rows: memtable.keys.size,
        hidden: memtable.masked.size,
        waiting: waiting.size,
        rewritten: flushed.removed.length,
        files: flushed.dataFiles.length,
      },
      'flushed',
    )
  }

  /** Drains most of the memtable while writers continue and readers get their turn. */
  private async drainAhead(): Promise<void> {
    for (let times = 0; times < aheadMax && this.layers.active.drainableRows > aheadRows; times++)
      await this.withLayers(() => this.layers.materialize('incomplete stay'))
  }

  /** Runs a task under the layers lock, and retries it if another engine replaced files it read. */
  private withLayers<T>(task: () => Promise<T>): Promise<T> {
    const { layersLock, commits } = this.context
    return retryIfReplaced(() => layersLock.run(task), commits)
  }

  /**
   * Only inside of `exclusively`. The layers lock is not held while rows are logged, which may take
   * long: readers of all tables need it.
   */
  private async seal(options: AnyOptions): Promise<void> {
    const { layers, wal } = this
    const { layersLock, memtableBytesMax, clock } = this.context
    const { retainedShareMax, retainedBytesMax, waitingShareMax, waitingBytesMax } = storageLimits
    // Otherwise the next memtable could be due to be flushed from the beginning.
    const keptBytesMax = {
      retained: Math.min(retainedBytesMax, retainedShareMax * memtableBytesMax),
      waiting: Math.min(waitingBytesMax, waitingShareMax * memtableBytesMax),
    }
    const prepared = await layersLock.run(() => layers.prepareSeal({ ...options, keptBytesMax, nowMs: clock.nowMs() }))
    if (prepared === undefined) return
    const walSegment = await wal.rotate(prepared.logged)
    await layersLock.run(() => layers.seal(prepared, walSegment))
  }
}
