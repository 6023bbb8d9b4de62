import type { FlushedTable } from '../../store/stats.ts'
import type { Store } from '../../store/store.ts'

/** Writes to files what is in memory, for programs that read them. */
export class Flushing {
  private readonly store: Store

  constructor(store: Store) {
    this.store = store
  }

  /** @throws DomainError StoreUnavailable where a table cannot be written */
  flush(): Promise<FlushedTable[]> {
    return this.store.flushAll()
  }
}
