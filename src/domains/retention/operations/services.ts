import type { Erasures } from '../erasures.ts'
import type { Expiry } from '../expiry.ts'
import type { Retention } from '../retention.ts'

/** The services that these operations are given. */
export interface RetentionServices {
  readonly erasedWithinMs: number
  readonly erasures: Erasures
  readonly expiry: Expiry
  readonly retention: Retention
}
