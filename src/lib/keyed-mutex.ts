/**
 * Runs the tasks of a key one at a time, in call order; tasks of different keys do not wait for
 * each other.
 */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>()

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve()
    const result = before.then(task)
    const settled = result.catch(() => {})
    this.last.set(key, settled)
    try {
      return await result
    } finally {
      if (this.last.get(key) === settled) this.last.delete(key)
    }
  }
}
