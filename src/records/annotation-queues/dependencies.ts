import type { KeyedMutex } from '../../foundation/keyed-mutex.ts'
import type { MonotonicClock } from '../../platform/clock.ts'
import type { OutputNames } from '../../query/call-output.ts'
import type { Store } from '../../store/store.ts'

/** Dependencies shared by the files of this folder. */
export interface QueueDependencies {
  readonly store: Store
  readonly clock: MonotonicClock
  readonly dialect: OutputNames
  /** Shared, so that a queue and its items are never changed concurrently. */
  readonly locks: KeyedMutex
}
