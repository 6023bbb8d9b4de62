import { describe, expect, test } from 'bun:test'
import { basic } from '../support/client.ts'
import { ask, type CompletionAnswer, providerKey, questionOf, serverWithStub } from '../support/completions.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject } from '../support/target.ts'
import { until } from '../support/until.ts'

const { server, stub } = await serverWithStub()
const fresh = () => freshProject(server.client)

describe('completions/create', () => {
  test('returns the response of the provider and stores it as a call', async () => {
    const project = fresh()
    const { status, json } = await ask(project, { temperature: 0.5, stop: null })
    expect(status).toBe(200)
    const usage = { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 }
    expect(json.response).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'You said: Hello there' }, finish_reason: 'stop' }],
      usage,
    })
    expect(json.span_id).toBe(json.ext_call_id)
    const call = await project.readExisting(json.ext_call_id!, { include_costs: true })
    expect(call).toMatchObject({
      op_name: 'ext.completions_create',
      trace_id: json.trace_id,
      parent_id: null,
      thread_id: null,
      inputs: questionOf(project, { temperature: 0.5, stop: null }).inputs,
      output: json.response,
      exception: null,
      summary: { usage: { 'gpt-4o-mini': { requests: 1, ...usage } }, ext: { status: 'success' } },
    })
    expect((call.summary.ext['costs'] as Record<string, object>)['gpt-4o-mini']).toMatchObject({
      prompt_tokens: 2,
      completion_tokens: 4,
    })
  })

  test('sends the provider the requested members and nothing else', async () => {
    const before = stub.requests.length
    await ask(fresh(), { model: 'openai/gpt-4o', seed: 7, n: null, timeout: 30, new_parameter: { a: 1.5 } })
    const [{ body, headers }] = stub.requests.slice(before) as [(typeof stub.requests)[number]]
    expect(body).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hello there' }],
      seed: 7,
      new_parameter: { a: 1.5 },
    })
    expect(headers.get('authorization')).toBe(`Bearer ${providerKey}`)
    expect([...headers.keys()].filter((name) => name.startsWith('x-'))).toEqual([])
  })

  test('sends and stores numbers verbatim and members in order', async () => {
    const project = fresh()
    const before = stub.requests.length
    const inputs =
      '{"model":"gpt-4o","temperature":1.0,"seed":12345678901234567890,"messages":[{"role":"user","content":"Hi"}],' +
      '"logit_bias":{"b":1,"50256":-100,"10":2e0},"timeout":30.0}'
    const body = `{"project_id":"${project.id}","inputs":${inputs}}`
    const { json } = await server.client.postRaw<CompletionAnswer>('/completions/create', body)
    expect(stub.requests[before]!.text).toBe(
      '{"model":"gpt-4o","messages":[{"role":"user","content":"Hi"}],"temperature":1.0,"seed":12345678901234567890,' +
        '"logit_bias":{"b":1,"50256":-100,"10":2e0}}',
    )
    const read = await server.client.post('/call/read', { project_id: project.id, id: json.ext_call_id })
    expect(read.text).toContain(`"inputs":${inputs}`)
  })

  test('creates the call in the requested trace, parent and thread', async () => {
    const project = fresh()
    const place = { trace_id: 'trace-1', parent_id: 'parent-1', conversation_id: 'talk-1' }
    const { json } = await ask(project, {}, { ...place, conversation_name: 'A talk', source: 'playground' })
    expect(json).toMatchObject({ trace_id: 'trace-1', conversation_id: 'talk-1' })
    expect(await project.readExisting(json.ext_call_id!)).toMatchObject({
      trace_id: 'trace-1',
      parent_id: 'parent-1',
      thread_id: 'talk-1',
      turn_id: null,
      attributes: { conversation_name: 'A talk', source: 'playground' },
    })
    const { json: root } = await ask(project, {}, { conversation_id: 'talk-1' })
    expect(await project.readExisting(root.ext_call_id!)).toMatchObject({
      thread_id: 'talk-1',
      turn_id: root.ext_call_id,
    })
  })

  test('is not stored if tracking is off', async () => {
    const project = fresh()
    const { json } = await ask(project, {}, { track_llm_call: false })
    expect(json).toMatchObject({ ext_call_id: null, span_id: null, trace_id: null, conversation_id: null })
    expect(json.response.choices).toHaveLength(1)
    expect(await project.query()).toEqual([])
  })

  test('renders templates for the provider and stores the unrendered text', async () => {
    const project = fresh()
    const inputs = {
      messages: [
        { role: 'system', content: 'Answer as JSON: {"answer": …}' },
        { role: 'assistant', content: 'Hello {name}' },
        { role: 'user', content: [{ type: 'text', text: 'I am {name}, {{not}} {age}' }] },
      ],
      template_vars: { name: 'Ada', age: 36 },
    }
    const before = stub.requests.length
    const { json } = await ask(project, inputs)
    expect(stub.requests[before]!.body['messages']).toEqual([
      { role: 'system', content: 'Answer as JSON: {"answer": …}' },
      { role: 'assistant', content: 'Hello {name}' },
      { role: 'user', content: [{ type: 'text', text: 'I am Ada, {not} 36' }] },
    ])
    expect((await project.readExisting(json.ext_call_id!)).inputs).toMatchObject(inputs)
  })

  test('forwards tool calls', async () => {
    const tool = {
      type: 'function',
      function: { name: 'look_up', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
    }
    const { json } = await ask(fresh(), { tools: [tool], tool_choice: 'required' })
    expect(json.response.choices![0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null, tool_calls: [{ function: { name: 'look_up', arguments: '{"q":"Hello there"}' } }] },
    })
  })

  test.each([
    ['stub-error', 'openai responded with status 500: The stub was asked to fail', 3],
    ['stub-busy', 'openai responded with status 429: The stub was asked to be busy', 3],
    ['stub-forbidden', 'openai responded with status 401: Incorrect API key provided', 1],
    ['stub-redirect', 'redirect (302); redirects are not followed', 1],
    ['stub-garbled', 'Invalid response from openai', 1],
    ['stub-blabber', 'The stub was given Bearer …', 1],
  ])(
    'returns 200 and stores the failure of %s',
    async (model, message, attempts) => {
      const project = fresh()
      const before = stub.requests.length
      const { status, json } = await ask(project, { model })
      expect(status).toBe(200)
      expect(json.response.error).toContain(message)
      expect(stub.requests.length - before).toBe(attempts)
      expect(await project.readExisting(json.ext_call_id!)).toMatchObject({
        output: null,
        exception: json.response.error!,
        summary: { ext: { status: 'error' } },
      })
    },
    120_000,
  )

  test.each([
    [
      { model: 'claude-sonnet-4' },
      'No API key for provider "anthropic": set the secret with "tracelake secrets set ANTHROPIC_API_KEY"',
    ],
    [{ model: 'azure/mine' }, 'secrets set AZURE_API_KEY'],
    [{ model: 'ollama/llama3' }, 'set TRACELAKE_OLLAMA_BASE_URL'],
    [{ model: 'bedrock/anthropic.claude' }, 'The provider "bedrock" is not supported'],
    [{ model: 'custom::house::llm' }, 'the object "house-llm" does not exist'],
    [{ template_vars: { a: 1 }, messages: [{ role: 'user', content: '{b}' }] }, 'Missing template variable "b"'],
    [{ prompt: 'greeting' }, 'The prompt "greeting" does not exist'],
    [{ extra_headers: { Host: 'elsewhere' } }, 'The header "Host" must not be sent'],
    [{ extra_headers: { api_key: 'sk-1\nx: y' } }, 'The API key for provider "openai" contains characters'],
    [{ timeout: -1 }, '`timeout` must be a positive number of seconds'],
  ])('returns 200 and stores nothing if no request can be sent: %j', async (inputs, message) => {
    const project = fresh()
    const { status, json } = await ask(project, inputs)
    expect(status).toBe(200)
    expect(json.response.error).toContain(message)
    expect(json).toMatchObject({ ext_call_id: null, trace_id: null })
    expect(await project.query()).toEqual([])
  })

  test('times out', async () => {
    const project = fresh()
    const { json } = await ask(project, { model: 'stub-slow', timeout: 0.2 })
    expect(json.response.error).toBe('The provider did not respond completely within 0.2 seconds')
    expect((await project.readExisting(json.ext_call_id!)).exception).toBe(json.response.error!)
  })

  test('ends the request to the provider when the client leaves', async () => {
    const project = fresh()
    const leaving = new AbortController()
    const before = stub.requests.length
    const left = fetch(`${server.client.address}/completions/create`, {
      method: 'POST',
      headers: { authorization: basic('api', server.client.key), 'content-type': 'application/json' },
      body: JSON.stringify(questionOf(project, { model: 'stub-slow' })),
      signal: leaving.signal,
    }).catch(() => 'left')
    await until(() => stub.requests.length > before)
    leaving.abort()
    await until(() => stub.requests[before]!.isAborted)
    expect(await left).toBe('left')
    await until(async () => (await project.query()).some(({ ended_at }) => ended_at !== null))
    const [call] = await project.query()
    expect(call!.exception).toBe('The client disconnected before the response was complete')
  }, 120_000)

  test('accepts an API key from the client and stores it nowhere', async () => {
    const project = fresh()
    const before = stub.requests.length
    const headers = { api_key: 'sk-mine', 'X-Auth-Token': 'tok-mine', Cookie: 'id=mine', 'X-Team': 'a' }
    const { json } = await ask(project, { extra_headers: headers })
    expect(stub.requests[before]!.headers.get('authorization')).toBe('Bearer sk-mine')
    expect(stub.requests[before]!.headers.get('x-team')).toBe('a')
    expect(stub.requests[before]!.headers.get('x-auth-token')).toBe('tok-mine')
    expect((await project.readExisting(json.ext_call_id!)).inputs['extra_headers']).toEqual({
      api_key: 'REDACTED',
      'X-Auth-Token': 'REDACTED',
      Cookie: 'REDACTED',
      'X-Team': 'a',
    })
  })

  test('requires write access to the project', async () => {
    const project = fresh()
    const reading = await server.createKey({ name: 'r', role: 'read', scope: '*' })
    const elsewhere = await server.createKey({ name: 'e', role: 'write', scope: 'elsewhere' })
    for (const key of [reading, elsewhere]) expect((await ask(project.withKey(key))).status).toBe(403)
  })

  test('reports what is invalid in a request', async () => {
    const project = fresh()
    const send = (body: unknown) => server.client.post('/completions/create', body)
    expectInvalid(await send({ project_id: project.id, inputs: { messages: [] } }), ['body', 'inputs', 'model'])
    expectInvalid(await send(questionOf(project, { messages: 'hello' })), ['body', 'inputs', 'messages'])
    for (const member of ['trace_id', 'parent_id']) {
      expectRefusal(await ask(project, {}, { [member]: 'no id' }), 422, `${member} "no id"`)
    }
    expectRefusal(await ask(project, {}, { conversation_id: '' }), 422, 'conversation_id')
  })
})
