import { DomainError } from '../../lib/errors.ts'

/** Where a server is, and how it is asked. */
export interface Server {
  readonly url: string
  readonly key: string
}

/** A call of a tool that an answer recommends. */
export interface Step {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly why: string
}

interface Response {
  readonly error?: { readonly message?: string }
  readonly result?: {
    readonly content: readonly { readonly text: string }[]
    readonly isError?: boolean
    readonly _meta?: { readonly 'tracelake/next'?: readonly Step[] }
  }
}

/**
 * Calls a tool for agents.
 *
 * @throws DomainError InvalidRequest with what the server answers; Error if it cannot be reached
 */
export async function callTool(
  { url, key }: Server,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<{ text: string; next: readonly Step[] }> {
  const address = `${url.replace(/\/+$/, '')}/mcp`
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  }).catch((cause: unknown) => {
    throw new Error(`Ask ${address}: the server cannot be reached; pass --url or set TRACELAKE_URL`, { cause })
  })
  const body = await answer.text()
  const { result, error } = parseResponse(body)
  if (result === undefined) {
    const why = error?.message ?? (answer.status === 401 ? 'the API key is not valid' : body.slice(0, 300))
    throw new DomainError('InvalidRequest', `Ask ${address}: ${why} (status ${answer.status})`)
  }
  const text = result.content.map((part) => part.text).join('\n')
  if (result.isError === true) throw new DomainError('InvalidRequest', text)
  return { text, next: result._meta?.['tracelake/next'] ?? [] }
}

/** The response, which comes as JSON or as one server-sent event. */
function parseResponse(body: string): Response {
  const event = body.split('\n').find((line) => line.startsWith('data: '))
  try {
    return JSON.parse(event === undefined ? body : event.slice('data: '.length)) as Response
  } catch {
    return {}
  }
}
