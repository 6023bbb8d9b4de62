import { DomainError } from '../lib/errors.ts'

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
      if (this.running.has(owner)) continue
      // The owner's other work waits behind all other owners.
      this.queues.delete(owner)
      if (others.length > 0) this.queues.set(owner, others)
      this.running.add(owner)
      first!.begin()
      return
    }
  }
}
