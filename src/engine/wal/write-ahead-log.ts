import { DomainError, describeDiskFault, errorTypeOfFault, findDiskFault } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Row } from '../../lib/table.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import { inSameScope } from '../../runtime/platform/without-waiting.ts'
import { type DirtyRow, dirtyBytes } from '../memtable/memtable.ts'
import type { BatchCodec, EncodedRows } from './batch-codec.ts'
import type { LogStorage } from './log-storage.ts'

interface Append {
  readonly kind: 'append'
  /** All rows, in log order. */
  readonly rows: readonly DirtyRow[]
  readonly bytes: number
  /** The first of them, which are to be encoded. */
  readonly plain: readonly Row[]
  /** The others as a message of the log. */
  readonly message: Uint8Array | undefined
}

interface Exclusive {
  readonly kind: 'exclusive'
  readonly task: () => Promise<void>
}

/** Who waits for it. */
type Queued<Item> = Item & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>

/**
 * The write-ahead log of one table. Rows that arrive during a sync share the next one (group
 * commit). A write is acknowledged once its rows are durable and `apply` has put them into the
 * memtable. Everything happens in log order.
 */
export class WriteAheadLog {
  private readonly storage: LogStorage
  private readonly codec: BatchCodec
  private readonly apply: (rows: readonly DirtyRow[], bytes: number) => void
  private queue: Queued<Append | Exclusive>[] = []
  private queuedBytes = 0
  private running: Promise<void> | undefined
  /** Written since startup: rows, their bytes in memory, and syncs for them. */
  readonly stats = { rows: 0, bytes: 0, syncs: 0 }
  private refused: string | undefined
  isClosed = false

  constructor(storage: LogStorage, codec: BatchCodec, apply: WriteAheadLog['apply']) {
    this.storage = storage
    this.codec = codec
    this.apply = apply
  }

  /** Application id under which the Delta log records what `rotate` returns. */
  get application(): string {
    return this.storage.application
  }

  /** Why the log cannot be written, while it cannot. */
  get failure(): string | undefined {
    return this.refused ?? this.storage.failure
  }

  /** Whether a flush should make it shorter. */
  get isLong(): boolean {
    return this.storage.isLong
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
    if ((this.queuedBytes + bytes > storageLimits.walQueueBytesMax && this.queuedBytes > 0) || this.storage.isFull) {
      throw new DomainError('Overloaded', 'Too many writes are pending; try again later')
    }
    this.queuedBytes += bytes
    await this.enqueue({ kind: 'append', rows, plain, message, bytes })
  }

  /** Runs `task` between two group commits: nothing is logged or applied meanwhile. */
  async exclusively(task: () => Promise<void>): Promise<void> {
    await this.enqueue({ kind: 'exclusive', task: inSameScope(task) })
  }

  /**
   * Begins the next part of the log with `rows`, durably. Only inside `exclusively`.
   *
   * @returns the number of the part that ended
   */
  async rotate(rows: readonly Row[]): Promise<number> {
    return await this.storage.rotate(rows.length === 0 ? [] : [await this.codec.encodeYielding(rows)])
  }

  /** Removes what a flush has stored: the parts up to and including `through`. */
  removeThrough(through: number): Promise<void> {
    return this.storage.removeThrough(through)
  }

  /**
   * Checks whether the disk accepts writes again after a failure: clients may not retry before
   * /health recovers. Called by a timer.
   */
  async probe(): Promise<void> {
    if (this.refused === undefined || this.running !== undefined) return
    await this.exclusively(async () => {
      await this.storage.probe()
      this.refused = undefined
    })
  }

  /** Waits for queued writes and closes the log. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.running
    await this.storage.close()
  }

  private enqueue(item: Append | Exclusive): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.queue.push({ ...item, resolve, reject })
    this.running ??= this.drain()
    return promise
  }

  private async drain(): Promise<void> {
    // Let requests that arrive in the same turn of the event loop share the sync.
    await Promise.resolve()
    for (let [first] = this.queue; first !== undefined; [first] = this.queue) {
      if (first.kind === 'exclusive') {
        this.queue.shift()
        await first.task().then(first.resolve, first.reject)
        continue
      }
      const { gatheringMs } = this.storage
      if (gatheringMs > 0 && this.queuedBytes < storageLimits.walGroupBytesMax) await delay(gatheringMs)
      await this.commit(this.takeGroup())
    }
    this.running = undefined
  }

  private takeGroup(): Queued<Append>[] {
    let bytes = 0
    const group: Queued<Append>[] = []
    for (const item of this.queue) {
      if (item.kind === 'exclusive' || (group.length > 0 && bytes + item.bytes > storageLimits.walGroupBytesMax)) break
      bytes += item.bytes
      group.push(item)
    }
    this.queue.splice(0, group.length)
    return group
  }

  private async commit(group: readonly Queued<Append>[]): Promise<void> {
    try {
      await this.storage.append(await this.messagesOf(group))
      this.refused = undefined
      for (const { rows } of group) this.stats.rows += rows.length
      this.stats.syncs++
      for (const item of group) {
        this.stats.bytes += item.bytes
        this.apply(item.rows, item.bytes)
        item.resolve()
      }
    } catch (cause) {
      // These errors explain themselves.
      const why = cause instanceof DomainError ? cause.message : describeDiskFault(cause)
      this.refused = why === undefined ? 'the write-ahead log cannot be written' : `${why}; writes are refused`
      const message = `Cannot write to the store${why === undefined ? '' : `: ${why}`}; nothing was stored`
      const error = new DomainError(errorTypeOfFault(findDiskFault(cause)), message, { cause })
      for (const item of group) item.reject(error)
    } finally {
      for (const item of group) this.queuedBytes -= item.bytes
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
}
