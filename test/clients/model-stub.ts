/**
 * The APIs of OpenAI and Google as frameworks use them: a model that is offered a tool and has no
 * result of it yet wants the first one to be called; otherwise it answers.
 */
export function startModelStub() {
  return Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
}

const reply = 'It is sunny in Paris.'
const toolArguments = { city: 'Paris' }

interface Body {
  readonly model?: string
  readonly stream?: boolean
  readonly messages?: readonly { readonly role: string }[]
  readonly input?: unknown
  readonly contents?: unknown
  readonly tools?: readonly {
    readonly name?: string
    readonly function?: { readonly name: string }
    readonly functionDeclarations?: readonly { readonly name: string }[]
  }[]
}

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const body = (await request.json().catch(() => ({}))) as Body
  if (pathname.endsWith('/chat/completions')) return body.stream === true ? chatStream(body) : chat(body)
  if (pathname.endsWith('/responses')) return responses(body)
  if (pathname.endsWith(':generateContent')) return gemini(body)
  // Some send usage data of their own; they do without an answer.
  return Response.json({}, { status: 404 })
}

const usage = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 100 },
}
let requests = 0

/** The tool to call, if there is one to be called. */
const wantedTool = ({ tools = [], messages = [] }: Body): string | undefined =>
  messages.some(({ role }) => role === 'tool') ? undefined : tools[0]?.function?.name

function chat(body: Body): Response {
  const tool = wantedTool(body)
  const call = { id: 'call_1', type: 'function', function: { name: tool, arguments: JSON.stringify(toolArguments) } }
  const message = {
    role: 'assistant',
    ...(tool === undefined ? { content: reply } : { content: null, tool_calls: [call] }),
  }
  return Response.json({
    ...{ id: `chatcmpl-${requests++}`, object: 'chat.completion', created: 1_700_000_000, model: body.model },
    choices: [{ index: 0, message, finish_reason: tool === undefined ? 'stop' : 'tool_calls' }],
    usage,
  })
}

function chatStream(body: Body): Response {
  const tool = wantedTool(body)
  const call = { index: 0, id: 'call_1', type: 'function' }
  const delta =
    tool === undefined
      ? { role: 'assistant', content: reply }
      : { tool_calls: [{ ...call, function: { name: tool, arguments: JSON.stringify(toolArguments) } }] }
  const head = {
    id: `chatcmpl-${requests++}`,
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: body.model,
  }
  const chunks = [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: tool === undefined ? 'stop' : 'tool_calls' }] },
    { ...head, choices: [], usage },
  ]
  const text = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}

function responses({ model, input, tools = [] }: Body): Response {
  const tool = JSON.stringify(input ?? '').includes('function_call_output') ? undefined : tools[0]?.name
  const item =
    tool === undefined
      ? {
          ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: reply, annotations: [] }],
        }
      : {
          ...{ type: 'function_call', id: 'fc_1', call_id: 'call_1', status: 'completed', name: tool },
          arguments: JSON.stringify(toolArguments),
        }
  return Response.json({
    ...{ id: `resp_${requests++}`, object: 'response', created_at: 1_700_000_000, status: 'completed', model },
    ...{ output: [item], tools: [], tool_choice: 'auto', parallel_tool_calls: true },
    usage: {
      ...{ input_tokens: 120, output_tokens: 30, total_tokens: 150 },
      input_tokens_details: { cached_tokens: 100 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  })
}

function gemini({ contents, tools = [] }: Body): Response {
  const hasResult = JSON.stringify(contents ?? '').includes('functionResponse')
  const tool = hasResult ? undefined : tools[0]?.functionDeclarations?.[0]?.name
  const part = tool === undefined ? { text: reply } : { functionCall: { name: tool, args: toolArguments } }
  return Response.json({
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      ...{ promptTokenCount: 120, candidatesTokenCount: 30, totalTokenCount: 150 },
      cachedContentTokenCount: 100,
    },
    modelVersion: 'gemini-2.5-flash',
    responseId: `r${requests++}`,
  })
}
