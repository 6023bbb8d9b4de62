/** Lets requests that are waiting have their turn. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** How long one piece of work may keep others waiting; they then have a turn. */
const sliceMs = 8

/** Work that comes in many small steps asks between them whether others should have a turn: `if (turn.isOver) await turn.next()`. */
export class TimeSlice {
  private startedMs = performance.now()
  private steps = 0

  get expired(): boolean {
    this.steps++
    // A look at the clock costs as much as a small step.
    return this.steps % 64 === 0 && performance.now() - this.startedMs > sliceMs
  }

  /** For steps that are not small: the clock is looked at each time. */
  get expiredNow(): boolean {
    return performance.now() - this.startedMs > sliceMs
  }

  async yieldIfExpired(): Promise<void> {
    if (this.expiredNow) await this.yield()
  }

  async yield(): Promise<void> {
    await yieldToEventLoop()
    this.startedMs = performance.now()
  }
}
