import { requestLimits } from '../../../lib/limits/requests.ts'
import type { OidcSettings } from '../../../runtime/config/oidc.ts'
import type { Log } from '../../../runtime/log.ts'
import { seal, unseal } from '../../../runtime/platform/cipher.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { AccountRecord, Accounts } from '../accounts.ts'
import { Caller } from '../caller.ts'
import type { SealingKey } from '../secrets/sealing-key.ts'
import type { AccountSession } from './account-session.ts'
import { Attempts, attemptNameOf } from './attempts.ts'
import { type Claims, GroupAccess } from './group-access.ts'
import { Provider, type Tokens, type Vouched } from './provider.ts'
import { SignInProblem, toSignInProblem } from './sign-in-problem.ts'

interface OpenIdOptions {
  readonly settings: OidcSettings
  readonly accounts: Accounts
  /** Encrypts tokens. */
  readonly key: SealingKey
  readonly clock: Clock
  readonly log: Log
}

/** An attempt to sign in that was begun. */
interface Begun {
  /** Where the browser has to go. */
  readonly url: URL
  /** The cookie that the browser has to send back: name and value. */
  readonly attemptName: string
  readonly sealed: string
}

/**
 * Signing in through an OpenID provider, and what its groups allow. See
 * docs/decisions/175-openid-sign-in.md.
 */
export class OpenId {
  /** Name of the provider. */
  readonly name: string
  private readonly settings: OidcSettings
  private readonly groups: GroupAccess
  private readonly provider: Provider
  private readonly attempts: Attempts
  private readonly accounts: Accounts
  private readonly key: SealingKey
  private readonly clock: Clock
  private readonly log: Log
  private failedAtMs = Number.NEGATIVE_INFINITY

  /** @throws ConfigError if the access of a group is malformed */
  constructor({ settings, accounts, key, clock, log }: OpenIdOptions) {
    this.name = settings.name
    this.settings = settings
    this.groups = new GroupAccess(settings)
    this.provider = new Provider(settings, this.groups, clock)
    this.attempts = new Attempts(clock)
    this.accounts = accounts
    this.key = key
    this.clock = clock
    this.log = log
  }

  /** Begins to sign in. @param next path of the page to open afterwards @throws SignInProblem */
  async begin({ redirectUri, next }: { redirectUri: string; next: string }): Promise<Begun> {
    try {
      const secrets = await this.provider.newAttempt()
      return {
        url: await this.provider.authorizationUrl(secrets, redirectUri),
        attemptName: attemptNameOf(secrets.state),
        sealed: this.attempts.seal({ ...secrets, redirectUri, next }),
      }
    } catch (cause) {
      throw toSignInProblem(cause, 'begin')
    }
  }

  /**
   * Finishes signing in.
   *
   * @param answer parameters that the provider gave the browser
   * @param sealed what the browser kept of the attempt
   * @throws SignInProblem
   */
  async finish(
    answer: URLSearchParams,
    sealed: string | undefined,
  ): Promise<{ session: AccountSession; next: string }> {
    const attempt = this.attempts.take(sealed, answer.get('state') ?? '')
    const callback = new URL(attempt.redirectUri)
    callback.search = answer.toString()
    const vouched = await this.provider.redeem(callback, attempt)
    const groups = [...this.groups.groupsIn(vouched.claims)]
    if (this.groups.grantsOf(groups).length === 0) {
      throw new SignInProblem('no-access', `no group gives access; the provider states ${groups.length} groups`)
    }
    const { id } = await this.record(vouched)
    const { issuer } = this.settings
    const nowMs = this.clock.nowMs()
    const lastsMs = vouched.isCheckable
      ? this.settings.sessionMs
      : Math.min(this.settings.sessionMs, requestLimits.oidcUncheckedMs)
    const session = {
      id,
      issuer,
      subject: vouched.subject,
      groups,
      is_checkable: vouched.isCheckable,
      checked_ms: nowMs,
      ends_ms: nowMs + lastsMs,
    }
    return { session: await this.sealedIn(session, vouched.tokens), next: attempt.next }
  }

