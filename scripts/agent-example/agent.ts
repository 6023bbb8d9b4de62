import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { countTokens } from 'gpt-tokenizer'

interface Step {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** An answer of a tool. */
export interface Answered {
  readonly text: string
  /** Calls that continue, as the answer names them. */
  readonly next: readonly Step[]
}

/** An agent without a model: it calls tools, prints the exchange, and counts its tokens. */
export class ExampleAgent {
  private readonly client: Client
  /** Tokens that a model would read and write. */
  tokens = { read: 0, written: 0, calls: 0 }

  private constructor(client: Client) {
    this.client = client
  }

  static async connect(url: string, key: string): Promise<ExampleAgent> {
    const client = new Client({ name: 'agent-example', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    })
    // Its types do not know `exactOptionalPropertyTypes`.
    await client.connect(transport as unknown as Parameters<Client['connect']>[0])
    return new ExampleAgent(client)
  }

  /** The tokens that the descriptions of the tools take in each conversation. */
  async toolTokens(): Promise<{ tools: number; tokens: number }> {
    const { tools } = await this.client.listTools()
    return { tools: tools.length, tokens: countTokens(JSON.stringify(tools)) }
  }

  async call({ tool, args }: Step): Promise<Answered> {
    const result = await this.client.callTool({ name: tool, arguments: args })
    const [{ text }] = result.content as [{ text: string }]
    const question = `${tool} ${JSON.stringify(args)}`
    const [written, read] = [countTokens(question), countTokens(text)]
    this.tokens = {
      read: this.tokens.read + read,
      written: this.tokens.written + written,
      calls: this.tokens.calls + 1,
    }
    console.log(`\n>>> ${question}  [${written} tokens]\n${text}\n<<< [${read} tokens]`)
    if (result.isError === true) throw new Error(`${tool}: ${text}`)
    return { text, next: (result._meta?.['tracelake/next'] ?? []) as Step[] }
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

/** The step of an answer that calls a tool. @throws Error if there is none */
export function stepTo({ next }: Answered, tool: string, why: (args: Step['args']) => boolean = () => true): Step {
  const step = next.find((one) => one.tool === tool && why(one.args))
  if (step === undefined) throw new Error(`The answer names no step to ${tool}`)
  return step
}
