import { DomainError } from '../../errors.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'

interface Attempts {
  /** Attempts left; refilled one at a time. */
  left: number
  atMs: number
  /** Whether this was logged since the budget was last full. */
  isTold: boolean
}

/**
 * Rate-limits invalid keys per client address. Beyond its budget an address gets 429 instead of
 * 401, and its keys are no longer looked up on disk. Valid keys are always accepted, so clients
 * that share an address are not locked out.
 */
export class FailedAttempts {
  private readonly clock: Clock
  private readonly log: Log
  private readonly byAddress = new BoundedMap<string, Attempts>(limits.wrongKeyAddressesMax)

  constructor(clock: Clock, log: Log) {
    this.clock = clock
    this.log = log
  }

  /** Whether an address has used up its budget. */
  isBarred(address: string): boolean {
    const attempts = this.byAddress.get(address)
    return attempts !== undefined && this.refilled(attempts) < 1
  }

  /** Records an invalid key. @throws DomainError TooManyRequests */
  add(address: string): void {
    const known = this.byAddress.get(address)
    const left = known === undefined ? limits.wrongKeysMax : this.refilled(known)
    const isTold = known?.isTold === true && left < limits.wrongKeysMax
    const attempts: Attempts = { left: Math.max(left - 1, 0), atMs: this.clock.nowMs(), isTold }
    this.byAddress.set(address, attempts)
    if (left >= 1) return
    if (!isTold) {
      attempts.isTold = true
      this.log.warn({ address }, 'too many requests with invalid API keys; answering further ones with 429')
    }
    throw new DomainError('TooManyRequests', 'Too many requests with invalid API keys; try again in a moment')
  }

  private refilled({ left, atMs }: Attempts): number {
    const passedMs = Math.max(this.clock.nowMs() - atMs, 0)
    return Math.min(left + passedMs / limits.wrongKeyRefillMs, limits.wrongKeysMax)
  }
}
