/// <reference path="./oidc-provider.d.ts" />
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenIdProvider, { type Context } from 'oidc-provider'

/** A person whom the provider knows. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly groups: readonly string[]
}

const clientId = 'tracelake'
const clientSecret = 'the-secret-of-the-client'

type TokenBody = Record<string, unknown>

interface ProviderOptions {
  readonly people: Readonly<Record<string, Person>>
  /** Further settings of the client and of the provider. */
  readonly client?: object
  readonly settings?: object
  /** Whether people see pages of the provider; otherwise the account of `login_hint` signs in. */
  readonly hasPages?: boolean
}

/** A real OpenID provider (`oidc-provider`) with people of the test's choice. */
export class TestProvider implements AsyncDisposable {
  readonly issuer: string
  readonly people: Map<string, Person>
  /** Replaces the body of an answer of the token endpoint. */
  tamper: ((body: TokenBody) => TokenBody | Promise<TokenBody>) | undefined
  /** Answers with 503 while set. */
  isDown = false
  /** Requests that were answered with 503. */
  refused = 0
  /** Requests of the token endpoint. */
  tokenRequests = 0
  private readonly server: ReturnType<typeof createServer>

  private constructor(server: ReturnType<typeof createServer>, people: Map<string, Person>) {
    this.server = server
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.people = people
  }

  static async start(options: ProviderOptions): Promise<TestProvider> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const started = new TestProvider(server, new Map(Object.entries(options.people)))
    const answer = started.open(options).callback()
    server.on('request', (request, response) => {
      if (started.isDown) {
        started.refused++
        response.writeHead(503).end()
      } else void answer(request, response)
    })
    return started
  }

  /** Settings of a server whose users sign in here. */
  settings(access: string): Record<string, string> {
    return {
      TRACELAKE_OIDC_ISSUER: this.issuer,
      TRACELAKE_OIDC_CLIENT_ID: clientId,
      TRACELAKE_OIDC_CLIENT_SECRET: clientSecret,
      TRACELAKE_OIDC_NAME: 'Example ID',
      TRACELAKE_OIDC_ACCESS: access,
    }
  }

  /** Moves a person into other groups. */
  regroup(id: string, ...groups: string[]): void {
    this.people.set(id, { ...this.people.get(id)!, groups })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private open({ client, settings, hasPages = false }: ProviderOptions): OpenIdProvider {
    const provider = new OpenIdProvider(this.issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: ['https://registered.example.com/'],
          grant_types: ['authorization_code', 'refresh_token'],
          ...client,
        },
      ],
      claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: hasPages } },
      pkce: { required: () => true },
      issueRefreshToken: async (_context: unknown, one: { grantTypeAllowed(type: string): boolean }) =>
        one.grantTypeAllowed('refresh_token'),
      findAccount: async (_context: unknown, id: string) => {
        const person = this.people.get(id)
        return person && { accountId: id, claims: async () => ({ sub: id, ...person, email_verified: true }) }
      },
      cookies: { keys: ['a-key-of-the-test'] },
      ttl: { AccessToken: 3600, Grant: 3600, IdToken: 3600, Interaction: 600, RefreshToken: 3600, Session: 3600 },
      ...settings,
    })
    // Servers of tests listen on any free port.
    provider.Client.prototype['redirectUriAllowed'] = (uri: string) => uri.endsWith('/ui/oidc/callback')
    provider.Client.prototype['postLogoutRedirectUriAllowed'] = (uri: string) => uri.endsWith('/ui/login')
    provider.use(async (context, next) => {
      if (!hasPages && context.path.startsWith('/interaction/')) return await decide(provider, context)
      await next()
      if (context.path !== '/token') return
      this.tokenRequests++
      if (this.tamper !== undefined) context.body = await this.tamper(context.body as TokenBody)
    })
    return provider
  }
}

/** Signs in the account of `login_hint`, or cancels for `cancels`, and grants what is asked for. */
async function decide(provider: OpenIdProvider, { req, res }: Context): Promise<void> {
  const { params, prompt, session } = await provider.interactionDetails(req, res)
  const accountId = params['login_hint']
  if (accountId === 'cancels') {
    await provider.interactionFinished(req, res, { error: 'access_denied', error_description: 'cancelled' })
  } else if (prompt.name === 'login') {
    await provider.interactionFinished(req, res, { login: { accountId } })
  } else {
    const grant = new provider.Grant({ accountId: session?.accountId, clientId: params['client_id'] })
    grant.addOIDCScope(params['scope']!)
    await provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } })
  }
}
