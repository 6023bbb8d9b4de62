import { limits } from '../../limits.ts'
import type { Segment } from '../data-files/segment.ts'
import { rebuildFilter } from '../data-files/write-segment.ts'
import type { FileWriting } from './file-writing.ts'

/**
 * Keeps the key index of one table whole, in the background: makes key files that are missing (of files that other programs or earlier versions wrote) or
 * damaged, and puts files together into groups.
 */
export class IndexUpkeep {
  private readonly writing: FileWriting
  private running: Promise<void> | undefined
  private isClosed = false
  private notBeforeMs = 0

  constructor(writing: FileWriting) {
    this.writing = writing
  }

  /** Does what is due. Called by a timer; after a failure it waits a while. */
  async runIfDue(): Promise<void> {
    if (this.isClosed || this.running !== undefined || this.writing.commits.refusal !== undefined) return
    if (this.writing.clock.nowMs() < this.notBeforeMs) return
    this.running = this.run()
    try {
      await this.running
    } catch (cause) {
      this.notBeforeMs = this.writing.clock.nowMs() + limits.indexRetryMs
      throw cause
    } finally {
      this.running = undefined
    }
  }

  /** Waits for the step under way; no other begins. */
  async close(): Promise<void> {
    this.isClosed = true
    // Whoever began it hears of its failure.
    await this.running?.catch(() => {})
  }

  private async run(): Promise<void> {
    const { files, intact, keyIndex } = this.writing.layers
    for (const segment of await keyIndex.withoutKeyFile(intact)) {
      if (this.isClosed) return
      await this.writing.flushLock.run(() => this.renew(segment))
    }
    while (!this.isClosed && (await keyIndex.regroup(files.segments)));
  }

  /** Under the lock on flushes, without which only other programs let files come and go. */
  private async renew(segment: Segment): Promise<void> {
    const { layers, flusher, log } = this.writing
    const { table, layout, files, keyIndex } = layers
    if (!files.segments.includes(segment)) return
    await rebuildFilter(flusher, table, layout, segment)
    keyIndex.renewed(segment)
    log.info({ file: segment.fileName }, 'made the key file of a data file')
  }
}
