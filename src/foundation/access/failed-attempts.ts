import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'

interface Attempts {
  /** Attempts that are still free; they come back one by one. */
  left: number
  atMs: number
  /** Told to the log since it last had all of them. */
  isTold: boolean
}

/**
 * Counts wrong keys by the address that they come from, each with a budget that fills up again. Beyond it a wrong key is 429 instead of 401,
 * and is not looked for on the disk. A right key is let in all the same: whoever shares an address with somebody else is not locked out.
 */
export class FailedAttempts {
  private readonly clock: Clock
  private readonly log: Log
  /** In the order in which they came last, so that the oldest makes room. */
  private readonly byAddress = new Map<string, Attempts>()

  constructor(clock: Clock, log: Log) {
    this.clock = clock
    this.log = log
  }

  /** Whether an address has used up what it may get wrong. */
  isBarred(address: string): boolean {
    const attempts = this.byAddress.get(address)
    return attempts !== undefined && this.refilled(attempts) < 1
  }

  /** Takes down a wrong key. @throws DomainError TooManyRequests */
  add(address: string): void {
    const known = this.byAddress.get(address)
    const left = known === undefined ? limits.wrongKeysMax : this.refilled(known)
    const isTold = known?.isTold === true && left < limits.wrongKeysMax
    const attempts: Attempts = { left: Math.max(left - 1, 0), atMs: this.clock.nowMs(), isTold }
    this.byAddress.delete(address)
    this.byAddress.set(address, attempts)
    if (this.byAddress.size > limits.wrongKeyAddressesMax) {
      this.byAddress.delete(this.byAddress.keys().next().value!)
    }
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
