import type { Snapshot, StreamSnapshot } from '../../src/engine/reads/snapshot.ts'
import type { Store } from '../../src/engine/store.ts'

interface Options {
  readonly tables?: readonly string[]
  readonly projectId?: string
  readonly signal?: AbortSignal
}

/** A snapshot that a read keeps open until the test releases it. */
export class HeldSnapshot<S extends Snapshot = Snapshot> implements AsyncDisposable {
  readonly snapshot: S
  private readonly end: () => Promise<void>

  private constructor(snapshot: S, end: () => Promise<void>) {
    this.snapshot = snapshot
    this.end = end
  }

  /** As a lookup takes it. */
  static ofLookup(store: Store, options: Options = {}): Promise<HeldSnapshot> {
    return HeldSnapshot.of((read) => store.read(options.tables ?? ['notes'], scopeOf(options), read))
  }

  /** As a long read takes it. */
  static ofLongRead(store: Store, options: Options = {}): Promise<HeldSnapshot<StreamSnapshot>> {
    return HeldSnapshot.of((read) => store.readLong(options.tables ?? ['notes'], scopeOf(options), read))
  }

  private static async of<S extends Snapshot>(
    open: (read: (snapshot: S) => Promise<void>) => Promise<void>,
  ): Promise<HeldSnapshot<S>> {
    const taken = Promise.withResolvers<S>()
    const released = Promise.withResolvers<void>()
    const reading = open((snapshot) => {
      taken.resolve(snapshot)
      return released.promise
    })
    reading.catch(taken.reject)
    return new HeldSnapshot(await taken.promise, () => {
      released.resolve()
      return reading
    })
  }

  release(): Promise<void> {
    return this.end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release()
  }
}

const scopeOf = ({ projectId = 'p', signal }: Options) => ({ projectId, signal })
