import { describe, expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { exportOf, groupOf, newSpanId, newTraceId, send, spanOf } from '../support/otlp.ts'
import { logExportOf, logGroupOf, recordOf, sendLogs } from '../support/otlp-logs.ts'
import { Project } from '../support/project.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const client = await sharedServer()
const asked = [{ role: 'user', parts: [{ type: 'text', content: 'How tall is it?' }] }]
const answered = [{ role: 'assistant', parts: [{ type: 'text', content: '330 m' }] }]
const second = (number: number) => `171455760${number}000000000`

type Ids = { traceId: string; spanId: string }

/** Records about one span, by what sends them, and the content that its call then has. */
const cases = {
  'details of the operation': {
    records: (ids: Ids) => [
      recordOf({
        ...ids,
        event: 'gen_ai.client.inference.operation.details',
        attributes: {
          'gen_ai.input.messages': JSON.stringify(asked),
          'gen_ai.output.messages': JSON.stringify(answered),
          'gen_ai.system_instructions': 'Be brief',
        },
      }),
    ],
    inputs: { 'gen_ai.input.messages': asked, system: 'Be brief' },
    output: { 'gen_ai.output.messages': answered },
  },
  'a record per message': {
    records: (ids: Ids) => [
      recordOf({ ...ids, time: second(1), event: 'gen_ai.system.message', body: { content: 'Be brief' } }),
      recordOf({ ...ids, time: second(1), event: 'gen_ai.user.message', body: { content: 'How tall is it?' } }),
      recordOf({
        ...ids,
        time: second(2),
        event: 'gen_ai.choice',
        body: { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '330 m' } },
      }),
    ],
    inputs: {
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'How tall is it?' },
      ],
    },
    output: { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '330 m' } }] },
  },
  'texts of Spring AI': {
    records: (ids: Ids) => [
      recordOf({ ...ids, body: 'Chat Model Prompt Content:\n["How tall is it?"]' }),
      recordOf({ ...ids, body: 'Chat Model Completion:\n["330 m"]' }),
    ],
    inputs: { messages: [{ role: 'user', content: 'How tall is it?' }] },
    output: { role: 'assistant', content: '330 m' },
  },
} as const

describe.each(Object.entries(cases))('%s', (_name, { records, inputs, output }) => {
  const newIds = () => ({ traceId: newTraceId(), spanId: newSpanId() })
  const headersOf = (project: Project) => ({ headers: { project_id: project.id } })
  const sendRecords = async (to: Client, project: Project, ids: Ids, some = records(ids)) =>
    expect(await sendLogs(to, logExportOf(logGroupOf([...some])), 'protobuf', headersOf(project))).toMatchObject({
      status: 200,
      rejected: 0,
    })
  const sendSpan = async (to: Client, project: Project, ids: Ids) => {
    const span = spanOf({ ...ids, name: 'chat', attributes: { 'gen_ai.request.model': 'gpt-4o' } })
    await send(to, exportOf(groupOf([span])), 'protobuf', headersOf(project))
  }
  const joined = { inputs, output, op_name: expect.stringContaining('chat') }

  test('joins its span if it comes later, earlier or at the same time', async () => {
    const project = freshProject(client)
    const [later, earlier, atOnce, apart] = [newIds(), newIds(), newIds(), newIds()]
    await sendSpan(client, project, later)
    await sendRecords(client, project, later)
    await sendRecords(client, project, earlier)
    await sendSpan(client, project, earlier)
    await Promise.all([sendRecords(client, project, atOnce), sendSpan(client, project, atOnce)])
    const some = records(apart)
    for (const record of some.toReversed()) await sendRecords(client, project, apart, [record] as never)
    await sendSpan(client, project, apart)
    await sendRecords(client, project, apart)
    for (const { spanId } of [later, earlier, atOnce, apart]) {
      expect(await project.readExisting(spanId)).toMatchObject(joined as never)
    }
    expect(await project.query()).toHaveLength(4)
  })

  test('joins its span across a restart', async () => {
    const data = await makeTempFolder()
    const before = await startServer({ data })
    const project = freshProject(before.client)
    const [later, earlier] = [newIds(), newIds()]
    await sendSpan(before.client, project, later)
    await sendRecords(before.client, project, earlier)
    await before.stop()
    const after = await startServer({ data })
    const again = new Project(after.client, project.entity, project.name)
    await sendRecords(after.client, again, later)
    await sendSpan(after.client, again, earlier)
    for (const { spanId } of [later, earlier]) expect(await again.readExisting(spanId)).toMatchObject(joined as never)
    await after.stop()
    await removeFolder(data)
  }, 120_000)

  test('without its span is no call', async () => {
    const project = freshProject(client)
    await sendRecords(client, project, newIds())
    expect(await project.query()).toEqual([])
  })
})

test('a span without content has empty inputs', async () => {
  const project = freshProject(client)
  const span = spanOf({ attributes: { 'gen_ai.request.model': 'gpt-4o' } })
  await send(client, exportOf(groupOf([span])), 'json', { headers: { project_id: project.id } })
  expect(await project.query()).toMatchObject([{ inputs: {}, output: null }])
})

test('an evaluation result becomes feedback, as a record or as an event of its span', async () => {
  const project = freshProject(client)
  const options = { headers: { project_id: project.id } }
  const ids = { traceId: newTraceId(), spanId: newSpanId() }
  const attributes = {
    'gen_ai.evaluation.name': 'Relevance',
    'gen_ai.evaluation.score.value': 0.75,
    'gen_ai.evaluation.score.label': 'relevant',
    'gen_ai.evaluation.explanation': 'It answers the question',
  }
  const record = recordOf({ ...ids, event: 'gen_ai.evaluation.result', attributes })
  const span = spanOf({
    ...ids,
    events: [{ name: 'gen_ai.evaluation.result', attributes: { ...attributes, 'gen_ai.evaluation.name': 'Tone' } }],
  })
  for (let times = 0; times < 2; times++) {
    await sendLogs(client, logExportOf(logGroupOf([record])), 'json', options)
    await send(client, exportOf(groupOf([span])), 'json', options)
  }
  const answer = await client.post<{ result: { feedback_type: string; payload: object; ext_ref: string }[] }>(
    '/feedback/query',
    { project_id: project.id },
  )
  const found = answer.json.result.toSorted((a, b) => (a.feedback_type < b.feedback_type ? -1 : 1))
  expect(found).toMatchObject([
    {
      feedback_type: 'gen_ai.evaluation.Relevance',
      ext_ref: expect.stringContaining(ids.spanId),
      payload: { name: 'Relevance', score: 0.75, label: 'relevant', explanation: 'It answers the question' },
      scorer_ratings: { Relevance: 0.75 },
    },
    { feedback_type: 'gen_ai.evaluation.Tone', payload: { name: 'Tone', score: 0.75 } },
  ] as never)
})
