import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** What a tool answered. */
export interface ToolAnswer {
  readonly text: string
  readonly isError: boolean
  /** Its next steps as data. */
  readonly next: readonly { readonly tool: string; readonly args: Record<string, unknown> }[]
}

/** A client of the Model Context Protocol, with the package that agents use. */
export class Agent {
  readonly client: Client

  private constructor(client: Client) {
    this.client = client
  }

  static async connect(address: string, key: string, project?: string): Promise<Agent> {
    const url = new URL(`${address}/mcp`)
    if (project !== undefined) url.searchParams.set('project', project)
    const client = new Client({ name: 'conformance', version: '1' })
    const headers = { authorization: `Bearer ${key}` }
    // Its types do not know `exactOptionalPropertyTypes`.
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
    await client.connect(transport as unknown as Parameters<Client['connect']>[0])
    return new Agent(client)
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name)
  }

  async call(tool: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const result = await this.client.callTool({ name: tool, arguments: args })
    const [{ text }] = result.content as [{ text: string }]
    const next = (result._meta?.['tracelake/next'] ?? []) as ToolAnswer['next']
    return { text, isError: result.isError === true, next }
  }

  close(): Promise<void> {
    return this.client.close()
  }
}
