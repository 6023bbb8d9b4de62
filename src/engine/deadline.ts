import { DomainError } from '../lib/errors.ts'

/**
 * Bounds the total time that one read waits: for a reader, for the memtable to drain, for its turn.
 */
export class Deadline implements Disposable {
  /** Aborts when the time is up or the client disconnects. */
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

  /** Milliseconds since the wait began. */
  get waitedMs(): number {
    return performance.now() - this.startedMs
  }

  /**
   * Returns the result of `work` unless the deadline passes first.
   *
   * @param undo releases a result that arrives after the deadline
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
      // If the work itself failed there is nothing to undo.
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

const late = () => new DomainError('QueryTimeout', 'Query timed out while waiting to start')
const cancelled = () => new DomainError('RequestCancelled', 'Client disconnected')
