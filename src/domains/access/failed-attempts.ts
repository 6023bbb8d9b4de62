import { BoundedMap } from '../../lib/bounded-map.ts'
import { DomainError } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'

interface AttemptOptions {
  readonly clock: Clock
  readonly log: Log
  /** Attempts that an address has, and the interval at which it regains one. */
  readonly attemptsMax: number
  readonly refillMs: number
  /** The attempted action, as named in messages: `requests with invalid API keys`. */
  readonly what: string
}

interface Attempts {
  /** Attempts left; refilled one at a time. */
  left: number
  atMs: number
  /** Whether this was logged since the budget was last full. */
  isTold: boolean
}

/**
 * Rate-limits invalid credentials per client address. Beyond its budget an address gets 429 instead
 * of 401. See docs/decisions/085-wrong-keys-and-idle-connections.md.
 */
export class FailedAttempts {
  private readonly options: AttemptOptions
  private readonly byAddress = new BoundedMap<string, Attempts>(requestLimits.wrongKeyAddressesMax)

  constructor(options: AttemptOptions) {
    this.options = options
  }

  /** Whether an address has used up its budget. */
  isBarred(address: string): boolean {
    const attempts = this.byAddress.get(address)
    return attempts !== undefined && this.refilled(attempts) < 1
  }

  /** Records an invalid key. @throws DomainError TooManyRequests */
  add(address: string): void {
    const { attemptsMax, clock, log, what } = this.options
    const known = this.byAddress.get(address)
    const left = known === undefined ? attemptsMax : this.refilled(known)
    const isTold = known?.isTold === true && left < attemptsMax
    const attempts: Attempts = { left: Math.max(left - 1, 0), atMs: clock.nowMs(), isTold }
    this.byAddress.set(address, attempts)
    if (left >= 1) return
    if (!isTold) {
      attempts.isTold = true
      log.warn({ address }, `too many ${what}; answering further ones with 429`)
    }
    this.refuse()
  }

  /** @throws DomainError TooManyRequests */
  refuse(): never {
    throw new DomainError('TooManyRequests', `Too many ${this.options.what}; try again in a moment`)
  }

  private refilled({ left, atMs }: Attempts): number {
    const { attemptsMax, clock, refillMs } = this.options
    const passedMs = Math.max(clock.nowMs() - atMs, 0)
    return Math.min(left + passedMs / refillMs, attemptsMax)
  }
}
