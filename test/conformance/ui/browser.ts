/** A browser with one cookie jar, as far as the server can tell. */
export class Browser {
  readonly address: string
  /** `name=value`; undefined while logged out. */
  cookie: string | undefined

  constructor(address: string) {
    this.address = address
  }

  /** Sends a request as a page of the server does. */
  async send(method: string, path: string, options: { body?: unknown; headers?: Record<string, string> } = {}) {
    const headers: Record<string, string> = {
      'sec-fetch-site': 'same-origin',
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(this.cookie !== undefined && { cookie: this.cookie }),
      ...options.headers,
    }
    const response = await fetch(this.address + path, {
      method,
      headers,
      redirect: 'manual',
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })
    const set = response.headers.getSetCookie()[0]
    if (set !== undefined) this.cookie = set.startsWith('tracelake_session=;') ? undefined : set.split(';')[0]!
    return response
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('GET', path, { headers })
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('POST', path, { body, headers })
  }

  /** Whether the cookie, or another one, opens a session now. */
  async isLoggedIn(cookie = this.cookie): Promise<boolean> {
    const response = await this.get('/ui/session', cookie === undefined ? {} : { cookie })
    if (response.status !== 200) throw new Error(`Read the session: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { user_id: string | null }).user_id !== null
  }

  /** Logs in with a key. @throws unless the server accepts it */
  async logIn(key: string): Promise<this> {
    const response = await this.post('/ui/session', { key })
    if (response.status !== 200) throw new Error(`Log in: ${response.status} ${await response.text()}`)
    return this
  }
}
