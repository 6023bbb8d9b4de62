import type { ClientAuth, Configuration } from 'openid-client'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { OidcSettings } from '../../../runtime/config/oidc.ts'
import { systemOutboundHttp } from '../../../runtime/http/outbound-http.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { Claims, GroupAccess } from './group-access.ts'
import { SignInProblem, toSignInProblem } from './sign-in-problem.ts'

/** State of a sign-in attempt, remembered by the browser and the server. */
export interface AttemptSecrets {
  readonly state: string
  readonly nonce: string
  /** PKCE code verifier (RFC 7636). */
  readonly verifier: string
}

/** The tokens that the provider has issued for a user. */
export interface Tokens {
  readonly accessToken: string
  /** Milliseconds since 1970; undefined if the provider does not say. */
  readonly accessEndsMs: number | undefined
  readonly refreshToken: string | undefined
  readonly idToken: string | undefined
}

/** A user identified by the provider. */
export interface Vouched {
  readonly subject: string
  /** Those of the ID token, and of the UserInfo endpoint where the token states no groups. */
  readonly claims: Claims
  readonly tokens: Tokens
  /** Whether the groups can be requested from the provider again without the user. */
  readonly isCheckable: boolean
}

type Library = typeof import('openid-client')
type TokenResponse = Awaited<ReturnType<Library['refreshTokenGrant']>>

/**
 * The OpenID provider: discovery, authorization code with PKCE, refreshing. The library verifies
 * every ID token, including its signature.
 */
export class Provider {
  private readonly settings: OidcSettings
  private readonly groups: GroupAccess
  private readonly clock: Clock
  private found: { readonly config: Promise<Configuration>; readonly atMs: number } | undefined

  constructor(settings: OidcSettings, groups: GroupAccess, clock: Clock) {
    this.settings = settings
    this.groups = groups
    this.clock = clock
  }

  /** Secrets of a new attempt. */
  async newAttempt(): Promise<AttemptSecrets> {
    const { randomNonce, randomPKCECodeVerifier, randomState } = await library()
    return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
  }

