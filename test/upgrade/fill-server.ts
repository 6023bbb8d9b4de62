import type { Ask } from './questions.ts'

const project = 'acme/one'

const call = (id: string, members: Record<string, unknown> = {}) => ({
  project_id: project,
  id,
  trace_id: `trace-${id}`,
  op_name: 'answer',
  started_at: '2024-05-01T10:00:00Z',
  ended_at: '2024-05-01T10:00:01.250Z',
  attributes: { environment: 'test' },
  inputs: { text: `question ${id}`, number: 1.5 },
  output: { text: 'an answer' },
  summary: { usage: { 'gpt-4o': { requests: 1, prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 } } },
  ...members,
})

const span = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  name: 'chat gpt-4o',
  kind: 3,
  startTimeUnixNano: '1714557600000000000',
  endTimeUnixNano: '1714557601000000000',
  attributes: [
    { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
    { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
    { key: 'gen_ai.usage.input_tokens', value: { intValue: '7' } },
  ],
}

/** Fills an empty server with rows of every table that its version has. */
export async function fillServer(ask: Ask, flush: () => Promise<void>): Promise<void> {
  const send = async (path: string, body: unknown): Promise<unknown> => {
    const { status, text } = await ask(path, body)
    if (status === 200) return JSON.parse(text)
    console.warn(`${path}: ${status} ${text.slice(0, 200)}`)
    return undefined
  }
  await send('/v2/acme/one/calls/complete', { batch: ['call-1', 'call-2', 'call-3'].map((id) => call(id)) })
  const { ended_at, output, summary, ...start } = call('call-4', { trace_id: 'trace-call-1', parent_id: 'call-1' })
  await send('/call/start', { start })
  await flush()
  const end = { project_id: project, id: 'call-4', ended_at, exception: 'ValueError: no', output, summary }
  await send('/call/end', { end })
  await send('/call/update', { project_id: project, call_id: 'call-2', display_name: 'renamed' })
  await send('/calls/delete', { project_id: project, call_ids: ['call-3'] })
  await send('/feedback/create', {
    project_id: project,
    ext_ref: `ext:///${project}/call/call-1`,
    feedback_type: 'thought',
    payload: { text: 'good' },
  })
  const prices = { prompt_token_cost: 0.001, completion_token_cost: 0.002 }
  await send('/cost/create', { project_id: project, costs: { 'gpt-4o': prices } })
  for (const text of ['first', 'second'])
    await send('/obj/create', { obj: { project_id: project, object_id: 'prompt', val: { text, weight: 1.0 } } })
  await send('/table/create', { table: { project_id: project, rows: [{ n: 1 }, { n: 2 }, { n: 3 }] } })
  await send('/annotation_queues', { project_id: project, name: 'to check', scorer_refs: [] })
  await send('/otel/v1/traces', {
    resourceSpans: [
      {
        resource: {
          attributes: [
            { key: 'ext.entity', value: { stringValue: 'acme' } },
            { key: 'ext.project', value: { stringValue: 'one' } },
          ],
        },
        scopeSpans: [{ scope: { name: 'test' }, spans: [span] }],
      },
    ],
  })
  await flush()
  // Only in the write-ahead log when the server is killed.
  await send('/v2/acme/one/calls/complete', { batch: [call('call-5')] })
}
