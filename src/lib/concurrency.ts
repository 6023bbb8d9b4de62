import { abortReason } from './abort-reason.ts'
import { MiB } from './bytes.ts'
import { DomainError } from './errors.ts'
import { responseLimits } from './limits/responses.ts'

interface Waiting {
  readonly amount: number
  readonly begin: () => void
}

/**
 * Bounds how much of a resource is in use at a time. Work that needs more than is free waits, in
 * the order of its calls; work that needs more than the total gets all of it.
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
        reject(abortReason(signal))
        this.beginNext()
      }
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiting: Waiting = { amount, begin }
      if (signal.aborted) {
        reject(abortReason(signal))
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

/**
 * Runs `work` for each item, up to `atOnceMax` concurrently. After the first failure no further
 * items are started; it is thrown when those in progress are done.
 */
export async function forEachConcurrent<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnceMax: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const under = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const item of items) {
    const done: Promise<void> = work(item)
      .catch((cause: unknown) => void failures.push(cause))
      .finally(() => under.delete(done))
    under.add(done)
    if (under.size >= atOnceMax) await Promise.race(under)
    if (failures.length > 0) break
  }
  await Promise.all(under)
  if (failures.length > 0) throw failures[0]
}

/** Runs one task at a time, in call order. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve()

  async run<T>(task: () => Promise<T>): Promise<T> {
    const before = this.last
    let done: () => void = () => {}
    this.last = new Promise<void>((resolve) => {
      done = resolve
    })
    await before
    try {
      return await task()
    } finally {
      done()
    }
  }
}

/**
 * Runs the tasks of a key one at a time, in call order; tasks of different keys do not wait for
 * each other.
 */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>()

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve()
    const result = before.then(task)
    const settled = result.catch(() => {})
    this.last.set(key, settled)
    try {
      return await result
    } finally {
      if (this.last.get(key) === settled) this.last.delete(key)
    }
  }
}

/**
 * Limits the memory of a response that must be complete before its first byte can be sent. Bytes
 * are counted while rows arrive, so that an oversized response is never held as a whole.
 */
export class HeldBytes {
  private readonly remedy: string
  private bytes = 0

  /** @param remedy end of the error message: how to change the request for a smaller response */
  constructor(remedy: string) {
    this.remedy = remedy
  }

  /** @throws DomainError InvalidRequest once the limit is exceeded */
  add(bytes: number): void {
    this.bytes += bytes
    if (this.bytes <= responseLimits.heldAnswerBytesMax) return
    const most = `${responseLimits.heldAnswerBytesMax / MiB} MiB`
    throw new DomainError('InvalidRequest', `The response needs more than ${most} of memory; ${this.remedy}`)
  }
}
