import { forEachConcurrent } from '../../lib/concurrency.ts'
import { logLimits } from '../../lib/limits/objects.ts'
import { type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { findObject, type PutOutcome, putOwn } from '../../runtime/objects/put-own.ts'
import { type RetryPace, retryDelayMs } from '../../runtime/objects/retrying-store.ts'
import { AppendQueue } from './append-queue.ts'
import { BorderMoved, Fenced, type FencedLog, type LogEntry } from './fenced-log.ts'
import {
  DamagedLog,
  decodeLogObject,
  encodeLogObject,
  fenceBytesMax,
  type LogObject,
  logName,
  numberOfName,
} from './log-object.ts'

/** What was read of a log before it is opened. */
export interface PreparedLog {
  readonly border: number
  readonly objects: ReadonlyMap<number, Uint8Array>
}

/** Where the log is, and what it needs besides. */
export interface LogSurroundings {
  readonly store: ObjectStore
  /** Of the objects of the log. */
  readonly folder: string
  /** Reads the replay border from the Delta logs: see `replayBorder`. */
  readBorder(): Promise<number>
  readonly prepared?: PreparedLog | undefined
  readonly pace: RetryPace
  /** Called when appends begin to wait for the store. */
  readonly onFailure?: (cause: unknown) => void
  /** Random; tests have their own. */
  newNonce(): string
}

/** The log of the writer of one epoch, whose fence is in the store. Made by `openLog`. */
export class ObjectLog implements FencedLog {
  readonly epoch: number
  readonly fenced: Promise<Fenced>
  unflushedRows = 0
  failure: string | undefined
  private readonly around: LogSurroundings
  /** Until the log is replayed. */
  private prepared: PreparedLog | undefined
  private readonly fence: number
  private border: number
  /** The next number to be written. */
  private next: number
  /** Numbers of rows that are still in the store. */
  private readonly rows = new Set<number>()
  private readonly queue: AppendQueue
  private areLeftoversRemoved = false
  private end: Fenced | undefined
  private reportFenced: (fenced: Fenced) => void = () => {}

  constructor(options: { around: LogSurroundings; epoch: number; fence: number; border: number }) {
    const { prepared, ...around } = options.around
    this.around = around
    this.prepared = prepared
    this.epoch = options.epoch
    this.fence = options.fence
    this.border = options.border
    this.next = options.fence + 1
    this.fenced = new Promise((resolve) => {
      this.reportFenced = resolve
    })
    this.queue = new AppendQueue({
      write: (entries) => this.write(entries),
      // Rule 4.
      isFull: () => this.unflushedRows >= logLimits.unflushedMax,
    })
  }

  get last(): number {
    return this.next - 1
  }

  get unflushed(): number {
    return this.last - this.border
  }

  async *replay(): AsyncGenerator<LogEntry> {
    const ahead: Promise<LogObject>[] = []
    for (let number = this.border + 1, read = number; number < this.fence; number++) {
      for (; read < this.fence && ahead.length < logLimits.readAhead; read++) {
        const object = this.read(read)
        // Reported when its turn comes, if it does.
        object.catch(() => {})
        ahead.push(object)
      }
      const object = await ahead.shift()
      if (object?.kind !== 'rows') continue
      this.rows.add(number)
      this.unflushedRows++
      for (const bytes of object.entries) yield { number, bytes }
    }
    this.prepared = undefined
  }

  async append(bytes: Uint8Array): Promise<number> {
    if (this.end !== undefined) throw this.end
    return await this.queue.add(bytes)
  }

  async truncate(number: number): Promise<void> {
    if (this.end !== undefined) throw this.end
    this.border = Math.max(this.border, number)
    this.unflushedRows = [...this.rows].filter((each) => each > this.border).length
    this.queue.wake()
    if (!this.areLeftoversRemoved) await this.removeLeftovers(number)
    const flushed = [...this.rows].filter((each) => each <= number)
    await forEachConcurrent(flushed, logLimits.removedAtOnce, async (each) => {
      await this.around.store.delete(this.nameOf(each))
      this.rows.delete(each)
    })
  }

  async close(): Promise<void> {
    await this.queue.close()
  }

  private nameOf(number: number): string {
    return logName(this.around.folder, number)
  }

  private async read(number: number): Promise<LogObject> {
    const name = this.nameOf(number)
    const prepared = this.prepared?.objects.get(number)
    if (prepared !== undefined) return decodeLogObject(name, prepared)
    const found = await findObject(this.around.store, name)
    if (found !== undefined) return decodeLogObject(name, found.bytes)
    if ((await this.around.readBorder()) >= number)
      throw new BorderMoved(`The rows of ${name} were stored during the replay; open the log again`)
    throw new DamagedLog(`Cannot read the log: ${name} is missing, and its rows are in no table`)
  }

  /** Puts entries under the next number. Gives up only if another writer has taken over. */
  private async write(entries: readonly Uint8Array[]): Promise<number> {
    const nonce = this.around.newNonce()
    for (;;) {
      if (this.end !== undefined) throw this.end
      const number = this.next
      const outcome = await this.put({ kind: 'rows', epoch: this.epoch, number, nonce, entries })
      if (outcome.isOurs) {
        this.next = number + 1
        this.rows.add(number)
        this.unflushedRows++
        return number
      }
      if (!this.isOutdatedFence(number, outcome)) throw this.endBy(number, outcome)
      // A writer of an earlier epoch was late; rule 2 has ended it, and it wrote nothing else.
      this.next = number + 1
    }
  }

  /**
   * Repeats a put of an object until its outcome is known: after a failure, the same bytes under
   * the same number, for the store may have them, or get them still. Rule 5 is in `putOwn`.
   */
  private async put(object: LogObject): Promise<PutOutcome> {
    const { store, pace } = this.around
    const name = this.nameOf(object.number)
    const bytes = encodeLogObject(object)
    for (let failures = 1; ; failures++) {
      try {
        const outcome = await putOwn(store, name, bytes, { when: { ifAbsent: true } })
        this.failure = undefined
        return outcome
      } catch (cause) {
        if (!(cause instanceof ObjectStoreError)) throw cause
        if (this.failure === undefined) this.around.onFailure?.(cause)
        this.failure = cause.message
        await pace.wait(retryDelayMs(failures, cause, pace))
      }
    }
  }

  private isOutdatedFence(number: number, { found }: Extract<PutOutcome, { isOurs: false }>): boolean {
    if (found === undefined) return false
    const { kind, epoch } = decodeLogObject(this.nameOf(number), found.bytes)
    return kind === 'fence' && epoch < this.epoch
  }

  /** Rule 6: from here on, every append is refused. */
  private endBy(number: number, { found }: Extract<PutOutcome, { isOurs: false }>): Fenced {
    const by = found === undefined ? 'another one' : `epoch ${decodeLogObject(this.nameOf(number), found.bytes).epoch}`
    this.end = new Fenced(`The writer of epoch ${this.epoch} was replaced by ${by}; it must stop`)
    this.reportFenced(this.end)
    return this.end
  }

  /** Rows that an earlier writer has stored, but could not remove any more. */
  private async removeLeftovers(number: number): Promise<void> {
    const { store, folder } = this.around
    const first = Math.max(0, Math.min(this.fence, number) - 2 * logLimits.unflushedMax)
    const listed = await Array.fromAsync(store.list(`${folder}/`, { after: logName(folder, first) }))
    const early = listed.filter(({ name }) => numberOfName(name) <= number && !this.rows.has(numberOfName(name)))
    await forEachConcurrent(early, logLimits.removedAtOnce, async ({ name, bytes }) => {
      if (!(await this.isFence(name, bytes))) await store.delete(name)
    })
    this.areLeftoversRemoved = true
  }

  /** Rule 1: a number is never used twice, so a fence is never removed. */
  private async isFence(name: string, bytes: number): Promise<boolean> {
    if (bytes > fenceBytesMax) return false
    const found = await findObject(this.around.store, name)
    return found === undefined || decodeLogObject(name, found.bytes).kind === 'fence'
  }
}
