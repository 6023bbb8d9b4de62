import { DomainError } from '../errors.ts'
import type { Database } from './database.ts'
import { Reader } from './reader.ts'

interface Waiting {
  readonly resolve: (reader: Reader) => void
  readonly reject: (cause: unknown) => void
}

/**
 * Lends readers; beyond `readersMax` callers wait, and beyond `waitingMax` waiting callers are turned away. Whoever holds a reader must
 * not wait for another one of the same pool: where all do, none goes on.
 */
export class ReaderPool {
  private readonly database: Database
  private readonly readersMax: number
  private readonly waitingMax: number
  private readonly idle: Reader[] = []
  private readonly waiting: Waiting[] = []
  private open = 0

  constructor(database: Database, bounds: { readersMax: number; waitingMax: number }) {
    this.database = database
    this.readersMax = bounds.readersMax
    this.waitingMax = bounds.waitingMax
  }

  get figures(): { busy: number; waiting: number } {
    return { busy: this.open - this.idle.length, waiting: this.waiting.length }
  }

  /** @throws DomainError Overloaded */
  async acquire(): Promise<Reader> {
    const idle = this.idle.pop()
    if (idle) return idle
    if (this.open < this.readersMax) {
      this.open++
      try {
        return new Reader(await this.database.connect())
      } catch (cause) {
        this.open--
        throw cause
      }
    }
    if (this.waiting.length >= this.waitingMax) {
      throw new DomainError('Overloaded', 'Too many queries are waiting; try again in a moment')
    }
    return await new Promise((resolve, reject) => this.waiting.push({ resolve, reject }))
  }

  release(reader: Reader): void {
    const next = this.waiting.shift()
    if (next) next.resolve(reader)
    else this.idle.push(reader)
  }

  /** Gives up a reader whose connection is in doubt. */
  discard(reader: Reader): void {
    reader.close()
    this.open--
    const next = this.waiting.shift()
    if (next) this.acquire().then(next.resolve, next.reject)
  }

  close(): void {
    for (const reader of this.idle.splice(0)) reader.close()
  }
}
