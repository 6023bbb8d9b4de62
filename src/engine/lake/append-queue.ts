import { DomainError } from '../../lib/errors.ts'
import { logLimits } from '../../lib/limits/objects.ts'

interface Append {
  readonly bytes: Uint8Array
  readonly done: (number: number) => void
  readonly failed: (cause: unknown) => void
}

/**
 * Appends that wait until those before them are written, and are then written together, up to a
 * number of bytes (group commit).
 */
export class AppendQueue {
  private readonly write: (entries: readonly Uint8Array[]) => Promise<number>
  private readonly isFull: () => boolean
  private waiting: Append[] = []
  private waitingBytes = 0
  private running: Promise<void> | undefined
  private isClosed = false
  /** Ends a pause until the log is shorter. */
  private resume: () => void = () => {}

  constructor(options: {
    /** Writes a group. @returns its number */
    readonly write: (entries: readonly Uint8Array[]) => Promise<number>
    /** Whether the log is too long to be continued. */
    readonly isFull: () => boolean
  }) {
    this.write = options.write
    this.isFull = options.isFull
  }

  /** @throws DomainError Overloaded, StoreUnavailable; what `write` throws */
  add(bytes: Uint8Array): Promise<number> {
    if (this.isClosed) throw new DomainError('StoreUnavailable', 'The server is stopping; try again later')
    if (this.waitingBytes > 0 && this.waitingBytes + bytes.length > logLimits.queueBytesMax)
      throw new DomainError('Overloaded', 'Too many writes are pending; try again later')
    return new Promise((done, failed) => {
      this.waiting.push({ bytes, done, failed })
      this.waitingBytes += bytes.length
      this.running ??= this.drain()
    })
  }

  /** The log has become shorter. */
  wake(): void {
    this.resume()
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.resume()
    await this.running
  }

  private async drain(): Promise<void> {
    // What is appended in the same turn of the event loop shares an object.
    await Promise.resolve()
    while (this.waiting.length > 0) {
      while (this.isFull() && !this.isClosed) await this.untilWoken()
      const group = this.takeGroup()
      try {
        const number = await this.write(group.map(({ bytes }) => bytes))
        for (const { done } of group) done(number)
      } catch (cause) {
        for (const { failed } of group) failed(cause)
      } finally {
        for (const { bytes } of group) this.waitingBytes -= bytes.length
      }
    }
    this.running = undefined
  }

  private untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.resume = resolve
    })
  }

  private takeGroup(): Append[] {
    let bytes = 0
    const group: Append[] = []
    for (const item of this.waiting) {
      if (group.length > 0 && bytes + item.bytes.length > logLimits.groupBytesMax) break
      bytes += item.bytes.length
      group.push(item)
    }
    this.waiting.splice(0, group.length)
    return group
  }
}
