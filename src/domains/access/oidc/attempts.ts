import { BoundedMap } from '../../../lib/bounded-map.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { cipherKeyBytes, seal, unseal } from '../../../runtime/platform/cipher.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { randomHex, sha256Hex } from '../../../runtime/platform/crypto.ts'
import type { AttemptSecrets } from './provider.ts'
import { SignInProblem } from './sign-in-problem.ts'

/** An attempt to sign in, from leaving for the provider until coming back. */
export interface Attempt extends AttemptSecrets {
  readonly redirectUri: string
  /** Path of the page to open afterwards. */
  readonly next: string
  readonly startedMs: number
}

/**
 * Attempts to sign in. The browser keeps each one in an encrypted cookie, so attempts take no
 * memory on the server, and only the browser that began an attempt can finish it. The encryption
 * key lives as long as the process.
 */
export class Attempts {
  private readonly clock: Clock
  private readonly key = Uint8Array.fromHex(randomHex(cipherKeyBytes))
  /** Attempts that were used, until they expire. */
  private readonly used = new BoundedMap<string, true>(requestLimits.signInsRemembered)

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** @returns the text for the cookie */
  seal(attempt: AttemptSecrets & Pick<Attempt, 'redirectUri' | 'next'>): string {
    const content: Attempt = { ...attempt, startedMs: this.clock.nowMs() }
    return seal(JSON.stringify(content), this.key, attempt.state).replaceAll('+', '-').replaceAll('/', '_')
  }

  /**
   * The attempt that an answer of the provider belongs to. Each is of use once.
   *
   * @throws SignInProblem `expired`, `invalid`
   */
  take(sealed: string | undefined, state: string): Attempt {
    if (sealed === undefined) throw new SignInProblem('expired', 'the browser has no attempt for this state')
    let attempt: Attempt
    try {
      const text = unseal(sealed.replaceAll('-', '+').replaceAll('_', '/'), this.key, state)
      attempt = JSON.parse(text)
    } catch {
      throw new SignInProblem('expired', 'the attempt was made before the server started, or for another state')
    }
    const ageMs = this.clock.nowMs() - attempt.startedMs
    if (ageMs > requestLimits.signInMs || ageMs < -requestLimits.signInMs)
      throw new SignInProblem('expired', 'the attempt is too old')
    if (this.used.has(state)) throw new SignInProblem('invalid', 'the attempt was used before')
    this.used.set(state, true)
    return attempt
  }
}

/** Names the cookie of an attempt, so that tabs do not disturb each other. */
export const attemptNameOf = (state: string): string => sha256Hex(state).slice(0, 8)
