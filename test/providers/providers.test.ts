import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { serverInProcess } from './server-in-process.ts'

const network = setupServer()
beforeAll(() => network.listen({ onUnhandledRequest: 'error' }))
afterEach(() => network.resetHandlers())
afterAll(() => network.close())

const keys = ['OPENAI', 'ANTHROPIC', 'GEMINI', 'MISTRAL', 'GROQ', 'XAI', 'DEEPSEEK', 'FIREWORKS', 'WANDB', 'AZURE']
const { post } = await serverInProcess({
  ...Object.fromEntries(keys.map((name) => [`${name}_API_KEY`, `sk-${name.toLowerCase()}`])),
  AZURE_API_BASE: 'https://mine.openai.azure.com/',
  AZURE_API_VERSION: '2024-10-21',
  TRACELAKE_OLLAMA_BASE_URL: 'http://127.0.0.1:11434/v1',
})

interface Outcome {
  response: { error?: string; choices?: { message: { content: string } }[] }
  ext_call_id: string | null
}

const project_id = 'acme/models'
const ask = async (inputs: Record<string, unknown>): Promise<Outcome> => {
  const messages = [{ role: 'user', content: 'Hi' }]
  return (await (await post('/completions/create', { project_id, inputs: { messages, ...inputs } })).json()) as Outcome
}
const readCall = async (id: string | null) => {
  const { call } = (await (await post('/call/read', { project_id, id, include_costs: true })).json()) as {
    call: {
      exception: string | null
      summary: { usage?: object; ext: { costs?: Record<string, Record<string, number>> } }
    }
  }
  return call
}

const completion = (model: string, usage: object = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }) => ({
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage,
})

/** Responds to every request and records it. */
function remember(answer: (request: Request) => Response | Promise<Response>) {
  const seen: { url: string; headers: Headers; body: Record<string, unknown> }[] = []
  network.use(
    http.all('*', async ({ request }) => {
      const body = (await request.clone().json()) as Record<string, unknown>
      seen.push({ url: request.url, headers: request.headers, body })
      return await answer(request)
    }),
  )
  return seen
}

describe('each provider gets its address, its key and its own model name', () => {
  test.each([
    ['gpt-4o', 'https://api.openai.com/v1', 'sk-openai', 'gpt-4o'],
    ['openai/gpt-4o', 'https://api.openai.com/v1', 'sk-openai', 'gpt-4o'],
    ['ft:gpt-4o:acme::1', 'https://api.openai.com/v1', 'sk-openai', 'ft:gpt-4o:acme::1'],
    ['a-model-of-next-year', 'https://api.openai.com/v1', 'sk-openai', 'a-model-of-next-year'],
    ['claude-sonnet-4-5', 'https://api.anthropic.com/v1', 'sk-anthropic', 'claude-sonnet-4-5'],
    ['gemini/gemini-2.5-pro', 'https://generativelanguage.googleapis.com/v1beta/openai', 'sk-gemini', 'gemini-2.5-pro'],
    ['mistral-large-latest', 'https://api.mistral.ai/v1', 'sk-mistral', 'mistral-large-latest'],
    ['groq/openai/gpt-oss-20b', 'https://api.groq.com/openai/v1', 'sk-groq', 'openai/gpt-oss-20b'],
    ['grok-4', 'https://api.x.ai/v1', 'sk-xai', 'grok-4'],
    ['deepseek-chat', 'https://api.deepseek.com/v1', 'sk-deepseek', 'deepseek-chat'],
    [
      'fireworks_ai/accounts/fireworks/models/qwen3',
      'https://api.fireworks.ai/inference/v1',
      'sk-fireworks',
      'accounts/fireworks/models/qwen3',
    ],
    ['wandb/deepseek-ai/DeepSeek-V3', 'https://api.inference.wandb.ai/v1', 'sk-wandb', 'deepseek-ai/DeepSeek-V3'],
    ['ollama/llama3.2', 'http://127.0.0.1:11434/v1', undefined, 'llama3.2'],
  ])('%s', async (model, baseUrl, key, sent) => {
    const seen = remember(() => HttpResponse.json(completion(sent)))
    expect((await ask({ model })).response.choices![0]!.message.content).toBe('Hello')
    expect(seen).toHaveLength(1)
    expect(seen[0]!.url).toBe(`${baseUrl}/chat/completions`)
    expect(seen[0]!.headers.get('authorization')).toBe(key === undefined ? null : `Bearer ${key}`)
    expect(seen[0]!.body['model']).toBe(sent)
  })

  test('azure/mine, with deployment and API version', async () => {
    const seen = remember(() => HttpResponse.json(completion('gpt-4o')))
    await ask({ model: 'azure/mine' })
    await ask({ model: 'azure/mine', api_version: '2025-01-01' })
    const address = 'https://mine.openai.azure.com/openai/deployments/mine/chat/completions?api-version='
    expect(seen.map(({ url }) => url)).toEqual([`${address}2024-10-21`, `${address}2025-01-01`])
    expect(seen[0]!.headers.get('api-key')).toBe('sk-azure')
    expect(seen[0]!.headers.get('authorization')).toBeNull()
  })

  test('mistral, which names two parameters differently', async () => {
    const seen = remember(() => HttpResponse.json(completion('m')))
    await ask({ model: 'mistral/mistral-small-latest', seed: 3, max_completion_tokens: 9 })
    expect(seen[0]!.body).toMatchObject({ random_seed: 3, max_tokens: 9 })
    expect(seen[0]!.body).not.toHaveProperty('seed')
  })
})

