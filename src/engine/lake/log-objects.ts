import { concatBytes } from '../../lib/bytes.ts'
import { DomainError } from '../../lib/errors.ts'
import { logLimits } from '../../lib/limits/objects.ts'
import type { BatchCodec } from '../wal/batch-codec.ts'
import type { LogBacklog, LogStorage } from '../wal/log-storage.ts'
import { readSegment } from '../wal/segment-reader.ts'
import { Fenced, type FencedLog } from './fenced-log.ts'
import { DamagedLog } from './log-object.ts'
import { logApplication } from './replay-border.ts'

/**
 * The write-ahead log of a table as objects. Each entry is a segment of its own, which begins with
 * its schema.
 */
class LogObjects implements LogStorage {
  readonly application = logApplication
  private readonly log: FencedLog
  private readonly codec: BatchCodec
  private lastEndMs = Number.NEGATIVE_INFINITY

  constructor(log: FencedLog, codec: BatchCodec) {
    this.log = log
    this.codec = codec
  }

  // A flush appends, too. So there is always room for it.
  get isFull(): boolean {
    return this.log.unflushedRows >= logLimits.refusedFrom
  }

  get isLong(): boolean {
    const { unflushed, unflushedRows } = this.log
    return unflushedRows >= logLimits.flushedFrom || unflushed - unflushedRows >= logLimits.fencesMax
  }

  /** Public, so without what the store says, which names buckets and accounts. */
  get failure(): string | undefined {
    return this.log.failure && 'rows cannot be written to the object store yet; that is tried again'
  }

  /**
   * The first after a while is stored at once. Those whose writes have just ended write again, so
   * these share an object with those that came meanwhile.
   */
  get gatheringMs(): number {
    return this.lastEndMs + logLimits.groupAgeMs - performance.now()
  }

  async append(messages: readonly Uint8Array[]): Promise<void> {
    await this.add(messages)
    this.lastEndMs = performance.now()
  }

  async rotate(messages: readonly Uint8Array[]): Promise<number> {
    return messages.length === 0 ? this.log.last : (await this.add(messages)) - 1
  }

  removeThrough(through: number): Promise<void> {
    return unlessReplaced(() => this.log.truncate(through))
  }

  /** An append goes on until the store has it. */
  async probe(): Promise<void> {}

  close(): Promise<void> {
    return this.log.close()
  }

  private add(messages: readonly Uint8Array[]): Promise<number> {
    return unlessReplaced(() => this.log.append(concatBytes([this.codec.header, ...messages])))
  }
}

/** @throws DomainError StoreUnavailable if another writer, which can answer, has taken over */
async function unlessReplaced<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof Fenced) throw new DomainError('StoreUnavailable', cause.message, { cause })
    throw cause
  }
}

/** What is to be replayed of a log above a border. */
export function backlogOf(log: FencedLog, codec: BatchCodec, border: number): LogBacklog {
  return {
    // Not known: it has a bound, and it is read over a network.
    bytes: 0,
    // That takes a lock that all tables have, one after the other, while the node does not serve.
    isDrained: false,
    storage: new LogObjects(log, codec),
    replay: async (apply) => {
      for await (const { number, bytes } of log.replay()) {
        if (number <= border) continue
        const { rows, damaged } = readSegment(bytes, codec)
        if (damaged.length > 0) throw new DamagedLog(`Cannot read the log: an entry of number ${number} has no rows`)
        await apply(rows)
      }
    },
  }
}
