import type { FlushedTable } from '../../store/stats.ts'
import type { Store } from '../../store/store.ts'

/** Flushes memtables to files, for programs that read them. */
export class Flushing {
  private readonly store: Store

  constructor(store: Store) {
    this.store = store
  }

  /** @throws DomainError StoreUnavailable if a table cannot be written */
  flush(): Promise<FlushedTable[]> {
    return this.store.flushAll()
  }
}
