import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { describeDiskFault } from '../../platform/disk-fault.ts'
import { removeLogFiles } from '../wal/recover-log.ts'
import type { WriteAheadLog } from '../wal/write-ahead-log.ts'
import type { FileWriteContext } from './file-write-context.ts'
import { retryIfReplaced } from './files-replaced.ts'
import { flushMemtable } from './flush.ts'
import type { TableLayers } from './table-layers.ts'

/** How often, and down to how many rows, those that came meanwhile are moved before writers are held up. */
const aheadMax = 6
const aheadRows = 500

/** Moves the rows of one table onward: parts in memory into DuckDB's tables, and these into files. */
export class FlushScheduler {
  private readonly layers: TableLayers
  private readonly wal: WriteAheadLog
  private readonly context: FileWriteContext
  private materializing = false
  private flushing: Promise<void> | undefined
  private failedInARow = 0
  private notBeforeMs = 0
  /** Why rows cannot move to disk, while they cannot. */
  failure: string | undefined
  readonly stats = { flushes: 0, flushFailures: 0 }

  constructor(context: FileWriteContext, wal: WriteAheadLog) {
    this.layers = context.layers
    this.wal = wal
    this.context = context
  }

  /** Moves parts into DuckDB in the background where many have come. Called after every write. */
  materializeIfNeeded(): void {
    const { dirtyBytes, incomplete, drainableRows } = this.layers.active
    const areMany = dirtyBytes - incomplete.bytes > limits.dirtyBytesMax || drainableRows > limits.dirtyRowsMax
    if (areMany) this.scheduleMaterialize()
  }

  /** Moves parts into DuckDB in the background, and starts a flush where that makes the hot part too large. */
  scheduleMaterialize(): void {
    if (this.materializing) return
    this.materializing = true
    this.drainBacklog()
      .finally(() => {
        this.materializing = false
      })
      .then(() => {
        const { bytes, rows } = this.layers.active
        return bytes > limits.memtableBytesMax || rows > limits.memtableRowsMax ? this.flushIfDue() : undefined
      })
      .catch((err: unknown) =>
        this.context.log.error({ err }, 'rows could not be moved; they stay in the log and in memory'),
      )
  }

  /** Readers have their turn between two steps. */
  private async drainBacklog(): Promise<void> {
    const { drainedRowsMax, drainedBytesMax } = limits
    for (let isMuch = true; isMuch; ) {
      const moved = await this.withLayers(() => this.layers.materialize('incomplete stay'))
      const { dirtyBytes, incomplete, drainableRows } = this.layers.active
      isMuch = moved > 0 && (drainableRows > drainedRowsMax || dirtyBytes - incomplete.bytes > drainedBytesMax)
    }
  }

  /** Flushes if the hot part is large, old or left alone. Called by a timer. */
  async flushIfDue(): Promise<void> {
    if (this.flushing || this.context.commits.refusal !== undefined) return
    const { firstWriteMs, lastWriteMs, bytes, dirtyBytes, rows, masked } = this.layers.active
    const nowMs = this.context.clock.nowMs()
    if (this.failure !== undefined && nowMs < this.notBeforeMs) return
    const isLarge = bytes + dirtyBytes > limits.memtableBytesMax || rows > limits.memtableRowsMax
    const isIdle = nowMs - lastWriteMs > limits.flushIdleMs
    const isOld = firstWriteMs !== undefined && nowMs - firstWriteMs > limits.flushAgeMs
    if (
      this.layers.sealed !== undefined ||
      this.failure !== undefined ||
      isLarge ||
      ((isIdle || isOld) && rows + masked.size > 0 && firstWriteMs !== undefined)
    ) {
      await this.flush({ retainIncomplete: true })
    }
  }

  /** Writes the hot part to disk. Flushes do not overlap; a second caller waits for the first. */
  async flush(options: { retainIncomplete: boolean }): Promise<void> {
    while (this.flushing) await this.flushing
    const { refusal } = this.context.commits
    if (refusal !== undefined) throw new DomainError('StoreUnavailable', refusal)
    this.flushing = this.sealAndFlush(options)
    try {
      await this.flushing
      this.failure = undefined
      this.failedInARow = 0
    } catch (cause) {
      const why = describeDiskFault(cause)
      this.failure = `rows cannot be moved to disk${why === undefined ? '' : `: ${why}`}`
      this.stats.flushFailures++
      const pauseMs = Math.min(limits.flushCheckMs * 2 ** this.failedInARow++, limits.flushRetryMsMax)
      this.notBeforeMs = this.context.clock.nowMs() + pauseMs
      throw cause
    } finally {
      this.flushing = undefined
    }
  }

  /** Writes everything to disk but what cannot be shown. */
  async flushAll(): Promise<void> {
    // A flush that failed before left a sealed generation, which goes first.
    if (this.layers.sealed) await this.flush({ retainIncomplete: false })
    await this.flush({ retainIncomplete: false })
  }

  private async sealAndFlush({ retainIncomplete }: { retainIncomplete: boolean }): Promise<void> {
    const { layers } = this
    if (layers.sealed === undefined) {
      await this.drainAhead()
      await this.withLayers(() => this.wal.exclusively(() => this.seal(retainIncomplete)))
    }
    const { sealed } = layers
    if (sealed === undefined) return
    const { memtable, walSegment } = sealed
    const { table, layout } = layers
    const flushed = await this.context.flushLock.run(async () => {
      return await flushMemtable(this.context.commits, {
        table,
        layout,
        writer: this.context.flusher,
        keyIndex: layers.keyIndex,
        memtable,
        walSegment,
        isDamaged: (dataFile) => layers.damaged.check(dataFile, this.context.log),
        nowMs: this.context.clock.nowMs(),
        publish: (change) => this.context.layersLock.run(async () => layers.replaceSealed(sealed, change)),
      })
    })
    await removeLogFiles(layout, walSegment)
    await layers.deferredDeletes.sweep()
    this.stats.flushes++
    this.context.log.info(
      {
        rows: memtable.keys.size,
        hidden: memtable.masked.size,
        rewritten: flushed.removed.length,
        files: flushed.dataFiles.length,
      },
      'flushed',
    )
  }

  /** Most of what has to move does so while writers go on, and readers have their turn between two steps. */
  private async drainAhead(): Promise<void> {
    for (let times = 0; times < aheadMax && this.layers.active.drainableRows > aheadRows; times++)
      await this.withLayers(() => this.layers.materialize('incomplete stay'))
  }

  /** Under the lock on layers, and again where another program has replaced files that the task read. */
  private withLayers<T>(task: () => Promise<T>): Promise<T> {
    const { layersLock, commits } = this.context
    return retryIfReplaced(
      () => layersLock.run(task),
      () => commits.follow(),
    )
  }

  private seal(retainIncomplete: boolean): Promise<void> {
    return this.layers.seal({
      nowMs: this.context.clock.nowMs(),
      retainIncomplete,
      endLogSegment: (retained) => this.wal.rotate(retained),
    })
  }
}
