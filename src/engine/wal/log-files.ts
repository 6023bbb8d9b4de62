import { storageLimits } from '../../lib/limits/storage.ts'
import { AppendFile } from '../../runtime/platform/files/append-file.ts'
import { syncFolder, writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { codeOf, removeFile } from '../../runtime/platform/files/files.ts'
import type { TableLayout } from '../layout.ts'
import type { BatchCodec } from './batch-codec.ts'
import type { LogStorage } from './log-storage.ts'
import { removeLogFiles } from './recover-log.ts'

/** Application id under which the Delta log records the last flushed WAL segment. */
export const walApplication = 'tracelake/wal'

/** The write-ahead log of a table as files, its segments. */
export class LogFiles implements LogStorage {
  readonly application = walApplication
  readonly isFull = false
  readonly isLong = false
  readonly failure = undefined
  readonly gatheringMs = 0
  private readonly layout: TableLayout
  private readonly codec: BatchCodec
  private readonly assertHeld: () => Promise<void>
  private file: AppendFile | undefined
  private number: number
  /**
   * A segment that could not be completed. It is removed, durably, before anything else is logged:
   * its rows may be outdated by then.
   */
  private unfinished: string | undefined

  constructor(options: {
    layout: TableLayout
    codec: BatchCodec
    /** Number of the first segment to write. */
    firstSegment: number
    /**
     * Throws if the folder lock is lost. Called once rows are on disk, before they are
     * acknowledged.
     */
    assertHeld: () => Promise<void>
  }) {
    this.layout = options.layout
    this.codec = options.codec
    this.assertHeld = options.assertHeld
    this.number = options.firstSegment
  }

  async append(messages: readonly Uint8Array[]): Promise<void> {
    if (this.file === undefined) {
      this.file = await this.begin(this.number, messages)
      return
    }
    await this.removeUnfinished()
    try {
      await this.file.appendDurably(messages, this.assertHeld)
    } catch (cause) {
      // If that fails too, the next append retries it.
      await this.file.truncateTornTail().catch(() => {})
      throw cause
    }
  }

  async rotate(messages: readonly Uint8Array[]): Promise<number> {
    const ended = this.number
    const next = await this.begin(ended + 1, messages)
    // From here on the new segment is the log, whatever happens to the last bytes of the old one:
    // readers find its end without them.
    const old = this.file
    this.file = next
    this.number = ended + 1
    await old?.appendDurably([this.codec.trailer]).catch(() => old.truncateTornTail().catch(() => {}))
    await old?.close().catch(() => {})
    return ended
  }

  removeThrough(through: number): Promise<void> {
    return removeLogFiles(this.layout, through)
  }

  async probe(): Promise<void> {
    await this.removeUnfinished()
    await this.file?.truncateTornTail()
    const file = this.layout.walProbe
    try {
      await writeFileDurably(file, new Uint8Array(storageLimits.walProbeBytes))
    } finally {
      await removeFile(file)
    }
  }

  async close(): Promise<void> {
    await this.file?.close()
    this.file = undefined
  }

  private async begin(number: number, messages: readonly Uint8Array[]): Promise<AppendFile> {
    await this.removeUnfinished()
    const path = this.layout.walSegment(number)
    this.unfinished = path
    let file: AppendFile | undefined
    try {
      file = await AppendFile.create(path)
      await file.appendDurably([this.codec.header, ...messages], this.assertHeld)
    } catch (cause) {
      // Not created by this process.
      if (codeOf(cause) === 'EEXIST') this.unfinished = undefined
      await file?.close().catch(() => {})
      await this.removeUnfinished().catch(() => {})
      throw cause
    }
    this.unfinished = undefined
    return file
  }

  private async removeUnfinished(): Promise<void> {
    if (this.unfinished === undefined) return
    await this.assertHeld()
    await removeFile(this.unfinished)
    await syncFolder(this.layout.wal)
    this.unfinished = undefined
  }
}
