import { expect, test } from 'bun:test'
import { sharedServer } from '../support/target.ts'
import { traceIds, travelProject } from './travel-spans.ts'

const client = await sharedServer()
const project = await travelProject(client)
const ask = async <Answer>(path: string, request: object): Promise<Answer> => {
  const answer = await client.post<Answer>(path, { project_id: project.id, ...request })
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  return answer.json
}

interface Chat {
  messages: { type: string }[]
}

test('a trace as a conversation', async () => {
  const chat = await ask<Chat>('/agents/traces/chat', { trace_id: traceIds[0] })
  expect(chat).toMatchObject({
    trace_id: traceIds[0],
    root_span_name: 'invoke_agent guide',
    agent_name: 'guide',
    agent_version: '1',
    provider: 'stub',
    total_duration_ms: 10_000,
    total_input_tokens: 10,
    total_output_tokens: 2,
  })
  expect(chat.messages.map(({ type }) => type)).toEqual([
    'user_message',
    'agent_start',
    'assistant_message',
    'tool_call',
  ])
  expect(chat.messages).toMatchObject([
    { user_message: { text: 'How tall is the tower?' } },
    { agent_name: 'guide', agent_start: { model: 'test-model', system_instructions: 'Be brief' } },
    { assistant_message: { text: '330 metres', input_tokens: 10, duration_ms: 2000 } },
    { tool_call: { tool_name: 'height', tool_arguments: '{"of":"tower"}', tool_result: '{"metres":330}' } },
  ])
})

test('a trace that does not exist has no messages', async () => {
  const chat = await ask('/agents/traces/chat', { trace_id: 'f'.repeat(32) })
  expect(chat).toMatchObject({ messages: [], root_span_name: null, total_input_tokens: 0 })
})

test('the turns of a conversation, the latest page first', async () => {
  const chat = (more: object) => ask('/agents/conversations/chat', { conversation_id: 'talk', ...more })
  expect(await chat({})).toMatchObject({
    conversation_id: 'talk',
    turns: [{ trace_id: traceIds[0] }, { trace_id: traceIds[1], total_input_tokens: 11 }],
    total_turns: 2,
    has_more: false,
  })
  expect(await chat({ limit: 1 })).toMatchObject({ turns: [{ trace_id: traceIds[1] }], total_turns: 2, has_more: true })
  expect(await chat({ limit: 1, offset: 1 })).toMatchObject({ turns: [{ trace_id: traceIds[0] }], has_more: false })
})

test('the spans of conversations', async () => {
  const request = { conversation_ids: ['talk', 'silence'] }
  const { conversations } = await ask<{ conversations: { spans: object[] }[] }>('/agents/conversations/spans', request)
  expect(conversations).toMatchObject([
    { conversation_id: 'talk', spans_feedback: [] },
    { conversation_id: 'silence', spans: [] },
  ])
  expect(conversations[0]!.spans).toHaveLength(6)
  expect(conversations[0]!.spans[0]).toMatchObject({
    trace_id: traceIds[0],
    operation_name: 'invoke_agent',
    status: 'UNSET',
    duration_ms: 10_000,
  })
})

interface Found {
  results: { matched_messages: { role: string; content_preview: string }[] }[]
  total_conversations: number
}

test('a search in messages', async () => {
  const found = await ask<Found>('/agents/search', { query: 'METRES' })
  expect(found).toMatchObject({
    results: [{ conversation_id: 'talk', conversation_name: '', last_activity: '2024-05-01T10:01:41Z' }],
    total_conversations: 1,
  })
  const previews = found.results[0]!.matched_messages.map(({ role, content_preview }) => `${role}: ${content_preview}`)
  expect(previews).toEqual(['assistant: 48 metres', 'assistant: 330 metres'])
})

test.each([
  [{ query: 'tower', roles: ['assistant'] }, 0],
  [{ query: 'tower', roles: ['user'] }, 1],
  [{ query: 'tower', agent_name: 'guide' }, 1],
  [{ query: 'tower', agent_name: 'nobody' }, 0],
  [{ query: 'tower', trace_id: traceIds[1] }, 0],
  [{ query: 'tower', conversation_id: 'talk' }, 1],
  [{ query: 'tower', started_after: '2024-05-01T10:01:00Z' }, 0],
  [{ query: 'no such text' }, 0],
])('a search for %j finds %p conversations', async (request, count) => {
  expect((await ask<Found>('/agents/search', request)).total_conversations).toBe(count)
})
