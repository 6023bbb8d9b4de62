import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { FailedAttempts } from '../access/failed-attempts.ts'
import { LoginLinks } from './login-links.ts'
import { Sessions } from './sessions.ts'

interface LoginOptions {
  readonly dataFolder: string
  readonly access: Access
  readonly clock: Clock
  readonly log: Log
}

/** A session that was just opened. */
export interface Login {
  readonly caller: Caller
  readonly token: string
}

/** Logging in to the web UI. */
export class Logins {
  readonly sessions: Sessions
  readonly links: LoginLinks
  private readonly access: Access
  private readonly failures: FailedAttempts

  private constructor(sessions: Sessions, { dataFolder, access, clock, log }: LoginOptions) {
    this.sessions = sessions
    this.links = new LoginLinks(dataFolder, clock)
    this.access = access
    this.failures = new FailedAttempts({
      clock,
      log,
      attemptsMax: limits.wrongLoginsMax,
      refillMs: limits.wrongLoginRefillMs,
      what: 'failed logins',
    })
  }

  static async open(options: LoginOptions): Promise<Logins> {
    return new Logins(await Sessions.open(options), options)
  }

  /**
   * Opens a session with an API key.
   *
   * @param address of the client; beyond ten failures a minute it gets 429 whatever it sends
   * @throws DomainError Unauthorized, TooManyRequests, Overloaded
   */
  withKey(key: string, address: string): Promise<Login> {
    return this.logIn(address, () => this.access.identify(key.trim()), 'The API key is not valid')
  }

  /** Opens a session with the secret of a login link. @throws as `withKey` */
  withLink(once: string, address: string): Promise<Login> {
    const redeem = async () => ((await this.links.redeem(once)) ? await this.requireOperator() : undefined)
    return this.logIn(
      address,
      redeem,
      'The login link was already used or has expired; "tracelake open" makes a new one',
    )
  }

  private async logIn(address: string, identify: () => Promise<Caller | undefined>, failure: string): Promise<Login> {
    if (this.failures.isBarred(address)) this.failures.refuse()
    const caller = await identify()
    if (caller === undefined) {
      this.failures.add(address)
      throw new DomainError('Unauthorized', failure)
    }
    return { caller, token: await this.sessions.open(caller) }
  }

  private async requireOperator(): Promise<Caller> {
    const caller = await this.access.operator()
    if (caller !== undefined) return caller
    throw new DomainError(
      'Unauthorized',
      'There is no admin key with scope "*"; "tracelake keys create --name admin --role admin" makes one',
    )
  }
}
