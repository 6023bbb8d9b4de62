/** Lets requests that are waiting have their turn. */
export const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** How long one piece of work may keep others waiting; they then have a turn. */
const turnMs = 8

/** Work that comes in many small steps asks between them whether others should have a turn: `if (turn.isOver) await turn.next()`. */
export class Turn {
  private startedMs = performance.now()
  private steps = 0

  get isOver(): boolean {
    this.steps++
    // A look at the clock costs as much as a small step.
    return this.steps % 64 === 0 && performance.now() - this.startedMs > turnMs
  }

  /** For steps that are not small: the clock is looked at each time. */
  get isOverNow(): boolean {
    return performance.now() - this.startedMs > turnMs
  }

  async nextIfOver(): Promise<void> {
    if (this.isOverNow) await this.next()
  }

  async next(): Promise<void> {
    await yieldToOthers()
    this.startedMs = performance.now()
  }
}
