import { expect, test } from 'bun:test'
import { encodings, exportOf, groupOf, newSpanId, newTraceId, type SpanDraft, send, spanOf } from '../support/otlp.ts'
import type { Project } from '../support/project.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const client = await sharedServer()
/** Beyond this size, threads decode, map and encode an export. */
const padding = 'x'.repeat(40_000)

/** Spans of one conversation, which arrive in two exports, the inner ones first. */
function conversation(round: number): [SpanDraft[], SpanDraft[]] {
  const [traceId, top, middle] = [newTraceId(), newSpanId(), newSpanId()]
  const attributes = { 'gen_ai.conversation.id': `talk-${round}`, 'gen_ai.request.model': 'gpt-4o' }
  const inner = Array.from({ length: 20 }, (_, index) => ({
    traceId,
    spanId: newSpanId(),
    parentSpanId: middle,
    name: `chat ${index % 3}`,
    attributes: {
      ...attributes,
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `ä${index}` }] }]),
      'gen_ai.usage.input_tokens': index,
      api_key: 'secret',
      list: ['a', 1, true, { b: 0.5 }],
    },
  }))
  return [
    [...inner, { traceId, spanId: middle, parentSpanId: top, name: 'tool', attributes }],
    [{ traceId, spanId: top, name: 'agent', attributes, events: [{ name: 'began' }], status: { code: 1 } }],
  ]
}

/** What is stored, but for the project. */
async function callsOf(project: Project) {
  const calls = await project.query({ sort_by: [{ field: 'id', direction: 'asc' }] })
  return calls.map((call) => JSON.parse(JSON.stringify(call).replaceAll(project.id, 'the/project')) as typeof call)
}

test.each(encodings)('large exports in %s are stored the same as small ones', async (encoding) => {
  const [small, large] = [freshProject(client), freshProject(client)]
  const store = async (project: Project, spans: readonly unknown[]) => {
    const sent = await send(client, exportOf(groupOf(spans, { 'service.name': 'bot' })), encoding, {
      headers: { project_id: project.id },
    })
    expect(sent).toMatchObject({ status: 200, rejected: 0 })
  }
  for (let round = 0; round < 10; round++) {
    for (const drafts of conversation(round)) {
      const spans = drafts.map(spanOf)
      await store(small, spans)
      await store(large, [...spans, spanOf({ name: 'padding', attributes: { padding } })])
    }
  }
  const expected = await callsOf(small)
  expect(expected).toHaveLength(10 * 22)
  const turns = expected.filter(({ turn_id, id }) => turn_id === id)
  expect(turns.map(({ op_name }) => op_name)).toEqual(Array(10).fill(expect.stringContaining('/agent:')))
  const stored = await callsOf(large)
  expect(stored.filter(({ op_name }) => !op_name.includes('/padding:'))).toEqual(expected)
})

test.each(encodings)('a large export in %s names the span that is rejected', async (encoding) => {
  const project = freshProject(client)
  for (let round = 0; round < 3; round++) {
    const good = spanOf({ attributes: { padding } })
    const faulty = { ...spanOf({ name: 'faulty' }), traceId: '00'.repeat(16) }
    const sent = await send(client, exportOf(groupOf([good, faulty])), encoding, {
      headers: { project_id: project.id },
    })
    expect(sent).toMatchObject({ status: 200, rejected: 1, message: expect.stringContaining('Span "faulty"') })
  }
  expect(await project.idsOf()).toHaveLength(3)
})
