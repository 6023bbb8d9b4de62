import type { Store } from '../../engine/store.ts'
import type { KeyedMutex } from '../../lib/keyed-mutex.ts'
import type { OutputNames } from '../../query/call-output.ts'
import type { MonotonicClock } from '../../runtime/platform/clock.ts'

/** Dependencies shared by the files of this folder. */
export interface QueueDependencies {
  readonly store: Store
  readonly clock: MonotonicClock
  readonly dialect: OutputNames
  /** Shared, so that a queue and its items are never changed concurrently. */
  readonly locks: KeyedMutex
}
