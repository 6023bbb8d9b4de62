import type { FileWriteContext } from './file-write-context.ts'

/** Pauses before the first run, after a run has begun, and after one has failed; 0 by default. */
interface Pauses {
  readonly firstMs?: number
  readonly pauseMs?: number
  /** As `pauseMs` by default. */
  readonly retryMs?: number
}

/**
 * A kind of work in the background on one table. A timer asks for it; one run at a time does what
 * is to be done, until it is closed.
 */
export abstract class Upkeep {
  /** What a run does, for the message about its failure. */
  abstract readonly what: string
  protected readonly context: FileWriteContext
  private readonly stopping = new AbortController()
  private running: Promise<unknown> | undefined
  private readonly pauseMs: number
  private readonly retryMs: number
  private notBeforeMs: number

  constructor(context: FileWriteContext, { firstMs = 0, pauseMs = 0, retryMs = pauseMs }: Pauses) {
    this.context = context
    this.pauseMs = pauseMs
    this.retryMs = retryMs
    this.notBeforeMs = context.clock.nowMs() + firstMs
  }

  /** Whether there may be something to do. */
  protected abstract readonly isDue: boolean

  protected abstract work(): Promise<void>

  /** Called by a timer. */
  async runIfDue(): Promise<void> {
    const { clock, commits } = this.context
    if (this.isClosed || this.running !== undefined || clock.nowMs() < this.notBeforeMs) return
    if (commits.refusal === undefined && this.isDue) await this.run(() => this.work())
  }

  /** Waits for the run in progress and prevents further ones. */
  async close(): Promise<void> {
    this.stopping.abort()
    // The caller of that run receives its failure.
    await this.running?.catch(() => {})
  }

  protected get closing(): AbortSignal {
    return this.stopping.signal
  }

  protected get isClosed(): boolean {
    return this.stopping.signal.aborted
  }

  /** Runs work when no other is in progress. */
  protected async run(work: () => Promise<void>): Promise<void> {
    while (this.running !== undefined) await this.running
    const { clock } = this.context
    this.notBeforeMs = clock.nowMs() + this.pauseMs
    this.running = work()
    try {
      await this.running
    } catch (cause) {
      this.notBeforeMs = clock.nowMs() + this.retryMs
      throw cause
    } finally {
      this.running = undefined
    }
  }
}
