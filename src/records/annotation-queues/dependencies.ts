import type { KeyedMutex } from '../../foundation/keyed-mutex.ts'
import type { MonotonicClock } from '../../platform/monotonic-clock.ts'
import type { OutputNames } from '../../query/call-output.ts'
import type { Store } from '../../store/store.ts'

/** What the parts of this folder work with. */
export interface QueueDependencies {
  readonly store: Store
  readonly clock: MonotonicClock
  readonly dialect: OutputNames
  /** One for all of them: a queue and an item of it are never changed twice at once. */
  readonly locks: KeyedMutex
}
