import { DomainError } from '../errors.ts'
import type { Database } from './database.ts'
import { Reader } from './reader.ts'

/** Lends readers; beyond `readersMax` callers wait, and beyond `waitingMax` waiting callers are turned away. */
export class ReaderPool {
  private readonly database: Database
  private readonly readersMax: number
  private readonly waitingMax: number
  private readonly idle: Reader[] = []
  private readonly waiting: ((reader: Reader) => void)[] = []
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
    return await new Promise((resolve) => this.waiting.push(resolve))
  }

  release(reader: Reader): void {
    const next = this.waiting.shift()
    if (next) next(reader)
    else this.idle.push(reader)
  }

  /** Gives up a reader whose connection is in doubt. */
  async discard(reader: Reader): Promise<void> {
    reader.close()
    this.open--
    const next = this.waiting.shift()
    if (next) next(await this.acquire())
  }

  close(): void {
    for (const reader of this.idle.splice(0)) reader.close()
  }
}
