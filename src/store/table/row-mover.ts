import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { diskFaultWords } from '../../platform/disk-fault.ts'
import { removeLogFiles } from '../wal/recover-log.ts'
import type { WriteAheadLog } from '../wal/write-ahead-log.ts'
import type { FileWriting } from './file-writing.ts'
import { redoneWhereReplaced } from './files-replaced.ts'
import { flushGeneration } from './flush.ts'
import type { TableLayers } from './table-layers.ts'

/** How often, and down to how many rows, those that came meanwhile are moved before writers are held up. */
const aheadMax = 6
const aheadRows = 500

/** Moves the rows of one table onward: parts in memory into DuckDB's tables, and these into files. */
export class RowMover {
  private readonly layers: TableLayers
  private readonly wal: WriteAheadLog
  private readonly writing: FileWriting
  private materializing = false
  private flushing: Promise<void> | undefined
  private failedInARow = 0
  private notBeforeMs = 0
  /** Why rows cannot move to disk, while they cannot. */
  failure: string | undefined
  readonly figures = { flushes: 0, flushFailures: 0 }

  constructor(writing: FileWriting, wal: WriteAheadLog) {
    this.layers = writing.layers
    this.wal = wal
    this.writing = writing
  }

  /** Moves parts into DuckDB in the background where many have come. Called after every write. */
  materializeIfMany(): void {
    const { dirtyBytes, unfinished, movableRows } = this.layers.active
    const areMany = dirtyBytes - unfinished.bytes > limits.dirtyBytesMax || movableRows > limits.dirtyRowsMax
    if (areMany) this.materializeSoon()
  }

  /** Moves parts into DuckDB in the background, and starts a flush where that makes the hot part too large. */
  materializeSoon(): void {
    if (this.materializing) return
    this.materializing = true
    this.moveMany()
      .finally(() => {
        this.materializing = false
      })
      .then(() => {
        const { bytes, rows } = this.layers.active
        return bytes > limits.hotBytesMax || rows > limits.hotRowsMax ? this.flushIfDue() : undefined
      })
      .catch((err: unknown) =>
        this.writing.log.error({ err }, 'rows could not be moved; they stay in the log and in memory'),
      )
  }

  /** Readers have their turn between two steps. */
  private async moveMany(): Promise<void> {
    const { movedRowsMax, movedBytesMax } = limits
    for (let isMuch = true; isMuch; ) {
      const moved = await this.withLayers(() => this.layers.materialize('unfinished stay'))
      const { dirtyBytes, unfinished, movableRows } = this.layers.active
      isMuch = moved > 0 && (movableRows > movedRowsMax || dirtyBytes - unfinished.bytes > movedBytesMax)
    }
  }

  /** Flushes if the hot part is large, old or left alone. Called by a timer. */
  async flushIfDue(): Promise<void> {
    if (this.flushing || this.writing.commits.refusal !== undefined) return
    const { firstAtMs, lastAtMs, bytes, dirtyBytes, rows, masked } = this.layers.active
    const nowMs = this.writing.clock.nowMs()
    if (this.failure !== undefined && nowMs < this.notBeforeMs) return
    const isLarge = bytes + dirtyBytes > limits.hotBytesMax || rows > limits.hotRowsMax
    const isIdle = nowMs - lastAtMs > limits.flushIdleMs
    const isOld = firstAtMs !== undefined && nowMs - firstAtMs > limits.flushAgeMs
    if (
      this.layers.sealed !== undefined ||
      this.failure !== undefined ||
      isLarge ||
      ((isIdle || isOld) && rows + masked.size > 0 && firstAtMs !== undefined)
    ) {
      await this.flush({ keepRunning: true })
    }
  }

  /** Writes the hot part to disk. Flushes do not overlap; a second caller waits for the first. */
  async flush(options: { keepRunning: boolean }): Promise<void> {
    while (this.flushing) await this.flushing
    const { refusal } = this.writing.commits
    if (refusal !== undefined) throw new DomainError('StoreUnavailable', refusal)
    this.flushing = this.sealAndFlush(options)
    try {
      await this.flushing
      this.failure = undefined
      this.failedInARow = 0
    } catch (cause) {
      const why = diskFaultWords(cause)
      this.failure = `rows cannot be moved to disk${why === undefined ? '' : `: ${why}`}`
      this.figures.flushFailures++
      const pauseMs = Math.min(limits.flushCheckMs * 2 ** this.failedInARow++, limits.flushRetryMsMax)
      this.notBeforeMs = this.writing.clock.nowMs() + pauseMs
      throw cause
    } finally {
      this.flushing = undefined
    }
  }

  /** Writes everything to disk but what cannot be shown. */
  async flushAll(): Promise<void> {
    // A flush that failed before left a sealed generation, which goes first.
    if (this.layers.sealed) await this.flush({ keepRunning: false })
    await this.flush({ keepRunning: false })
  }

  private async sealAndFlush({ keepRunning }: { keepRunning: boolean }): Promise<void> {
    const { layers } = this
    if (layers.sealed === undefined) {
      await this.moveAhead()
      await this.withLayers(() => this.wal.exclusively(() => this.seal(keepRunning)))
    }
    const { sealed } = layers
    if (sealed === undefined) return
    const { generation, walSegment } = sealed
    const { table, layout } = layers
    const flushed = await this.writing.flushLock.run(async () => {
      return await flushGeneration(this.writing.commits, {
        table,
        layout,
        writer: this.writing.flusher,
        keyIndex: layers.keyIndex,
        generation,
        walSegment,
        isDamaged: (segment) => layers.damaged.check(segment, this.writing.log),
        nowMs: this.writing.clock.nowMs(),
        publish: (change) => this.writing.layersLock.run(async () => layers.replaceSealed(sealed, change)),
      })
    })
    await removeLogFiles(layout, walSegment)
    await layers.retired.sweep()
    this.figures.flushes++
    this.writing.log.info(
      {
        rows: generation.keys.size,
        hidden: generation.masked.size,
        rewritten: flushed.removed.length,
        files: flushed.segments.length,
      },
      'flushed',
    )
  }

  /** Most of what has to move does so while writers go on, and readers have their turn between two steps. */
  private async moveAhead(): Promise<void> {
    for (let times = 0; times < aheadMax && this.layers.active.movableRows > aheadRows; times++)
      await this.withLayers(() => this.layers.materialize('unfinished stay'))
  }

  /** Under the lock on layers, and again where another program has replaced files that the task read. */
  private withLayers<T>(task: () => Promise<T>): Promise<T> {
    const { layersLock, commits } = this.writing
    return redoneWhereReplaced(
      () => layersLock.run(task),
      () => commits.follow(),
    )
  }

  private seal(keepRunning: boolean): Promise<void> {
    return this.layers.seal({
      nowMs: this.writing.clock.nowMs(),
      keepRunning,
      endLogSegment: (carried) => this.wal.rotate(carried),
    })
  }
}
