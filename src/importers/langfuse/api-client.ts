import { systemOutboundHttp } from '../../runtime/http/outbound-http.ts'
import { ServerClient } from '../sender/server-client.ts'

export type Members = Record<string, unknown>

const pageSize = 50

/** The public API of a Langfuse server. Requests are repeated while it is overloaded. */
export class LangfuseApi {
  private readonly client: ServerClient

  /** @param key the public and the secret key, with a colon between them */
  constructor(url: string, key: string) {
    this.client = new ServerClient({ url, key, project: '' }, systemOutboundHttp, () => {})
  }

  /** The elements of a list, page by page. */
  async *list(path: string, parameters: Readonly<Record<string, string>> = {}): AsyncGenerator<Members> {
    for (let page = 1; ; page++) {
      const query = new URLSearchParams({ ...parameters, page: String(page), limit: String(pageSize) })
      const { data } = await this.read(`${path}?${query}`)
      const list = Array.isArray(data) ? (data as Members[]) : []
      yield* list
      if (list.length < pageSize) return
    }
  }

  /** @throws Error if the server refuses */
  async read(path: string): Promise<Members> {
    const found = await this.find(path)
    if (found === undefined) throw new Error(`Langfuse answered 404 to ${path}`)
    return found
  }

  /** The same; undefined if there is nothing at that path. */
  async find(path: string): Promise<Members | undefined> {
    const { status, text } = await this.client.get(path)
    if (status === 404 || status === 410) return undefined
    if (status >= 400) throw new Error(`Langfuse answered ${status} to ${path}: ${text.slice(0, 300)}`)
    return JSON.parse(text) as Members
  }
}
