/** Reason for stopping jobs at shutdown. */
export class Stopping extends Error {
  override readonly name = 'Stopping'
}

/**
 * An attempt is counted before it starts, so that a job that crashes the server is not retried
 * forever.
 */
export class Attempt {
  private readonly before: number
  private readonly save: (attempts: number) => Promise<void>
  private readonly signal: AbortSignal
  private isCounted = false

  constructor(before: number, save: (attempts: number) => Promise<void>, signal: AbortSignal) {
    this.before = before
    this.save = save
    this.signal = signal
  }

  async count(): Promise<void> {
    this.isCounted = true
    await this.save(this.before + 1)
  }

  /** It has not failed, or not yet. */
  async takeBack(): Promise<void> {
    if (!this.isCounted || (this.signal.aborted && !(this.signal.reason instanceof Stopping))) return
    this.isCounted = false
    await this.save(this.before)
  }
}
