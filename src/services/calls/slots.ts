/** So many may go on at a time; others wait for their turn, in the order of asking. */
export class Slots {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(count: number) {
    this.free = count
  }

  /** Waits for a slot; disposing of it gives it back. */
  async take(): Promise<Disposable> {
    if (this.free > 0) this.free--
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    return { [Symbol.dispose]: () => this.giveBack() }
  }

  private giveBack(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free++
  }
}