  /** Where the browser has to go to sign in. @throws SignInProblem */
  async authorizationUrl({ state, nonce, verifier }: AttemptSecrets, redirectUri: string): Promise<URL> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
    const config = await this.discovered()
    return buildAuthorizationUrl(config, {
      ...this.settings.parameters,
      redirect_uri: redirectUri,
      scope: this.settings.scopes,
      response_type: 'code',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
  }

  /**
   * Redeems the code that the browser brought back.
   *
   * @param callback the redirect URI with the parameters of the response
   * @throws SignInProblem
   */
  async redeem(callback: URL, { state, nonce, verifier }: AttemptSecrets): Promise<Vouched> {
    return await during('redeem the code', async () => {
      const { authorizationCodeGrant } = await library()
      const config = await this.discovered()
      const response = await authorizationCodeGrant(config, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = response.claims()
      if (claims === undefined) throw new SignInProblem('invalid', 'redeem the code: there is no ID token')
      const tokens = this.tokensOf(response)
      const areStated = this.groups.isIn(claims)
      const canRefresh = tokens.refreshToken !== undefined
      // Groups that are only in the ID token cannot be requested again, so check whether the user
      // info endpoint returns them as well.
      const more =
        areStated && canRefresh ? {} : await this.userInfo(config, tokens, claims.sub, { isOptional: areStated })
      const isCheckable = canRefresh || (more !== undefined && (this.groups.isIn(more) || !areStated))
      return { subject: claims.sub, claims: { ...more, ...claims }, tokens, isCheckable }
    })
  }

  /**
   * Asks again for the claims of a user: with the refresh token, or with the access token alone.
   *
   * @throws SignInProblem `unreachable` if the provider does not answer; otherwise it no longer
   *   vouches for the user
   */
  async refresh(subject: string, before: Tokens): Promise<Vouched> {
    return await during('refresh the session', async () => {
      const { refreshTokenGrant } = await library()
      const config = await this.discovered()
      if (before.refreshToken === undefined) {
        const claims = (await this.userInfo(config, before, subject)) ?? {}
        return { subject, claims, tokens: before, isCheckable: true }
      }
      const response = await refreshTokenGrant(config, before.refreshToken)
      const claims = response.claims()
      if (claims !== undefined && claims.sub !== subject) {
        throw new SignInProblem('invalid', 'refresh the session: the ID token is of another user')
      }
      const tokens = this.tokensOf(response, before)
      const areStated = claims !== undefined && this.groups.isIn(claims)
      const more = areStated ? {} : await this.userInfo(config, tokens, subject)
      return { subject, claims: { ...more, ...claims }, tokens, isCheckable: true }
    })
  }

  /** Where the browser ends its session with the provider; undefined if the provider has none. */
  async logoutUrl(idToken: string | undefined, returnTo: string): Promise<string | undefined> {
    const { buildEndSessionUrl } = await library()
    const config = await this.discovered()
    if (config.serverMetadata().end_session_endpoint === undefined) return undefined
    const hint = idToken === undefined ? undefined : { id_token_hint: idToken }
    return buildEndSessionUrl(config, { ...hint, post_logout_redirect_uri: returnTo }).href
  }

  /**
   * Claims of the UserInfo endpoint, where some providers state the groups; undefined if there is
   * no endpoint, or if it is optional and fails.
   */
  private async userInfo(
    config: Configuration,
    { accessToken }: Tokens,
    subject: string,
    { isOptional = false } = {},
  ): Promise<Claims | undefined> {
    if (config.serverMetadata().userinfo_endpoint === undefined) return undefined
    const { fetchUserInfo } = await library()
    try {
      return await fetchUserInfo(config, accessToken, subject)
    } catch (cause) {
      if (isOptional) return undefined
      throw cause
    }
  }

  private tokensOf(response: TokenResponse, before?: Tokens): Tokens {
    const { access_token, refresh_token, id_token, expires_in } = response
    return {
      accessToken: access_token,
      accessEndsMs: expires_in === undefined ? undefined : this.clock.nowMs() + expires_in * 1000,
      // Providers that do not rotate refresh tokens do not repeat them.
      refreshToken: refresh_token ?? before?.refreshToken,
      idToken: id_token ?? before?.idToken,
    }
  }

  /** The provider's own description, read again from time to time. @throws SignInProblem */
  private async discovered(): Promise<Configuration> {
    const nowMs = this.clock.nowMs()
    let { found } = this
    if (found === undefined || Math.abs(nowMs - found.atMs) >= requestLimits.oidcDiscoveryMs) {
      found = { config: this.discover(), atMs: nowMs }
      this.found = found
    }
    try {
      return await found.config
    } catch (cause) {
      if (this.found === found) this.found = undefined
      throw toSignInProblem(cause, 'discover the provider')
    }
  }

  private async discover(): Promise<Configuration> {
    const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await library()
    const { issuer, clientId } = this.settings
    const config = await discovery(new URL(issuer), clientId, undefined, await this.clientAuth(), {
      [customFetch]: (url: string, init: RequestInit) => systemOutboundHttp.fetch(url, init),
      timeout: requestLimits.oidcTimeoutMs / 1000,
      // The settings allow plain HTTP on the same machine only.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    })
    // Signatures are verified even of tokens that came from the provider itself.
    enableNonRepudiationChecks(config)
    return config
  }

  /** How this server authenticates to the provider. */
  private async clientAuth(): Promise<ClientAuth> {
    const { ClientSecretBasic, ClientSecretPost, None } = await library()
    const { clientSecret, clientAuth } = this.settings
    if (clientSecret === undefined) return None()
    return (server, ...rest) => {
      const known = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      const isBasic = clientAuth === 'auto' ? known.includes('client_secret_basic') : clientAuth === 'basic'
      const prove = isBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret)
      prove(server, ...rest)
    }
  }
}

/** Loaded at the first use: most servers never need it. */
const library = (): Promise<Library> => import('openid-client')

/** @throws SignInProblem for every error */
async function during<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw toSignInProblem(cause, step)
  }
}
