/** Runs one task at a time, in call order. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve()

  async run<T>(task: () => Promise<T>): Promise<T> {
    const before = this.last
    let done: () => void = () => {}
    this.last = new Promise<void>((resolve) => {
      done = resolve
    })
    await before
    try {
      return await task()
    } finally {
      done()
    }
  }
}
