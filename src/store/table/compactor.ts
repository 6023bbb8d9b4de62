import type { Writer } from '../../duck/writer.ts'
import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DeltaLog } from '../delta/delta-log.ts'
import type { Mutex } from '../mutex.ts'
import type { Segment } from '../segment/segment.ts'
import { chooseAnyFiles, chooseFiles } from './choose-files.ts'
import { compactFiles } from './compact.ts'
import type { TableLayers } from './table-layers.ts'

/** Bounds the number of files of one table: puts small ones together where many have piled up, and so the commits of its Delta log. */
export class Compactor {
  private readonly layers: TableLayers
  private readonly deltaLog: DeltaLog
  private readonly flusher: Writer
  private readonly layersLock: Mutex
  private readonly flushLock: Mutex
  private readonly clock: Clock
  private readonly log: Log
  private running: Promise<void> | undefined
  private isClosed = false
  private notBeforeMs = 0
  readonly figures = { compactions: 0, compactionFailures: 0 }

  constructor(options: {
    layers: TableLayers
    deltaLog: DeltaLog
    /** Writes files while everything else goes on; used only under `flushLock`. */
    flusher: Writer
    layersLock: Mutex
    flushLock: Mutex
    clock: Clock
    log: Log
  }) {
    this.layers = options.layers
    this.deltaLog = options.deltaLog
    this.flusher = options.flusher
    this.layersLock = options.layersLock
    this.flushLock = options.flushLock
    this.clock = options.clock
    this.log = options.log
  }

  /** One step, where one is due. Called by a timer, so further steps follow; after a failure it waits a while. */
  async compactIfDue(): Promise<void> {
    if (this.running !== undefined || this.clock.nowMs() < this.notBeforeMs) return
    await this.run(chooseFiles)
  }

  /** Puts all files together that are not full. */
  async compactAll(): Promise<void> {
    while (this.running !== undefined) await this.running
    while (await this.run(chooseAnyFiles));
  }

  /** Waits for the step under way; no other begins. */
  async close(): Promise<void> {
    this.isClosed = true
    // Whoever began it hears of its failure.
    await this.running?.catch(() => {})
  }

  /** @returns whether there was something to do */
  private async run(choose: typeof chooseFiles): Promise<boolean> {
    const { table, files } = this.layers
    const isDue = choose(table, files.segments) !== undefined || this.deltaLog.isCheckpointDue
    if (this.isClosed || !isDue) return false
    this.running = this.flushLock.run(() => this.step(choose))
    try {
      await this.running
    } catch (cause) {
      this.notBeforeMs = this.clock.nowMs() + limits.compactionRetryMs
      this.figures.compactionFailures++
      throw cause
    } finally {
      this.running = undefined
    }
    return true
  }

  /** Under the lock on flushes, without which files change. */
  private async step(choose: typeof chooseFiles): Promise<void> {
    if (this.isClosed) return
    const chosen = choose(this.layers.table, this.layers.files.segments)
    if (chosen !== undefined) await this.compact(chosen)
    if (this.deltaLog.isCheckpointDue) await this.deltaLog.checkpoint(this.flusher)
  }

  private async compact(chosen: readonly Segment[]): Promise<void> {
    const { layers, deltaLog, flusher: writer } = this
    const { table, layout } = layers
    const { segments } = layers.files
    const nowMs = this.clock.nowMs()
    const change = await compactFiles({ writer, table, layout, deltaLog, segments, chosen, nowMs })
    await this.layersLock.run(async () => layers.files.replace(change))
    await layers.retired.sweep()
    this.figures.compactions++
    this.log.info({ merged: chosen.length, files: change.segments.length }, 'put small files together')
  }
}
