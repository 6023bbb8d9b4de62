import { DomainError, describeDiskFault, errorTypeOfFault, findDiskFault } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Row } from '../../lib/table.ts'
import { AppendFile } from '../../runtime/platform/files/append-file.ts'
import { syncFolder, writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { codeOf, removeFile } from '../../runtime/platform/files/files.ts'
import type { TableLayout } from '../layout.ts'
import { type DirtyRow, dirtyBytes } from '../memtable/memtable.ts'
import type { BatchCodec, EncodedRows } from './batch-codec.ts'

interface Append {
  readonly kind: 'append'
  /** All rows, in log order. */
  readonly rows: readonly DirtyRow[]
  readonly bytes: number
  /** The first of them, which are to be encoded. */
  readonly plain: readonly Row[]
  /** The others as a message of the log. */
  readonly message: Uint8Array | undefined
  readonly done: () => void
  readonly failed: (cause: unknown) => void
}
interface Exclusive {
  readonly kind: 'exclusive'
  readonly task: () => Promise<void>
  readonly done: () => void
  readonly failed: (cause: unknown) => void
}

const nothing = (): void => {}

/** Rows that are logged as part of something else. */
const appendOf = (rows: readonly Row[]): Append => ({
  kind: 'append',
  rows,
  plain: rows,
  message: undefined,
  bytes: 0,
  done: nothing,
  failed: nothing,
})

/**
 * The write-ahead log of one table. Rows that arrive during a sync share the next one (group
 * commit). A write is acknowledged once its rows are durable and `apply` has put them into the
 * memtable. Everything happens in log order.
 */
export class WriteAheadLog {
  private readonly layout: TableLayout
  private readonly codec: BatchCodec
  private readonly apply: (rows: readonly DirtyRow[], bytes: number) => void
  private readonly assertHeld: () => Promise<void>
  private queue: (Append | Exclusive)[] = []
  private queuedBytes = 0
  private running: Promise<void> | undefined
  private file: AppendFile | undefined
  private number: number
  /**
   * A segment that could not be completed. It is removed, durably, before anything else is logged:
   * its rows may be outdated by then.
   */
  private unfinished: string | undefined
  /** Written since startup: rows, their bytes in memory, and syncs for them. */
  readonly stats = { rows: 0, bytes: 0, syncs: 0 }
  /** Why the log cannot be written, while it cannot. */
  failure: string | undefined

  constructor(options: {
    layout: TableLayout
    codec: BatchCodec
    /** Number of the first segment to write. */
    firstSegment: number
    apply: (rows: readonly DirtyRow[], bytes: number) => void
    /**
     * Throws if the folder lock is lost. Called once rows are on disk, before they are
     * acknowledged.
     */
    assertHeld: () => Promise<void>
  }) {
    this.layout = options.layout
    this.codec = options.codec
    this.apply = options.apply
    this.assertHeld = options.assertHeld
    this.number = options.firstSegment
  }

  /** Number of the current segment. */
  get segment(): number {
    return this.number
  }

  /** @throws DomainError Overloaded, StoreUnavailable, InsufficientStorage */
  append(rows: readonly Row[]): Promise<void> {
    return this.add(rows, rows, undefined)
  }

  /** The same for rows that are encoded (see `BatchCodec`), and for rows before them. */
  appendEncoded({ rows, message }: EncodedRows, before: readonly Row[]): Promise<void> {
    return this.add(before.length === 0 ? rows : [...before, ...rows], before, message)
  }

  private async add(rows: readonly DirtyRow[], plain: readonly Row[], message: Uint8Array | undefined): Promise<void> {
    if (rows.length === 0) return
    let bytes = 0
    for (const row of rows) bytes += dirtyBytes(row)
    if (this.queuedBytes + bytes > storageLimits.walQueueBytesMax && this.queuedBytes > 0) {
      throw new DomainError('Overloaded', 'Too many writes are pending; try again later')
    }
    this.queuedBytes += bytes
    await this.enqueue((done, failed) => ({ kind: 'append', rows, plain, message, bytes, done, failed }))
  }

  /** Runs `task` between two group commits: nothing is logged or applied meanwhile. */
  async exclusively(task: () => Promise<void>): Promise<void> {
    await this.enqueue((done, failed) => ({ kind: 'exclusive', task, done, failed }))
  }

  /**
   * Begins the next segment with `rows`, durably. Only inside `exclusively`.
   *
   * @returns the number of the segment that ended
   */
  async rotate(rows: readonly Row[]): Promise<number> {
    const ended = this.number
    const next = await this.begin(ended + 1, rows.length === 0 ? [] : [appendOf(rows)])
    // From here on the new segment is the log, whatever happens to the last bytes of the old one:
    // readers find its end without them.
    const old = this.file
    this.file = next
    this.number = ended + 1
    await old?.appendDurably([this.codec.trailer]).catch(() => old.truncateTornTail().catch(() => {}))
    await old?.close().catch(() => {})
    return ended
  }

  /**
   * Checks whether the disk accepts writes again after a failure: clients may not retry before
   * /health recovers. Called by a timer.
   */
  async probe(): Promise<void> {
    if (this.failure === undefined || this.running !== undefined) return
    await this.exclusively(async () => {
      await this.removeUnfinished()
      await this.file?.truncateTornTail()
      const file = this.layout.walProbe
      try {
        await writeFileDurably(file, new Uint8Array(storageLimits.walProbeBytes))
      } finally {
        await removeFile(file)
      }
      this.failure = undefined
    })
  }

  /** Waits for queued writes and closes the current segment. */
  async close(): Promise<void> {
    await this.running
    await this.file?.close()
    this.file = undefined
  }

  private enqueue(make: (done: () => void, failed: (cause: unknown) => void) => Append | Exclusive): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.queue.push(make(resolve, reject))
      this.running ??= this.drain()
    })
  }

  private async drain(): Promise<void> {
    // Let requests that arrive in the same turn of the event loop share the sync.
    await Promise.resolve()
    for (let [first] = this.queue; first !== undefined; [first] = this.queue) {
      if (first.kind === 'exclusive') {
        this.queue.shift()
        await first.task().then(first.done, first.failed)
        continue
      }
      await this.commit(this.takeGroup())
    }
    this.running = undefined
  }

  private takeGroup(): Append[] {
    let bytes = 0
    const group: Append[] = []
    for (const item of this.queue) {
      if (item.kind === 'exclusive' || (group.length > 0 && bytes + item.bytes > storageLimits.walGroupBytesMax)) break
      bytes += item.bytes
      group.push(item)
    }
    this.queue.splice(0, group.length)
    return group
  }

  private async commit(group: readonly Append[]): Promise<void> {
    try {
      await this.write(group)
      this.failure = undefined
      for (const { rows } of group) this.stats.rows += rows.length
      this.stats.syncs++
      for (const item of group) {
        this.stats.bytes += item.bytes
        this.apply(item.rows, item.bytes)
        item.done()
      }
    } catch (cause) {
      // These errors explain themselves.
      const why = cause instanceof DomainError ? cause.message : describeDiskFault(cause)
      this.failure = why === undefined ? 'the write-ahead log cannot be written' : `${why}; writes are refused`
      const message = `Cannot write to the store${why === undefined ? '' : `: ${why}`}; nothing was stored`
      const error = new DomainError(errorTypeOfFault(findDiskFault(cause)), message, { cause })
      for (const item of group) item.failed(error)
    } finally {
      for (const item of group) this.queuedBytes -= item.bytes
    }
  }

  private async write(group: readonly Append[]): Promise<void> {
    if (this.file === undefined) {
      this.file = await this.begin(this.number, group)
      return
    }
    await this.removeUnfinished()
    try {
      await this.file.appendDurably(await this.messagesOf(group), this.assertHeld)
    } catch (cause) {
      // If that fails too, the next append retries it.
      await this.file.truncateTornTail().catch(() => {})
      throw cause
    }
  }

  /** The rows of a group as messages, in log order. */
  private async messagesOf(group: readonly Append[]): Promise<Uint8Array[]> {
    const messages: Uint8Array[] = []
    let rows: Row[] = []
    const encode = async () => {
      if (rows.length === 0) return
      const message = await this.codec.encodeYielding(rows)
      // The next one would overwrite it.
      messages.push(group.length === 1 ? message : message.slice())
      rows = []
    }
    for (const item of group) {
      for (const row of item.plain) rows.push(row)
      if (item.message === undefined) continue
      await encode()
      messages.push(item.message)
    }
    await encode()
    return messages
  }

  private async begin(number: number, group: readonly Append[]): Promise<AppendFile> {
    await this.removeUnfinished()
    const path = this.layout.walSegment(number)
    this.unfinished = path
    let file: AppendFile | undefined
    try {
      file = await AppendFile.create(path)
      await file.appendDurably([this.codec.header, ...(await this.messagesOf(group))], this.assertHeld)
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
