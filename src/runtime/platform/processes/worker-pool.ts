import { availableParallelism } from 'node:os'
import { startWorker, type Worker } from './worker.ts'
import type { ThreadName } from './worker-thread.ts'

export interface WorkerPoolOptions {
  readonly name: ThreadName
  /** Address of the module that the threads run; see `startWorker`. */
  readonly module: () => Promise<string>
  readonly threadsMax: number
  /** Threads end after this time without a task. */
  readonly idleMs: number
  /** A thread could not start, or ended by itself. */
  readonly onFailure: (cause: unknown) => void
  /** Pause after such a failure before the next thread starts. */
  readonly retryMs: number
  /** How long a task waits for a thread that is starting, at most. */
  readonly startWaitMs: number
}

interface Pending<Reply> {
  readonly sinceMs: number
  readonly resolve: (reply: Reply) => void
  readonly reject: (cause: unknown) => void
}

/** A thread, and its pending tasks, in order. */
class PoolThread<Task, Reply> {
  readonly pending: Pending<Reply>[] = []
  isReady = false
  private readonly worker: Worker<Task | undefined>

  constructor(name: ThreadName, module: string, onEnd: (cause: unknown) => void) {
    this.worker = startWorker<Task | undefined, Reply>({
      name,
      module,
      onMessage: (reply) => this.pending.shift()?.resolve(reply),
      onFailure: (cause) => {
        onEnd(cause)
        this.refusePending(cause)
      },
    })
  }

  ask(message: Task | undefined, transferred: readonly ArrayBuffer[]): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.pending.push({ sinceMs: performance.now(), resolve, reject })
      this.worker.post(message, transferred)
    })
  }

  async end(): Promise<void> {
    await this.worker.end()
    this.refusePending(new Error('Cannot use a worker thread: its pool is closed'))
  }

  private refusePending(cause: unknown): void {
    for (const { reject } of this.pending.splice(0)) reject(cause)
  }
}

/**
 * Threads that answer messages: one fewer than the processor has cores, but at least one. The first
 * task starts a thread, and is for the caller to do; further ones wait until the thread has
 * started.
 */
export class WorkerPool<Task, Reply> {
  private readonly options: WorkerPoolOptions
  private readonly threads = new Set<PoolThread<Task, Reply>>()
  private readonly sizeMax: number
  private starting: Promise<void> | undefined
  private notBeforeMs = 0
  private idle: ReturnType<typeof setTimeout> | undefined
  private isClosed = false

  constructor(options: WorkerPoolOptions) {
    this.options = options
    this.sizeMax = Math.min(options.threadsMax, Math.max(1, availableParallelism() - 1))
  }

  /**
   * The reply of a thread; undefined if there is none, and none starts in time.
   *
   * @param transferred memory of the message that the thread takes over
   * @throws Error if the thread ends first
   */
  async ask(message: Task, transferred: readonly ArrayBuffer[] = []): Promise<Reply | undefined> {
    const thread = this.leastBusy() ?? (await this.startingThread())
    if (thread === undefined || thread.pending.length > 0) this.startAnother()
    if (thread === undefined) return undefined
    clearTimeout(this.idle)
    try {
      return await thread.ask(message, transferred)
    } finally {
      this.endWhenIdle()
    }
  }

  /** Whether there is a thread, or one is starting. Starts one otherwise. */
  get isAvailable(): boolean {
    if (this.leastBusy() !== undefined || this.starting !== undefined) return true
    this.startAnother()
    return false
  }

  /** How long the oldest task that has not been answered has been with its thread. */
  get longestMs(): number {
    let sinceMs = Number.POSITIVE_INFINITY
    for (const { isReady, pending } of this.threads)
      if (isReady && pending[0] !== undefined) sinceMs = Math.min(sinceMs, pending[0].sinceMs)
    return Math.max(0, performance.now() - sinceMs)
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.idle)
    await this.endThreads()
  }

  private leastBusy(): PoolThread<Task, Reply> | undefined {
    let found: PoolThread<Task, Reply> | undefined
    for (const thread of this.threads)
      if (thread.isReady && (found === undefined || thread.pending.length < found.pending.length)) found = thread
    return found
  }

  private async startingThread(): Promise<PoolThread<Task, Reply> | undefined> {
    if (this.starting === undefined) return undefined
    const waited = Promise.withResolvers<void>()
    const timer = setTimeout(waited.resolve, this.options.startWaitMs)
    await Promise.race([this.starting, waited.promise])
    clearTimeout(timer)
    return this.leastBusy()
  }

  private startAnother(): void {
    const isFull = this.threads.size >= this.sizeMax
    if (isFull || this.starting !== undefined || this.isClosed || Date.now() < this.notBeforeMs) return
    this.starting = this.start()
      .catch((cause: unknown) => {
        // Closing ends a thread that is still starting.
        if (this.isClosed) return
        this.notBeforeMs = Date.now() + this.options.retryMs
        this.options.onFailure(cause)
      })
      .finally(() => {
        this.starting = undefined
      })
  }

  private async start(): Promise<void> {
    const module = await this.options.module()
    if (this.isClosed) return
    let isStarted = false
    const thread = new PoolThread<Task, Reply>(this.options.name, module, (cause) => {
      this.threads.delete(thread)
      // A failed start is reported by the code that awaits it.
      if (isStarted) this.options.onFailure(cause)
    })
    this.threads.add(thread)
    // Answered once the thread has loaded what it needs.
    await thread.ask(undefined, [])
    isStarted = true
    thread.isReady = true
    this.endWhenIdle()
  }

  private endWhenIdle(): void {
    clearTimeout(this.idle)
    this.idle = setTimeout(() => void this.endThreads(), this.options.idleMs)
    this.idle.unref()
  }

  private async endThreads(): Promise<void> {
    const idle = [...this.threads].filter(({ isReady, pending }) => this.isClosed || (isReady && pending.length === 0))
    for (const thread of idle) this.threads.delete(thread)
    await Promise.all(idle.map((thread) => thread.end()))
  }
}
