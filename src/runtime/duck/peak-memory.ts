import type { Database } from './database.ts'

const sampleMs = 20

/** Samples the memory of a database until it is stopped. */
export class PeakMemory {
  private readonly database: Database
  /** The most that a sample found. */
  bytesMax = 0
  private sampling: Promise<void> | undefined
  private readonly timer: ReturnType<typeof setInterval>

  constructor(database: Database) {
    this.database = database
    this.timer = setInterval(() => {
      this.sampling ??= this.sample().finally(() => {
        this.sampling = undefined
      })
    }, sampleMs)
  }

  /** Stops, after a last sample. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.sampling
    await this.sample()
  }

  private async sample(): Promise<void> {
    try {
      const { memoryBytes } = await this.database.memory()
      this.bytesMax = Math.max(this.bytesMax, memoryBytes)
    } catch {
      // At its memory limit, a database may refuse this query too: the statement fails by itself.
    }
  }
}
