/** Runs at most so many pieces of work at a time; further ones wait in order. */
export class Semaphore {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(places: number) {
    this.free = places
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.free++
      else next()
    }
  }
}
