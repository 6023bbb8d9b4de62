import { expect, test } from 'bun:test'
import { exportOf, groupOf, send, spanOf } from '../support/otlp.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

interface Messages {
  messages: { source: string; role: string; name: string | null; parts: Record<string, unknown>[] }[]
  model: string | null
  tools: { name: string; description: string | null }[]
  is_truncated: boolean
}

const ask = (project: Project, callId: string) =>
  server.post<Messages>('/call/messages', { project_id: project.id, call_id: callId })

async function messagesOf(project: Project, callId: string): Promise<Messages> {
  const answer = await ask(project, callId)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}

test('returns the conversation of a call, with numbers as sent', async () => {
  const project = freshProject(server)
  const start = `{"project_id":"${project.id}","id":"a","op_name":"chat","started_at":"2024-05-01T10:00:00Z",
    "attributes":{},"inputs":{"model":"gpt-4o","messages":[{"role":"user","content":"Hi","name":"ann"},
    {"role":"tool","tool_call_id":"t","content":{"total":1.0,"id":12345678901234567890}}]}}`
  expect((await server.postRaw('/call/start', `{"start":${start}}`)).status).toBe(200)
  await project.end({ id: 'a', output: { choices: [{ message: { role: 'assistant', content: 'Hello' } }] } })
  expect(await messagesOf(project, 'a')).toEqual({
    messages: [
      { source: 'inputs', role: 'user', name: 'ann', parts: [{ type: 'text', text: 'Hi' }] },
      {
        source: 'inputs',
        role: 'tool',
        name: null,
        parts: [
          {
            type: 'tool_result',
            id: 't',
            name: null,
            content: '{"total":1.0,"id":12345678901234567890}',
            is_error: false,
          },
        ],
      },
      { source: 'output', role: 'assistant', name: null, parts: [{ type: 'text', text: 'Hello' }] },
    ],
    model: 'gpt-4o',
    tools: [],
    is_truncated: false,
  })
})

test('names the file of a picture that was stored as one', async () => {
  const project = freshProject(server)
  const url = `data:image/png;base64,${'iVBORw0KGgoA'.repeat(1000)}`
  await project.complete({
    id: 'a',
    inputs: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
  })
  const [message] = (await messagesOf(project, 'a')).messages
  const [part] = message!.parts
  expect(part).toMatchObject({ type: 'image', url: null, data: null })
  expect(part!['digest']).toMatch(/^[\w-]{43}$/)
})

test('returns the conversation of an ingested span', async () => {
  const project = freshProject(server)
  const attributes = {
    'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'Rules' }]),
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'add', arguments: { a: 1 } }] },
    ]),
    'gen_ai.request.model': 'gpt',
  }
  const span = spanOf({ attributes })
  await send(server, exportOf(groupOf([span])), 'json', { headers: { project_id: project.id } })
  const { messages, model } = await messagesOf(project, String(span['spanId']))
  expect(messages.map(({ source, role, parts }) => [source, role, parts])).toEqual([
    ['inputs', 'system', [{ type: 'text', text: 'Rules' }]],
    ['inputs', 'user', [{ type: 'text', text: 'Hi' }]],
    ['output', 'assistant', [{ type: 'tool_call', id: 'c', name: 'add', arguments: '{"a":1}' }]],
  ])
  expect(model).toBe('gpt')
})

test('leaves out what is too long', async () => {
  const project = freshProject(server)
  await project.complete({
    id: 'a',
    inputs: { messages: [{ role: 'user', content: 'x'.repeat(9 * 1024 * 1024) }] },
    output: { role: 'assistant', content: 'Too long' },
  })
  const { messages, is_truncated } = await messagesOf(project, 'a')
  expect(messages.map(({ source }) => source)).toEqual(['output'])
  expect(is_truncated).toBe(true)
})

test('has none for a call without a conversation', async () => {
  const project = freshProject(server)
  await project.complete({ id: 'a', inputs: { x: 1 }, output: 2 })
  expect(await messagesOf(project, 'a')).toEqual({ messages: [], model: null, tools: [], is_truncated: false })
})

test('rejects an unknown call', async () => {
  const project = freshProject(server)
  expectRefusal(await ask(project, 'unknown'), 404, '"unknown"')
  expectInvalid(await server.post('/call/messages', { project_id: project.id }), ['body', 'call_id'])
})
