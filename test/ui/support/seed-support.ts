import { answerTurn } from '../../../src/demo/support-bot/answer.ts'
import { type Story, scheduleTurns } from '../../../src/demo/support-bot/schedule.ts'
import { inBatches, type Trace } from '../../../src/demo/traces/call-items.ts'
import { inTimeOrder } from '../../../src/demo/traces/timeline.ts'
import type { Client } from '../../conformance/support/client.ts'
import { callRef, giveFeedback } from '../../conformance/support/feedback.ts'
import { sendMetrics, sumOf, timeOf } from '../../conformance/support/metrics.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok, Queues } from '../../conformance/support/queues.ts'
import { damagedParcel } from './damaged-parcel.ts'
import { type CreateKey, createJudgedQueue } from './seed-review.ts'

/** An object that `createPrompt` makes. */
export const promptName = 'system-prompt'
/** A dataset with two versions. */
export const datasetName = 'parcel-cases'
/** A prompt that it makes, for the editor: three versions, `production` on the second. */
export const editedPrompt = 'refund-policy'

/** What tests know of the seeded data. */
export interface SupportSeed {
  readonly project: Project
  /** A finished trace with retrieval, tools and answers of models. */
  readonly trace: Trace
  /** Another one of the same shape. */
  readonly otherTrace: Trace
  /** A trace with a call that failed. */
  readonly failedTrace: Trace
  /** A trace that has not ended. */
  readonly runningTrace: Trace
  /** A conversation of several turns. */
  readonly threadId: string
  /** A queue of traces, half of them judged. */
  readonly queueId: string
  /** A queue that two people have answered, who disagree on some items. */
  readonly judgedQueueId: string
  /** How many traces the project holds. */
  readonly traceCount: number
}

const hourMs = 3_600_000

/**
 * A support bot's last two days: conversations, tools, errors, calls still running; with notes,
 * reactions and scores; and one conversation about a picture. Equal at every run, except that it
 * ends now.
 */
export async function seedSupport(client: Client, createKey: CreateKey): Promise<SupportSeed> {
  const project = new Project(client, 'acme', 'support')
  const story: Story = { traces: 60, seed: 7, days: 2, untilMs: Math.floor(Date.now() / hourMs) * hourMs }
  const traces = scheduleTurns(story).map((turn, index) => answerTurn(turn, { projectId: project.id, story, index }))
  for (const { body } of inBatches(inTimeOrder(traces))) {
    const answer = await client.postRaw('/call/upsert_batch', body)
    if (answer.status !== 200) throw new Error(`Seed the support bot: ${answer.status} ${answer.text}`)
  }
  await project.complete(...damagedParcel(story.untilMs))
  await createPrompt(client, project)
  await createDataset(client, project)
  const finished = traces.filter((trace) => trace.every(({ end }) => end !== undefined && !end.exception))
  const [trace, otherTrace, judged] = finished
  const failedTrace = traces.find((each) => each.some(({ end }) => end?.exception))
  const runningTrace = traces.find((each) => each[0]?.end === undefined)
  if (!trace || !otherTrace || !judged || !failedTrace || !runningTrace)
    throw new Error('Seed the support bot: its story lacks a trace that tests need; choose another seed')
  for (const [index, each] of finished.entries()) await judge(project, each, index)
  const queueId = await createQueue(
    project,
    finished.slice(0, 12).map((each) => each[0]!.start.id!),
  )
  const judgedQueueId = await createJudgedQueue(
    project,
    finished.slice(0, 16).map((each) => each[0]!.start.id!),
    await Promise.all(['qa-day', 'qa-night'].map((name) => createKey({ name, role: 'write', scope: project.id }))),
  )
  const threadId = traces
    .map((each) => each[0]!.start.thread_id!)
    .find((id, index, all) => all.indexOf(id) !== index && all.filter((other) => other === id).length >= 3)
  if (threadId === undefined) throw new Error('Seed the support bot: its story has no thread of three turns')
  await countWork(project, threadId, story.untilMs)
  const queues = { queueId, judgedQueueId }
  return { project, trace, otherTrace, failedTrace, runningTrace, threadId, ...queues, traceCount: traces.length + 1 }
}

/** The metrics of a session, as Claude Code counts them. */
async function countWork(project: Project, threadId: string, untilMs: number): Promise<void> {
  const at = (untilMs - Date.parse(timeOf(0))) / 1_000
  const counted = (name: string, value: number, type?: string) =>
    sumOf(`claude_code.${name}`, [
      { at, since: at - 60, asDouble: value, attributes: { 'session.id': threadId, ...(type && { type }) } },
    ])
  const { status } = await sendMetrics(project, [
    counted('cost.usage', 0.42),
    counted('token.usage', 1_200, 'input'),
    counted('token.usage', 56_000, 'cacheRead'),
    counted('token.usage', 340, 'output'),
    counted('lines_of_code.count', 120, 'added'),
    counted('lines_of_code.count', 14, 'removed'),
    counted('commit.count', 2),
    counted('active_time.total', 60, 'user'),
    counted('active_time.total', 125, 'cli'),
  ])
  if (status !== 200) throw new Error(`Seed the support bot: ${status} for the metrics`)
}

