import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { serverInProcess } from './server-in-process.ts'

const network = setupServer()
beforeAll(() => network.listen({ onUnhandledRequest: 'error' }))
afterEach(() => network.resetHandlers())
afterAll(() => network.close())

const { post } = await serverInProcess({ OPENAI_API_KEY: 'sk-openai', MISTRAL_API_KEY: 'sk-mistral' })
const project_id = 'acme/streams'

/** Responds with a stream of these pieces; `breaks` cuts the connection after them. */
function streams(pieces: readonly (string | Uint8Array)[], { breaks = false } = {}) {
  const bodies: Record<string, unknown>[] = []
  network.use(
    http.post('*', async ({ request }) => {
      bodies.push((await request.json()) as Record<string, unknown>)
      const encoder = new TextEncoder()
      const left = [...pieces]
      const source = {
        pull(controller: ReadableStreamDefaultController<Uint8Array>) {
          const piece = left.shift()
          if (piece !== undefined) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
          else if (breaks) controller.error(new Error('cut'))
          else controller.close()
        },
      }
      // No read-ahead: the cut would discard what was buffered.
      const body = new ReadableStream(source, { highWaterMark: 0 })
      return new HttpResponse(body, { headers: { 'content-type': 'text/event-stream' } })
    }),
  )
  return bodies
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const piece = (delta: object, finish_reason: string | null = null, index = 0) =>
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index, delta, finish_reason }],
  })
const usage = event({ id: 'c', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })
const done = 'data: [DONE]\n\n'

async function ask(model = 'gpt-4o') {
  const inputs = { model, messages: [{ role: 'user', content: 'Hi' }] }
  const response = await post('/completions/create_stream', { project_id, inputs })
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const read = await post('/call/read', { project_id, id: lines[0]._meta.ext_call_id })
  const { call } = (await read.json()) as {
    call: { output: Output; exception: string | null; summary: { usage?: object } }
  }
  return { lines: lines.slice(1), call }
}
interface Output {
  choices: { index: number; message: { content: string | null; reasoning_content?: string; tool_calls?: object[] } }[]
}

describe('a stream', () => {
  test('requests usage and keeps it', async () => {
    const bodies = streams([
      piece({ role: 'assistant', content: 'He' }),
      piece({ content: 'llo' }, 'stop'),
      usage,
      done,
    ])
    const { lines, call } = await ask()
    expect(bodies[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(lines).toHaveLength(3)
    expect(call).toMatchObject({
      output: { choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] },
      summary: { usage: { 'gpt-4o': { requests: 1, total_tokens: 3 } } },
      exception: null,
    })
  })

  test('of mistral includes usage without a request for it', async () => {
    const bodies = streams([piece({ content: 'Hello' }, 'stop'), done])
    await ask('mistral-small-latest')
    expect(bodies[0]).not.toHaveProperty('stream_options')
  })

  test('may arrive in chunks of any size, with comments, CRLF and split characters', async () => {
    const text = `: keep-alive\r\n\r\n${piece({ content: 'Grüße 😀' }).replaceAll('\n', '\r\n')}${piece({}, 'stop')}${done}`
    const bytes = new TextEncoder().encode(text)
    streams(Array.from({ length: Math.ceil(bytes.length / 3) }, (_, at) => bytes.subarray(at * 3, at * 3 + 3)))
    const { call } = await ask()
    expect(call.output.choices[0]!.message.content).toBe('Grüße 😀')
    expect(call.exception).toBeNull()
  })

  test('may have several choices, reasoning and tool calls', async () => {
    const tool = (index: number, members: object) => ({ tool_calls: [{ index, ...members }] })
    streams([
      piece({ role: 'assistant', reasoning_content: 'Hm' }),
      piece({ content: 'second' }, 'stop', 1),
      piece({ reasoning_content: 'm.' }),
      piece(tool(0, { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x"' } })),
      piece(tool(1, { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } })),
      piece(tool(2, { function: { arguments: 'lost' } })),
      piece(tool(0, { function: { arguments: ':1}' } })),
      piece({}, 'tool_calls'),
      done,
    ])
    const { call } = await ask()
    expect(call.output.choices).toMatchObject([
      {
        index: 0,
        message: {
          content: null,
          reasoning_content: 'Hmm.',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
            { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
          ],
        },
      },
      { index: 1, message: { content: 'second' } },
    ])
  })
})

describe('a stream that fails midway ends with an error, and the call keeps the partial output', () => {
  test.each([
    [
      'with an error of the provider',
      [piece({ content: 'Hel' }), event({ error: { message: 'Overloaded', code: 529 } })],
      'Overloaded',
    ],
    ['with invalid JSON', [piece({ content: 'Hel' }), 'data: {"id"\n\n'], 'Invalid response from'],
    ['before the response is complete', [piece({ content: 'Hel' })], 'ended early'],
    ['and says it is done', [piece({ content: 'Hel' }), done], 'ended early'],
  ])('%s', async (_how, pieces, message) => {
    streams(pieces)
    const { lines, call } = await ask()
    expect(lines.at(-1).error).toContain(message)
    expect(call.exception).toBe(lines.at(-1).error)
    expect(call.output.choices[0]!.message.content).toBe('Hel')
  })

  test('with a broken connection', async () => {
    streams([piece({ content: 'Hel' })], { breaks: true })
    const { lines, call } = await ask()
    expect(lines.at(-1)).toHaveProperty('error')
    expect(call.output.choices[0]!.message.content).toBe('Hel')
    expect(call.exception).not.toBeNull()
  })
})
