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

interface Asked {
  readonly resolve: (reply: unknown) => void
  readonly reject: (cause: unknown) => void
}

/** A thread, and its pending tasks, in order. */
class PoolThread {
  readonly asked: Asked[] = []
  isReady = false
  private readonly worker: Worker

  constructor(name: ThreadName, module: string, onEnd: (cause: unknown) => void) {
    this.worker = startWorker({
      name,
      module,
      onMessage: (reply) => this.asked.shift()?.resolve(reply),
      onFailure: (cause) => {
        onEnd(cause)
        this.refuseAsked(cause)
      },
    })
  }

  ask(message: unknown, transferred: readonly ArrayBuffer[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.asked.push({ resolve, reject })
      this.worker.post(message, transferred)
    })
  }

  async end(): Promise<void> {
    await this.worker.end()
    this.refuseAsked(new Error('Cannot use a worker thread: its pool is closed'))
  }

  private refuseAsked(cause: unknown): void {
    for (const { reject } of this.asked.splice(0)) reject(cause)
  }
}

/**
 * Threads that answer messages: one fewer than the processor has cores, but at least one. The first
 * task starts a thread, and is for the caller to do; further ones wait until the thread has
 * started.
 */
export class WorkerPool {
  private readonly options: WorkerPoolOptions
  private readonly threads = new Set<PoolThread>()
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
  async ask(message: unknown, transferred: readonly ArrayBuffer[] = []): Promise<unknown> {
    const thread = this.leastBusy() ?? (await this.startingThread())
    if (thread === undefined || thread.asked.length > 0) this.startAnother()
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

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.idle)
    await this.endThreads()
  }

  private leastBusy(): PoolThread | undefined {
    let found: PoolThread | undefined
    for (const thread of this.threads)
      if (thread.isReady && (found === undefined || thread.asked.length < found.asked.length)) found = thread
    return found
  }

  private async startingThread(): Promise<PoolThread | undefined> {
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
    const thread = new PoolThread(this.options.name, module, (cause) => {
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
    const idle = [...this.threads].filter(({ isReady, asked }) => this.isClosed || (isReady && asked.length === 0))
    for (const thread of idle) this.threads.delete(thread)
    await Promise.all(idle.map((thread) => thread.end()))
  }
}
