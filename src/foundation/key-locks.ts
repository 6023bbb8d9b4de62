import { Mutex } from '../store/mutex.ts'

/**
 * One lock per key in use: tasks of one key run one after the other, those of different keys
 * concurrently.
 */
export class KeyLocks {
  private readonly held = new Map<string, { readonly mutex: Mutex; users: number }>()

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const lock = this.held.get(key) ?? { mutex: new Mutex(), users: 0 }
    this.held.set(key, lock)
    lock.users++
    try {
      return await lock.mutex.run(task)
    } finally {
      lock.users--
      if (lock.users === 0) this.held.delete(key)
    }
  }
}
