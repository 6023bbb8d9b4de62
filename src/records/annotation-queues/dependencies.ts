import type { KeyLocks } from '../../foundation/key-locks.ts'
import type { MonotonicClock } from '../../platform/monotonic-clock.ts'
import type { Store } from '../../store/store.ts'
import type { Wire } from '../calls/plan.ts'

/** What the parts of this folder work with. */
export interface QueueDependencies {
  readonly store: Store
  readonly clock: MonotonicClock
  readonly wire: Wire
  /** One for all of them: a queue and an item of it are never changed twice at once. */
  readonly locks: KeyLocks
}
