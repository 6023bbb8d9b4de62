import { DomainError } from '../errors.ts'

/** Bounds all the waiting of one read together: for a reader, for rows to move, for its turn. */
export class Deadline implements Disposable {
  /** Ends when the time is over or the client leaves. */
  readonly signal: AbortSignal
  private readonly controller = new AbortController()
  private readonly client: AbortSignal | undefined
  private readonly timer: ReturnType<typeof setTimeout>
  private readonly startedMs = performance.now()
  private readonly leave = () => this.controller.abort(cancelled())

  constructor(timeoutMs: number, client?: AbortSignal) {
    this.signal = this.controller.signal
    this.client = client
    this.timer = setTimeout(() => this.controller.abort(late()), timeoutMs)
    if (client?.aborted) this.leave()
    else client?.addEventListener('abort', this.leave, { once: true })
  }

  /** Since the waiting began, in milliseconds. */
  get waitedMs(): number {
    return performance.now() - this.startedMs
  }

  /**
   * What `work` gives, unless it takes too long.
   *
   * @param undo gives back what comes after nobody waits for it any more
   * @throws DomainError QueryTimeout, RequestCancelled
   */
  async orGiveUp<T>(work: Promise<T>, undo: (value: T) => Promise<void> | void): Promise<T> {
    const { signal } = this
    const { promise: ended, reject } = Promise.withResolvers<never>()
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
    try {
      return await Promise.race([ended, work])
    } catch (cause) {
      // A failure of the work itself has nothing to undo.
      if (signal.aborted) void work.then(undo, () => {})
      throw cause
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer)
    this.client?.removeEventListener('abort', this.leave)
  }
}

const late = () => new DomainError('QueryTimeout', 'Run the query: it waited too long for its turn')
const cancelled = () => new DomainError('RequestCancelled', 'Client disconnected')
