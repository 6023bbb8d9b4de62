const key = 'key-of-the-packages-suite'
const startMsMax = 120_000

/** Variables for a server whose admin key is known here. */
export const serverVariables = { TRACELAKE_ADMIN_KEY: key, TRACELAKE_GRPC_PORT: 'off' } as const

/** A server that a package manager has started. */
export interface Started {
  readonly address: string
  /** Seconds until it listened, and until the first trace could be read. */
  readonly listening: number
  readonly traced: number
}

/**
 * Waits for the address that a server prints, opens its UI, sends a trace and reads it.
 *
 * @throws Error if the program ends before, or answers otherwise
 */
export async function firstTrace(child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>, startMs: number): Promise<Started> {
  const address = await printedAddress(child)
  const listening = seconds(startMs)
  const page = await fetch(`${address}/ui/`)
  if (!(await page.text()).includes('<div id=')) throw new Error(`Open the UI: answered ${page.status}`)
  await sendTrace(address, 'a-first-trace')
  if ((await countOf(address)) < 1) throw new Error('Read the trace: it is not there')
  return { address, listening, traced: seconds(startMs) }
}

export const countOf = async (address: string): Promise<number> => {
  const answer = await post(address, '/calls/query_stats', { project_id: 'acme/first' })
  return ((await answer.json()) as { count: number }).count
}

async function sendTrace(address: string, name: string): Promise<void> {
  const now = BigInt(Date.now()) * 1_000_000n
  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name,
    startTimeUnixNano: String(now - 1_000_000n),
    endTimeUnixNano: String(now),
  }
  const answer = await post(address, '/otel/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  if (!answer.ok) throw new Error(`Send a trace: answered ${answer.status}: ${await answer.text()}`)
}

const post = (address: string, path: string, body: object): Promise<Response> =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', project_id: 'acme/first' },
    body: JSON.stringify(body),
  })

async function printedAddress(child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>): Promise<string> {
  const timer = setTimeout(() => child.kill('SIGKILL'), startMsMax)
  const decoder = new TextDecoder()
  let printed = ''
  const reader = child.stdout.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`Start the server: it ended: ${printed}${await new Response(child.stderr).text()}`)
      printed += decoder.decode(value, { stream: true })
      const address = /listening on (http:\/\/[^\s/]+)/.exec(printed)?.[1]
      if (address !== undefined) return address
    }
  } finally {
    clearTimeout(timer)
    reader.releaseLock()
  }
}

export const seconds = (startMs: number): number => (performance.now() - startMs) / 1000