  /**
   * Access of a session, by the groups as last stated; undefined if there is none, or if the
   * session belongs to another provider.
   */
  callerOf({ id, issuer, groups }: AccountSession): Caller | undefined {
    if (issuer !== this.settings.issuer) return undefined
    const grants = this.groups.grantsOf(groups)
    if (grants.length === 0) return undefined
    return new Caller({ userId: id, userName: this.accounts.find(id)?.name ?? id, credential: 'account', grants })
  }

  /** Whether the groups of a session have to be requested again. */
  isStale({ is_checkable, checked_ms }: AccountSession): boolean {
    // A clock that was set back must not keep groups for longer.
    return is_checkable && Math.abs(this.clock.nowMs() - checked_ms) >= this.settings.checkMs
  }

  /**
   * Asks the provider for the groups again.
   *
   * @returns the session as it is from now on; undefined if it has ended; the same if the provider
   *   does not answer and has not been silent for too long
   * @throws SignInProblem `unreachable` if it has
   */
  async check(session: AccountSession): Promise<AccountSession | undefined> {
    const nowMs = this.clock.nowMs()
    if (Math.abs(nowMs - this.failedAtMs) < requestLimits.oidcRetryMs) return this.outlast(session)
    try {
      const vouched = await this.provider.refresh(session.subject, await this.openTokens(session))
      const groups = this.groups.groupsIn(vouched.claims)
      if (this.groups.grantsOf(groups).length > 0) {
        return await this.sealedIn({ ...session, groups: [...groups], checked_ms: nowMs }, vouched.tokens)
      }
      this.log.info({ account: session.id }, 'a session has ended: no group gives access any more')
    } catch (cause) {
      const problem = toSignInProblem(cause, 'check a session')
      if (problem.code === 'unreachable') {
        this.failedAtMs = nowMs
        this.log.warn({ reason: problem.message }, 'the OpenID provider does not answer')
        return this.outlast(session)
      }
      this.log.info({ account: session.id, reason: problem.message }, 'a session has ended: it could not be refreshed')
    }
    return undefined
  }

  /** Where to end the user's session with the provider too; undefined if that is not possible. */
  async logoutUrl(session: AccountSession, returnTo: string): Promise<string | undefined> {
    try {
      return await this.provider.logoutUrl((await this.openTokens(session)).idToken, returnTo)
    } catch {
      // The session here has ended all the same.
      return undefined
    }
  }

  private outlast(session: AccountSession): AccountSession {
    const sinceMs = Math.abs(this.clock.nowMs() - session.checked_ms)
    if (sinceMs < this.settings.checkMs + requestLimits.oidcOutageMs) return session
    throw new SignInProblem('unreachable', 'the groups of the session could not be checked for too long')
  }

  private record({ subject, claims }: Vouched): Promise<AccountRecord> {
    return this.accounts.signedIn({
      issuer: this.settings.issuer,
      subject,
      name: textIn(claims, 'name') ?? textIn(claims, 'preferred_username') ?? textIn(claims, 'email'),
      email: textIn(claims, 'email'),
    })
  }

  private async sealedIn(session: Omit<AccountSession, 'sealed'>, tokens: Tokens): Promise<AccountSession> {
    const key = await this.key.getOrMake()
    return { ...session, sealed: seal(JSON.stringify(tokens), key, session.id) }
  }

  private async openTokens({ id, sealed }: AccountSession): Promise<Tokens> {
    const key = await this.key.getOrMake()
    try {
      return JSON.parse(unseal(sealed, key, id))
    } catch {
      throw new SignInProblem('expired', 'the tokens were encrypted with another key')
    }
  }
}

function textIn(claims: Claims, name: string): string | undefined {
  const value = claims[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
