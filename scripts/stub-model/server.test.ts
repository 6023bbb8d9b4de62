import { afterAll, expect, test } from 'bun:test'
import { startStubModel } from './server.ts'

const stub = startStubModel({ answers: { 'How far is the moon?': 'About 384,400 km.' } })
afterAll(() => stub.stop())

const ask = async (request: Record<string, unknown>) => {
  const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello there' }], ...request })
  return await fetch(`${stub.url}/chat/completions`, { method: 'POST', body })
}
const contentOf = async (request: Record<string, unknown>): Promise<unknown> => {
  const { choices } = (await (await ask(request)).json()) as { choices: { message: { content: string } }[] }
  return choices[0]!.message.content
}

test('echoes its input and counts words', async () => {
  expect(await (await ask({})).json()).toMatchObject({
    object: 'chat.completion',
    model: 'any',
    choices: [{ index: 0, message: { role: 'assistant', content: 'You said: Hello there' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 },
  })
})

test('gives canned answers', async () => {
  const messages = [{ role: 'user', content: 'How far is the moon?' }]
  expect(await contentOf({ messages })).toBe('About 384,400 km.')
})

test('returns JSON that matches the schema', async () => {
  const schema = {
    type: 'object',
    properties: { verdict: { enum: ['good', 'bad'] }, score: { type: 'number' }, why: { type: 'string' } },
  }
  const content = await contentOf({ response_format: { type: 'json_schema', json_schema: { name: 'v', schema } } })
  expect(JSON.parse(content as string)).toEqual({ verdict: 'good', score: 1, why: 'Hello there' })
})

test('streams the same answer in chunks', async () => {
  const text = await (await ask({ stream: true, stream_options: { include_usage: true } })).text()
  const events = text.split('\n\n').filter((event) => event !== '')
  expect(events.at(-1)).toBe('data: [DONE]')
  const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice(6)))
  const said = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')
  expect(said).toBe('You said: Hello there')
  expect(chunks.at(-1).usage).toEqual({ prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 })
})

test('simulates failures on request', async () => {
  expect((await ask({ model: 'stub-busy' })).status).toBe(429)
  expect(await (await ask({ model: 'stub-broken', stream: true })).text()).toEndWith('\n\ndata: {"id": "chatcmpl-st')
})
