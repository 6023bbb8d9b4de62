import { DomainError } from '../../../lib/errors.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { Documents } from '../../../runtime/documents/documents.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { Access } from '../access.ts'
import type { Caller } from '../caller.ts'
import { FailedAttempts } from '../failed-attempts.ts'
import type { AccountSession } from '../oidc/account-session.ts'
import type { OpenId } from '../oidc/open-id.ts'
import { SignInProblem } from '../oidc/sign-in-problem.ts'
import { LoginLinks } from './login-links.ts'
import { Sessions } from './sessions.ts'

interface LoginOptions {
  readonly documents: Documents
  readonly access: Access
  /** Undefined if there is no OpenID provider. */
  readonly openId?: OpenId | undefined
  readonly clock: Clock
  readonly log: Log
}

/** A session that was just opened. */
export interface Login {
  readonly caller: Caller
  readonly token: string
}

/** Problems that count as failed logins: each costs the provider a request. */
const countedProblems: ReadonlySet<string> = new Set(['invalid', 'refused'])

/** Logging in to the web UI. */
export class Logins {
  readonly sessions: Sessions
  readonly links: LoginLinks
  readonly openId: OpenId | undefined
  private readonly access: Access
  private readonly failures: FailedAttempts

  private constructor(sessions: Sessions, { documents, access, openId, clock, log }: LoginOptions) {
    this.sessions = sessions
    this.links = new LoginLinks(documents, clock)
    this.access = access
    this.openId = openId
    this.failures = new FailedAttempts({
      clock,
      log,
      attemptsMax: requestLimits.wrongLoginsMax,
      refillMs: requestLimits.wrongLoginRefillMs,
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

  /**
   * Opens a session with the secret of a login link.
   *
   * @throws as `withKey`; DomainError Forbidden if there is no key to sign in with
   */
  withLink(once: string, address: string): Promise<Login> {
    const redeem = async () => ((await this.links.redeem(once)) ? await this.requireOperator() : undefined)
    return this.logIn(
      address,
      redeem,
      'The login link was already used or has expired; "tracelake open" makes a new one',
    )
  }

  /**
   * Opens a session for a person who comes back from the OpenID provider.
   *
   * @param answer parameters that the provider passed through the browser
   * @param sealed what the browser kept of the attempt, if anything
   * @throws SignInProblem
   */
  async withProvider(
    answer: URLSearchParams,
    sealed: string | undefined,
    address: string,
  ): Promise<Login & { readonly next: string }> {
    if (this.openId === undefined) throw new SignInProblem('invalid', 'no OpenID provider is configured')
    if (this.failures.isBarred(address)) throw new SignInProblem('busy', 'too many failed logins')
    try {
      const { session, next } = await this.openId.finish(answer, sealed)
      return { ...(await this.opened(this.openId, session)), next }
    } catch (cause) {
      if (cause instanceof SignInProblem && countedProblems.has(cause.code)) this.count(address)
      throw cause
    }
  }

  private async opened(openId: OpenId, session: AccountSession): Promise<Login> {
    const caller = openId.callerOf(session)
    if (caller === undefined) throw new SignInProblem('no-access', 'no group gives access')
    try {
      return { caller, token: await this.sessions.open(caller, session) }
    } catch (cause) {
      if (cause instanceof DomainError) throw new SignInProblem('busy', cause.message)
      throw cause
    }
  }

  private count(address: string): void {
    try {
      this.failures.add(address)
    } catch {
      // Further attempts are refused; this one already was.
    }
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
      'Forbidden',
      'There is no admin key with scope "*"; "tracelake keys create --name admin --role admin" makes one',
    )
  }
}
