/**
 * The APIs of three providers as coding agents use them: asked for the first time, the model wants
 * a command to be run; given its result, it answers.
 */
export function startProviderStub() {
  return Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
}

const command = 'echo hello-from-tool'
const reply = 'The tool said hello.'

interface Body {
  readonly model?: string
  readonly stream?: boolean
  readonly messages?: unknown
  readonly input?: unknown
  readonly contents?: unknown
  readonly tools?: readonly { name?: string; functionDeclarations?: readonly { name: string }[] }[]
  readonly generationConfig?: { readonly responseMimeType?: string; readonly responseJsonSchema?: unknown }
}

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const body = (await request.json().catch(() => ({}))) as Body
  if (pathname.endsWith('/v1/messages')) return anthropic(body)
  if (pathname.endsWith('/responses')) return openAi(body)
  if (/generatecontent/i.test(pathname)) return gemini(body, pathname.includes('stream'))
  if (pathname.endsWith('/count_tokens')) return Response.json({ input_tokens: 10 })
  if (pathname.includes('/models')) return Response.json({ object: 'list', data: [], models: [] })
  return Response.json({}, { status: 404 })
}

let requests = 0

function anthropic({ model, messages, tools = [], stream }: Body): Response {
  // Claude Code and OpenCode spell it differently.
  const shell = tools.map(({ name }) => name ?? '').find((name) => /^bash$/i.test(name))
  const wantsTool = shell !== undefined && !JSON.stringify(messages).includes('tool_result')
  const input = { command, description: 'Say hello' }
  const content = wantsTool
    ? { type: 'tool_use', id: `toolu_${requests}`, name: shell, input }
    : { type: 'text', text: reply }
  const usage = {
    input_tokens: 120,
    output_tokens: 30,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 200,
  }
  const stop_reason = wantsTool ? 'tool_use' : 'end_turn'
  const message = { id: `msg_${requests++}`, type: 'message', role: 'assistant', model, stop_sequence: null }
  const headers = { 'request-id': `req_${requests}` }
  if (stream !== true) return Response.json({ ...message, content: [content], stop_reason, usage }, { headers })
  const started = { ...message, content: [], stop_reason: null, usage }
  const [block, delta] = wantsTool
    ? [
        { ...content, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      ]
    : [
        { type: 'text', text: '' },
        { type: 'text_delta', text: reply },
      ]
  return events(
    [
      { type: 'message_start', message: started },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
    headers,
  )
}

const shells = ['shell', 'exec_command', 'shell_command']

function openAi({ model, input, tools = [] }: Body): Response {
  const shell = tools.map(({ name }) => name ?? '').find((name) => shells.includes(name))
  const wantsTool = shell !== undefined && !JSON.stringify(input).includes('function_call_output')
  const asked =
    shell === 'exec_command' ? { cmd: command } : { command: shell === 'shell' ? ['bash', '-lc', command] : command }
  const item = wantsTool
    ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: shell, arguments: JSON.stringify(asked) }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: reply, annotations: [] }],
      }
  const id = `resp_${requests++}`
  const usage = {
    input_tokens: 1320,
    input_tokens_details: { cached_tokens: 1000 },
    output_tokens: 40,
    output_tokens_details: { reasoning_tokens: 10 },
    total_tokens: 1360,
  }
  const response = { id, object: 'response', status: 'completed', model, output: [item], usage }
  return events([
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ])
}

function gemini({ contents, tools = [], generationConfig }: Body, isStream: boolean): Response {
  const names = tools.flatMap(({ functionDeclarations }) => (functionDeclarations ?? []).map(({ name }) => name))
  const hasResult = JSON.stringify(contents).includes('functionResponse')
  const wantsTool = names.includes('run_shell_command') && !hasResult
  const wantsJson =
    generationConfig?.responseJsonSchema !== undefined || generationConfig?.responseMimeType === 'application/json'
  const routing = { reasoning: 'simple', complexity_reasoning: 'simple', complexity_score: 10, model_choice: 'flash' }
  const part = wantsJson
    ? { text: JSON.stringify({ ...routing, next_speaker: 'user' }) }
    : wantsTool
      ? { functionCall: { name: 'run_shell_command', args: { command, description: 'Say hello' } } }
      : { text: reply }
  const chunk = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: 1320,
      candidatesTokenCount: 30,
      totalTokenCount: 1360,
      cachedContentTokenCount: 1000,
      thoughtsTokenCount: 10,
    },
    modelVersion: 'gemini-2.5-pro',
    responseId: `r${requests++}`,
  }
  return isStream ? events([chunk]) : Response.json(chunk)
}

/** Server-sent events, named by their types. */
function events(list: readonly Readonly<Record<string, unknown>>[], headers: Record<string, string> = {}): Response {
  const text = list.map((event) => {
    const { type } = event
    const name = typeof type === 'string' ? `event: ${type}\n` : ''
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })
  return new Response(text.join(''), { headers: { ...headers, 'content-type': 'text/event-stream' } })
}
