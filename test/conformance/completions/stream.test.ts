import { describe, expect, test } from 'bun:test'
import { basic } from '../support/client.ts'
import { questionOf, serverWithStub, stream } from '../support/completions.ts'
import type { Project } from '../support/project.ts'
import { freshProject } from '../support/target.ts'
import { until } from '../support/until.ts'

const { server, stub } = await serverWithStub()
const fresh = () => freshProject(server.client)

interface Meta {
  _meta: { ext_call_id: string; span_id: string; trace_id: string; conversation_id: string | null }
}

describe('completions/create_stream', () => {
  test('sends the ids first, then the chunks; the call stores the full response', async () => {
    const project = fresh()
    const [meta, ...chunks] = (await stream(project)) as unknown as [Meta, ...Record<string, unknown>[]]
    const { ext_call_id, span_id, trace_id } = meta._meta
    expect(span_id).toBe(ext_call_id)
    expect(chunks.every(({ object }) => object === 'chat.completion.chunk')).toBe(true)
    const usage = { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 }
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
    expect(await project.readExisting(ext_call_id)).toMatchObject({
      op_name: 'ext.completions_create',
      trace_id,
      inputs: questionOf(project).inputs,
      output: {
        object: 'chat.completion',
        choices: [
          { index: 0, message: { role: 'assistant', content: 'You said: Hello there' }, finish_reason: 'stop' },
        ],
        usage,
      },
      summary: { usage: { 'gpt-4o-mini': { requests: 1, ...usage } }, ext: { status: 'success' } },
    })
  })

  test('assembles tool calls', async () => {
    const project = fresh()
    const tool = {
      type: 'function',
      function: { name: 'look_up', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
    }
    const [meta] = (await stream(project, { tools: [tool], tool_choice: 'required' })) as unknown as [Meta]
    const { output } = await project.readExisting(meta._meta.ext_call_id)
    expect(output).toMatchObject({
      choices: [
        {
          message: {
            content: null,
            tool_calls: [
              { id: 'call_stub', type: 'function', function: { name: 'look_up', arguments: '{"q":"Hello there"}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    })
  })

  test('with `retry` false, reports the first error with the body of the provider and its wait', async () => {
    const asked = stub.requests.length
    const lines = await stream(fresh(), { model: 'stub-limited' }, { retry: false })
    expect(stub.requests.length).toBe(asked + 1)
    expect(lines.at(-1)).toEqual({
      error: 'openai responded with status 429: The stub wants you to wait',
      provider_answer: {
        status: 429,
        retry_after_ms: 30_000,
        body: '{"error":{"message":"The stub wants you to wait","type":"rate_limit_exceeded","param":null,"code":null}}',
      },
    })
  })

  test('from the playground has a kind and an op of its own', async () => {
    const project = fresh()
    const [meta] = (await stream(project, {}, { source: 'playground' })) as unknown as [Meta]
    const call = await project.readExisting(meta._meta.ext_call_id)
    expect(call).toMatchObject({
      op_name: 'playground.completion',
      attributes: { kind: 'playground', source: 'playground' },
    })
  })

  test('has no ids if the call is not stored', async () => {
    const project = fresh()
    const lines = await stream(project, {}, { track_llm_call: false })
    expect(lines[0]).toMatchObject({ object: 'chat.completion.chunk' })
    expect(await project.query()).toEqual([])
  })

  test('is a single error line if no request can be sent', async () => {
    expect(await stream(fresh(), { model: 'claude-x' })).toEqual([
      { error: expect.stringContaining('ANTHROPIC_API_KEY') },
    ])
  })

  test('ends with an error line if the provider returns an error', async () => {
    const project = fresh()
    const lines = await stream(project, { model: 'stub-forbidden' })
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatchObject({ error: 'openai responded with status 401: Incorrect API key provided' })
    const [call] = await project.query()
    expect(call).toMatchObject({ exception: lines[1]!['error'] as string, output: null })
  })

  test('ends with an error line if the stream breaks, and stores what was received', async () => {
    const project = fresh()
    const lines = await stream(project, { model: 'stub-broken' })
    expect(lines.at(-1)).toEqual({ error: expect.stringContaining('openai') })
    const [call] = await project.query()
    expect(call!.output).toMatchObject({ choices: [{ message: { content: 'You said:' }, finish_reason: null }] })
    expect(call!.summary.ext['status']).toBe('error')
  })

  test('aborts the request to the provider when the client disconnects', async () => {
    const project = fresh()
    const leaving = new AbortController()
    const response = await post(project, { model: 'stub-slow' }, leaving.signal)
    const reader = response.body!.getReader()
    const { value } = await reader.read()
    const { _meta } = JSON.parse(new TextDecoder().decode(value)) as Meta
    expect((await project.readExisting(_meta.ext_call_id)).ended_at).toBeNull()
    await reader.read()
    const seen = stub.requests.findLast(({ body }) => body['model'] === 'stub-slow')!
    leaving.abort()
    await until(() => seen.isAborted)
    await until(async () => (await project.readExisting(_meta.ext_call_id)).ended_at !== null)
    expect((await project.readExisting(_meta.ext_call_id)).exception).toBe(
      'The client disconnected before the response was complete',
    )
  }, 120_000)

  test('names the ids in the dialect', async () => {
    const other = await serverWithStub({ TRACELAKE_DIALECT: 'weave' })
    const project = freshProject(other.server.client)
    const [meta] = await stream(project)
    expect(Object.keys(meta!['_meta'] as object)).toEqual(['weave_call_id', 'span_id', 'trace_id', 'conversation_id'])
    const { json } = await project.client.post('/completions/create', questionOf(project))
    expect(json).toHaveProperty('weave_call_id')
    expect((await project.query()).map((call) => call.op_name)).toEqual([
      'weave.completions_create',
      'weave.completions_create',
    ])
  }, 120_000)
})

const post = ({ client, id }: Project, inputs: Record<string, unknown>, signal: AbortSignal): Promise<Response> =>
  fetch(`${client.address}/completions/create_stream`, {
    method: 'POST',
    headers: { authorization: basic('api', client.key), 'content-type': 'application/json' },
    body: JSON.stringify(questionOf({ id } as Project, inputs)),
    signal,
  })
