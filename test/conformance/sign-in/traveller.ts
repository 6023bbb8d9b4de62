/** A browser that follows redirects between the server and its OpenID provider. */
export class Traveller {
  readonly address: string
  /** Cookies by origin and name. */
  readonly cookies = new Map<string, Map<string, string>>()

  /** @param address of the server, with its base path */
  constructor(address: string) {
    this.address = address
  }

  /** Sends one request, as a page of the server does unless headers say otherwise. */
  async send(method: string, url: string, options: { headers?: Record<string, string>; body?: unknown } = {}) {
    const { origin } = new URL(url)
    const jar = this.jarOf(origin)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(method !== 'GET' && { 'sec-fetch-site': 'same-origin' }),
        ...(cookie !== '' && { cookie }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(set)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return response
  }

  /** Leaves for the provider. @returns the address that the provider sends the browser back to */
  async leave(account: string, next = ''): Promise<string> {
    const start = await this.send('GET', `${this.address}/ui/oidc/start?next=${encodeURIComponent(next)}`)
    const location = start.headers.get('location')
    if (start.status !== 302 || location === null) throw new Error(`Leave for the provider: ${start.status}`)
    if (location.startsWith('/')) return location
    const asked = new URL(location)
    asked.searchParams.set('login_hint', account)
    let url = asked.href
    for (let hop = 0; hop < 10; hop++) {
      const response = await this.send('GET', url)
      const to = response.headers.get('location')
      if (to === null) throw new Error(`Follow ${url}: ${response.status} ${await response.text()}`)
      url = new URL(to, url).href
      if (new URL(url).pathname.endsWith('/ui/oidc/callback')) return url
    }
    throw new Error('Sign in: too many redirects')
  }

  /** Signs in as an account of the provider. @returns the answer to coming back */
  async signIn(account: string, next?: string): Promise<Response> {
    return await this.send('GET', this.local(await this.leave(account, next)))
  }

  /** The session as the server sees it. */
  async session(): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await this.send('GET', `${this.address}/ui/session`)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  post(path: string, body: unknown): Promise<Response> {
    return this.send('POST', `${this.address}/ui/api${path}`, { body })
  }

  /** A public address of the server as this machine reaches it. */
  local(url: string): string {
    const { pathname, search } = new URL(url, this.address)
    return new URL(this.address).origin + pathname + search
  }

  private jarOf(origin: string): Map<string, string> {
    const jar = this.cookies.get(origin) ?? new Map<string, string>()
    this.cookies.set(origin, jar)
    return jar
  }
}

/** The problem that a refused sign-in tells the login page about. */
export function problemOf(response: Response): string | null {
  const location = response.headers.get('location')
  return location === null ? null : new URL(location, 'http://x').searchParams.get('problem')
}