describe('usage', () => {
  test('keeps cached tokens and prices them as such', async () => {
    const usage = {
      prompt_tokens: 2000,
      completion_tokens: 100,
      total_tokens: 2100,
      prompt_tokens_details: { cached_tokens: 1500 },
    }
    remember(() => HttpResponse.json(completion('gpt-4o', usage)))
    const call = await readCall((await ask({ model: 'gpt-4o' })).ext_call_id)
    expect(call.summary.usage).toEqual({ 'gpt-4o': { requests: 1, ...usage } })
    const { prompt_tokens_total_cost, cache_read_input_tokens_total_cost } = call.summary.ext.costs!['gpt-4o']!
    expect(prompt_tokens_total_cost).toBeCloseTo(500 * 2.5e-6)
    expect(cache_read_input_tokens_total_cost).toBeCloseTo(1500 * 1.25e-6)
  })
})

describe('error responses of providers are passed on', () => {
  test.each([
    [
      'gpt-4o',
      400,
      { error: { message: 'Too long', type: 'invalid_request_error', code: 'context_length_exceeded' } },
      'Too long',
    ],
    [
      'claude-x',
      404,
      { type: 'error', error: { type: 'not_found_error', message: 'model: claude-x' } },
      'model: claude-x',
    ],
    [
      'gemini-x',
      400,
      [{ error: { code: 400, message: 'API key not valid', status: 'INVALID_ARGUMENT' } }],
      'API key not valid',
    ],
    [
      'mistral-x',
      422,
      { object: 'error', message: { detail: [{ msg: 'Extra inputs are not permitted' }] } },
      'Extra inputs',
    ],
    ['grok-x', 403, { code: 'permission-denied', error: 'No credits left' }, 'No credits left'],
    ['ollama/x', 404, { error: { message: 'model "x" not found' } }, 'model "x" not found'],
  ])('%s %d', async (model, status, body, message) => {
    const seen = remember(() => HttpResponse.json(body, { status }))
    const { response, ext_call_id } = await ask({ model })
    expect(response.error).toContain(`responded with status ${status}: `)
    expect(response.error).toContain(message)
    expect(seen).toHaveLength(1)
    expect((await readCall(ext_call_id)).exception).toBe(response.error!)
  })

  test('a body that is not JSON', async () => {
    remember(() => new HttpResponse('Bad gateway', { status: 404 }))
    expect((await ask({ model: 'gpt-4o' })).response.error).toContain('openai responded with status 404')
  })

  test('never with the API key', async () => {
    remember(() => HttpResponse.json({ error: { message: 'Incorrect API key: sk-openai' } }, { status: 401 }))
    const { response, ext_call_id } = await ask({ model: 'gpt-4o' })
    expect(response.error).toBe('openai responded with status 401: Incorrect API key: …')
    expect(JSON.stringify(await readCall(ext_call_id))).not.toContain('sk-openai')
  })

  test('an error in a 200 response', async () => {
    remember(() => HttpResponse.json({ error: { message: 'Upstream is down', code: 502 } }))
    expect((await ask({ model: 'gpt-4o' })).response.error).toBe('Upstream is down')
  })
})

describe('transient failures are retried', () => {
  test.each([
    ['too many requests', () => new HttpResponse(null, { status: 429, headers: { 'retry-after-ms': '1' } })],
    ['overloaded', () => new HttpResponse(null, { status: 529, headers: { 'retry-after-ms': '1' } })],
    ['a lost connection', () => HttpResponse.error()],
  ])(
    '%s',
    async (_what, trouble) => {
      let attempts = 0
      remember(() => (++attempts === 1 ? trouble() : HttpResponse.json(completion('gpt-4o'))))
      expect((await ask({ model: 'gpt-4o' })).response.choices).toHaveLength(1)
      expect(attempts).toBe(2)
    },
    120_000,
  )

  test('but not forever', async () => {
    const seen = remember(() => HttpResponse.error())
    expect((await ask({ model: 'gpt-4o' })).response.error).toStartWith('Cannot connect to openai')
    expect(seen).toHaveLength(3)
  }, 120_000)
})
