/** Work of a table in the background, one run at a time, until it is closed. */
export class BackgroundRun {
  private running: Promise<void> | undefined
  private closed = false

  get isClosed(): boolean {
    return this.closed
  }

  /** Whether a run may begin. */
  get isIdle(): boolean {
    return this.running === undefined && !this.closed
  }

  /** @throws what the work does */
  async run(work: () => Promise<void>): Promise<void> {
    this.running = work()
    try {
      await this.running
    } finally {
      this.running = undefined
    }
  }

  /** Waits for the run in progress and prevents more. */
  async close(): Promise<void> {
    this.closed = true
    // The caller of that run receives its failure.
    await this.running?.catch(() => {})
  }
}
