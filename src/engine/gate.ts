import { DomainError } from '../lib/errors.ts'

interface Waiting {
  readonly amount: number
  readonly begin: () => void
}

/**
 * Bounds how much of something is in use at a time. Work that asks for more than is free waits, in
 * the order of its calls; work that asks for more than there is gets all.
 */
export class Gate {
  private readonly max: number
  private readonly waitingMax: number
  private used = 0
  private waiting: Waiting[] = []

  constructor(bounds: { max: number; waitingMax: number }) {
    this.max = bounds.max
    this.waitingMax = bounds.waitingMax
  }

  /**
   * Runs `work` with `amount` in use.
   *
   * @param signal aborts the wait; its reason is thrown if it is a DomainError
   * @throws DomainError Overloaded, RequestCancelled, or the signal's reason
   */
  async run<T>(amount: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const taken = Math.min(amount, this.max)
    if (this.waiting.length > 0 || this.used + taken > this.max) await this.wait(taken, signal)
    else this.used += taken
    try {
      return await work()
    } finally {
      this.used -= taken
      this.beginNext()
    }
  }

  private wait(amount: number, signal: AbortSignal): Promise<void> {
    if (this.waiting.length >= this.waitingMax)
      throw new DomainError('Overloaded', 'Too many queries are waiting; try again later')
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting = this.waiting.filter((other) => other !== waiting)
        reject(reasonOf(signal))
        this.beginNext()
      }
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiting: Waiting = { amount, begin }
      if (signal.aborted) {
        reject(reasonOf(signal))
        return
      }
      this.waiting.push(waiting)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  private beginNext(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      if (this.used + next.amount > this.max) return
      this.waiting.shift()
      this.used += next.amount
      next.begin()
    }
  }
}

const reasonOf = (signal: AbortSignal): unknown =>
  signal.reason instanceof DomainError ? signal.reason : new DomainError('RequestCancelled', 'Client disconnected')