/** A judge's score for each trace, and now and then a note and a reaction of a person. */
async function judge(project: Project, trace: Trace, index: number): Promise<void> {
  const ext_ref = callRef(project, trace[0]!.start.id)
  await giveFeedback(project, {
    ext_ref,
    feedback_type: 'ext.runnable.helpful',
    payload: { output: { score: ((index * 37) % 100) / 100, passed: index % 4 !== 0 } },
    runnable_ref: `ext:///${project.id}/object/helpful:v1`,
  })
  if (index % 5 === 0)
    await giveFeedback(project, { ext_ref, feedback_type: 'ext.note.1', payload: { note: 'Polite, but slow.' } })
  if (index % 7 === 0)
    await giveFeedback(project, { ext_ref, feedback_type: 'ext.reaction.1', payload: { emoji: '👍' } })
}

/** Two versions of a prompt without a class, and three of one that the editor opens. */
async function createPrompt(client: Client, project: Project): Promise<void> {
  for (const content of ['You help customers.', 'You help customers. Ask for the order number first.']) {
    const obj = { project_id: project.id, object_id: promptName, val: { _type: 'StringPrompt', content } }
    const { status } = await client.post('/obj/create', { obj })
    if (status !== 200) throw new Error(`Seed the support bot: ${status} for the prompt`)
  }
  const digests: string[] = []
  for (const limit of ['', 'Refunds above $500 need a human.', 'Refunds over {{max_refund}} USD need a human.']) {
    const val = {
      _type: 'MessagesPrompt',
      _class_name: 'MessagesPrompt',
      _bases: ['Prompt', 'Object', 'BaseModel'],
      description: limit === '' ? 'First draft' : limit.slice(0, 24),
      messages: [
        { role: 'system', content: `You help customers with refunds.\n${limit}\nKeep the language: 日本語, العربية.` },
        { role: 'user', content: 'Where is my parcel?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'find_parcel', arguments: '{"id": "P7"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '{"status": "on its way"}' },
        { role: 'user', content: '{{question}}' },
      ],
      template_format: 'mustache',
      model: 'gpt-4o',
      settings: { temperature: 0.2, max_tokens: 300 },
      variables: { question: { type: 'text', example: 'I want my money back.' } },
    }
    const obj = { project_id: project.id, object_id: editedPrompt, val }
    const { status, json } = await client.post<{ digest: string }>('/obj/create', { obj })
    if (status !== 200) throw new Error(`Seed the support bot: ${status} for the prompt`)
    digests.push(json.digest)
  }
  await client.put(`/objs/${editedPrompt}/aliases`, {
    project_id: project.id,
    digest: digests[1],
    aliases: ['production'],
  })
}

/** Two versions of a dataset with a column of each kind, in several scripts. */
/** A queue of traces, the first half of them judged or skipped. */
async function createQueue(project: Project, callIds: readonly string[]): Promise<string> {
  const queues = new Queues(project)
  const schemas = {
    'Was the policy followed?': { type: 'boolean' },
    'What failed first?': { type: 'string', enum: ['Wrong tool argument', 'Claimed a write that failed', 'Other'] },
    'Tone towards the customer': { type: 'integer', minimum: 1, maximum: 5 },
  }
  const scorer_refs: string[] = []
  for (const [index, [name, field_schema]] of Object.entries(schemas).entries()) {
    const val = { _type: 'AnnotationSpec', _class_name: 'AnnotationSpec', _bases: ['Object', 'BaseModel'] }
    const obj = { project_id: project.id, object_id: `question-${index}`, val: { ...val, name, field_schema } }
    const { json } = await project.client.post<{ digest: string }>('/obj/create', { obj })
    scorer_refs.push(`ext:///${project.id}/object/question-${index}:${json.digest}`)
  }
  const description = 'Was the customer told the truth?'
  const { id } = await ok(queues.create({ name: 'Refunds to check', description, scorer_refs }))
  await ok(queues.setReview(id, { guidelines: '- Judge what the agent did, not what the customer wanted.' }))
  await ok(queues.add(id, callIds))
  const { items } = await ok(queues.items(id))
  for (const [index, item] of items.slice(0, Math.floor(items.length / 2)).entries())
    await ok(queues.progress(id, item.id, index === 2 ? 'skipped' : 'completed'))
  return id
}

async function createDataset(client: Client, project: Project): Promise<void> {
  const rows = ['Where is my parcel?', '我的包裹在哪里？', 'أين طردي؟', 'I want my money back.'].map((task, index) => ({
    task,
    expected: 'Ask for the order number first',
    conversation: [{ role: 'user', content: task }],
    price: 12.5 * index,
    refundable: index % 2 === 0,
    order: index === 2 ? null : { id: `P${index}`, items: [index] },
    ...(index > 0 && { call: callRef(project, `0190a1b2-0000-7000-8000-00000000000${index}`) }),
  }))
  for (const stored of [rows.slice(0, 3), rows]) {
    const { status } = await client.post(`/v2/${project.id}/datasets`, { name: datasetName, rows: stored })
    if (status !== 200) throw new Error(`Seed the support bot: ${status} for the dataset`)
  }
}
