import { abortReason } from './abort-reason.ts'
import { MiB } from './bytes.ts'
import { DomainError } from './errors.ts'
import { responseLimits } from './limits/responses.ts'

interface Turn {
  readonly begin: () => void
}

/**
 * Lets a bounded number of pieces of work run at a time, at most one of each owner. The others wait
 * in a queue per owner, and owners get turns one after the other, however many pieces each of them
 * has.
 */
export class FairTurns {
  private readonly atOnceMax: number
  /** Owners whose work runs. */
  private readonly running = new Set<string>()
  /** In the order of the owners' next turns. */
  private readonly queues = new Map<string, Turn[]>()

  constructor(atOnceMax: number) {
    this.atOnceMax = atOnceMax
  }

  /** Waiting pieces of work. */
  get waiting(): number {
    return this.queues.values().reduce((sum, queue) => sum + queue.length, 0)
  }

  /**
   * Runs `work` when it is the owner's turn.
   *
   * @throws DomainError QueryTimeout, RequestCancelled if that takes too long
   */
  async run<T>(
    owner: string,
    limits: { timeoutMs: number; signal?: AbortSignal | undefined },
    work: () => Promise<T>,
  ): Promise<T> {
    if (this.running.size >= this.atOnceMax || this.running.has(owner)) await this.wait(owner, limits)
    else this.running.add(owner)
    try {
      return await work()
    } finally {
      this.running.delete(owner)
      this.next()
    }
  }

  private wait(
    owner: string,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (cause: DomainError) => {
        const left = (this.queues.get(owner) ?? []).filter((other) => other !== turn)
        if (left.length === 0) this.queues.delete(owner)
        else this.queues.set(owner, left)
        stop()
        reject(cause)
      }
      const abort = () => leave(new DomainError('RequestCancelled', 'Client disconnected'))
      const timer = setTimeout(() => leave(new DomainError('QueryTimeout', 'Query timed out')), timeoutMs)
      const stop = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const turn: Turn = {
        begin: () => {
          stop()
          resolve()
        },
      }
      if (signal?.aborted) {
        abort()
        return
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.queues.set(owner, [...(this.queues.get(owner) ?? []), turn])
    })
  }

  /** Hands the place of finished work on. */
  private next(): void {
    for (const [owner, [first, ...others]] of this.queues) {
      if (!first || this.running.has(owner)) continue
      // The owner's other work waits behind all other owners.
      this.queues.delete(owner)
      if (others.length > 0) this.queues.set(owner, others)
      this.running.add(owner)
      first.begin()
      return
    }
  }
}

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
