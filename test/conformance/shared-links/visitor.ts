import type { Client } from '../support/client.ts'
import type { Project } from '../support/project.ts'

/** A link as the server answers it; `path` only when it is made. */
export interface Link {
  readonly id: string
  readonly project_id: string
  readonly trace_id: string
  readonly created_at: string
  readonly expires_at: string
  readonly ext_user_id: string
  readonly ext_username: string | null
  readonly path: string
}

/** Makes a link, and answers the response. */
export const makeLink = ({ client, id }: Project, traceId: string, seconds = 3600) =>
  client.post<Link>('/shared_links/create', { project_id: id, trace_id: traceId, expires_in_seconds: seconds })

/** What the page of a link learns when it opens it. */
export interface Opened {
  readonly ended: 'expired' | 'revoked' | null
  readonly project_id?: string
  readonly trace_id?: string
  readonly expires_at?: string
}

/** A browser of somebody who has nothing but a link. */
export class Visitor {
  cookie: string | undefined
  private readonly address: string
  private readonly id: string
  private readonly secret: string | undefined

  /** @param path of the link, as the server answered it */
  constructor({ address }: Pick<Client, 'address'>, path: string) {
    const [page = '', secret] = path.split('#')
    this.address = address
    this.id = page.split('/').at(-1) ?? ''
    this.secret = secret
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return await fetch(`${this.address}/ui/shared/${this.id}${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.cookie !== undefined && { cookie: this.cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  /** Opens the link, with its secret unless another is given. */
  async open(secret = this.secret, headers: Record<string, string> = {}): Promise<Response> {
    const response = await this.send('POST', '/open', secret === undefined ? {} : { secret }, headers)
    this.cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? this.cookie
    return response
  }

  /** Status and JSON of an operation; of its text if that is no JSON. */
  async ask(path: string, body: unknown): Promise<{ status: number; text: string }> {
    const response = await this.send('POST', `/api${path}`, body)
    return { status: response.status, text: await response.text() }
  }
}
