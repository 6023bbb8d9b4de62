import type { CallDraft } from '../../conformance/support/call-shapes.ts'
import { callRef } from '../../conformance/support/feedback.ts'
import { upload } from '../../conformance/support/files.ts'
import { ProjectObjects } from '../../conformance/support/objects.ts'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld } from '../support/world.ts'
import { payloads, scriptedPicture } from './payloads.ts'

/** What was stored, and how often a payload was among it. */
export interface HostileProject {
  readonly id: string
  /** A trace for each payload. */
  readonly traceIds: readonly string[]
  /** A trace whose calls hold all payloads in every place of inputs and outputs. */
  readonly everythingId: string
  readonly opRef: string
  readonly threadIds: readonly string[]
  /** Payloads that the server took, by the field they were sent in. */
  readonly attempts: ReadonlyMap<string, number>
}

/** Sends every payload in every field that a client can send. */
export async function storeHostile(): Promise<HostileProject> {
  const { server } = await sharedWorld()
  const project = new Project(server.client, 'acme', 'hostile')
  const objects = new ProjectObjects(server.client, project.id)
  const attempts = new Map<string, number>()
  const count = (field: string) => attempts.set(field, (attempts.get(field) ?? 0) + 1)
  const all = Object.values(payloads)
  const traceIds: string[] = []
  const threadIds: string[] = []

  for (const [index, text] of all.entries()) {
    const draft = hostileCall(text, index)
    const taken = await storeOne(project, draft, index)
    for (const field of Object.keys(taken)) if (!field.endsWith('_at')) count(field)
    traceIds.push(taken.trace_id)
    threadIds.push(taken.thread_id!)
    for (const [field, status] of await judge(project, taken.id, text)) if (status === 200) count(field)
    for (const [field, status] of await storeObjects(objects, text, index)) if (status === 200) count(field)
  }

  for (const [index, text] of all.entries()) await judge(project, 'everything', `${text} ${index}`)
  const source = (await upload(project, { content: all.join('\n'), name: 'obj.py' })).json.digest
  count('file content')
  const opDigest = await objects.create('hostile_op', {
    _type: 'CustomWeaveType',
    weave_type: { type: 'Op' },
    files: { 'obj.py': source },
  })
  const opRef = `ext:///${project.id}/op/hostile_op:${opDigest}`
  const everythingId = 'everything'
  await project.complete(everything(everythingId, opRef, all))
  await storeMade(project, objects, all)
  return { id: project.id, traceIds, everythingId, opRef, threadIds, attempts }
}

/** A call with the text in each of its members. */
function hostileCall(text: string, index: number): CallDraft {
  const second = String(index % 60).padStart(2, '0')
  return {
    op_name: text,
    display_name: text,
    thread_id: text,
    turn_id: text,
    started_at: new Date(Date.now() - 3_600_000 + index * 1000).toISOString(),
    ended_at: new Date(Date.now() - 3_599_000 + index * 1000).toISOString(),
    attributes: { [text]: text, environment: text, tags: [text] },
    inputs: { [text]: text, question: text, second },
    output: text,
    exception: text,
    summary: {
      usage: { [text]: { requests: 1, prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
      [text]: text,
    },
    ext_run_id: text,
  }
}

/** Ids and names are sent as they are where the server takes them. @returns what it took */
async function storeOne<Draft extends CallDraft>(project: Project, draft: Draft, index: number) {
  const name = draft.op_name ?? ''
  const plainIds = { id: `call-${index}`, trace_id: `trace-${index}` }
  // Names take no control characters; payloads do.
  const oneLine = name.replace(/\p{Cc}/gu, ' ')
  const names = { op_name: oneLine, display_name: oneLine, thread_id: oneLine, turn_id: oneLine, ext_run_id: oneLine }
  for (const attempt of [
    { ...draft, id: `${name}-id`, trace_id: `${name}-trace` },
    { ...draft, ...plainIds },
    { ...draft, ...names, ...plainIds },
  ])
    if (await tryToStore(project, attempt)) return attempt
  throw new Error(`Store a call with ${JSON.stringify(name)}: the server refused it`)
}

async function tryToStore(project: Project, draft: CallDraft & { id: string }): Promise<boolean> {
  return project.complete(draft).then(
    () => true,
    () => false,
  )
}

/** @returns statuses by field */
async function judge(project: Project, callId: string, text: string): Promise<[string, number][]> {
  const give = async (field: string, members: object): Promise<[string, number]> => {
    const body = { project_id: project.id, ext_ref: callRef(project, callId), ...members }
    return [field, (await project.client.post('/feedback/create', body)).status]
  }
  return [
    await give('note', { feedback_type: 'ext.note.1', payload: { note: text } }),
    await give('feedback type', { feedback_type: text, payload: { [text]: text } }),
    await give('creator of feedback', { feedback_type: 'rating', payload: { value: text }, creator: text }),
    await give('score', {
      feedback_type: 'ext.runnable.judge',
      payload: { output: { [text]: text, comment: text } },
      runnable_ref: `ext:///${project.id}/object/judge:v1`,
    }),
  ]
}

/** @returns statuses by field */
async function storeObjects(objects: ProjectObjects, text: string, index: number): Promise<[string, number][]> {
  const view = {
    view_type: index % 2 === 0 ? 'traces' : 'calls',
    label: text,
    definition: { column_order: ['op', `inputs.${text}`] },
  }
  return [
    ['saved view', (await objects.askCreate(`view-${index}`, view, { builtin_object_class: 'SavedView' })).status],
    ['object', (await objects.askCreate(`object-${index}`, { name: text, description: text, [text]: text })).status],
  ]
}

/** A dataset, a prompt and two evaluation runs with all payloads, and files of each name. */
async function storeMade(project: Project, objects: ProjectObjects, all: readonly string[]): Promise<void> {
  const rows = all.map((text) => ({
    [text]: text,
    text,
    json: { [text]: [text] },
    messages: [{ role: text, content: text }],
  }))
  for (const some of [rows.slice(1), rows])
    await project.client.post(project.v2('datasets'), { name: 'hostile_rows', description: all.join(' '), rows: some })
  const bases = ['Prompt', 'Object', 'BaseModel']
  for (const texts of [all.slice(1), all])
    await objects.create('hostile_prompt', {
      _type: 'MessagesPrompt',
      _class_name: 'MessagesPrompt',
      _bases: bases,
      description: texts[0],
      messages: texts.map((content) => ({ role: 'user', content: `${content} {{name}}` })),
      template_format: 'mustache',
      variables: { name: { type: 'text', example: texts[0] } },
      tools: texts.map((name) => ({ type: 'function', function: { name, description: name, parameters: {} } })),
      model: texts[0],
    })
  const { json } = await project.client.post<{ digest: string }>(project.v2('datasets'), { name: 'hostile_rows', rows })
  const evaluation = await objects.create('hostile_evaluation', {
    _type: 'Evaluation',
    _class_name: 'Evaluation',
    _bases: ['Object', 'BaseModel'],
    name: all[0],
    dataset: `ext:///${project.id}/object/hostile_rows:${json.digest}`,
    scorers: [],
  })
  for (const run of hostileRuns) await storeRun(project, run, `object/hostile_evaluation:${evaluation}`, all)
}

/** Ids of two evaluation runs. */
export const hostileRuns = ['hostile-run-1', 'hostile-run-2'] as const

async function storeRun(project: Project, run: string, evaluation: string, all: readonly string[]): Promise<void> {
  const at = (second: number) => new Date(Date.now() - 600_000 + second * 1000).toISOString()
  const op = (name: string) => `ext:///${project.id}/op/${name}:e1`
  const times = { started_at: at(0), ended_at: at(1) }
  const base = { trace_id: run, attributes: {}, summary: {} }
  await project.complete(
    {
      ...base,
      id: run,
      op_name: op('Evaluation.evaluate'),
      display_name: all[0]!,
      started_at: at(0),
      ended_at: at(60),
      inputs: { self: `ext:///${project.id}/${evaluation}`, model: all[1] },
      output: { [all[0]!]: { mean: 0.5 } },
    },
    ...all.flatMap((text, index) => [
      {
        ...base,
        ...times,
        id: `${run}-${index}`,
        parent_id: run,
        op_name: op('Evaluation.predict_and_score'),
        inputs: { example: { [text]: text, text }, model: all[1] },
        output: { output: text, scores: { [all[index % 3]!]: { [all[3]!]: index % 2 === 0, reason: text } } },
      },
    ]),
  )
}

/** A chat with all payloads: as messages of every role, as tools, as media, as output. */
function everything(id: string, op_name: string, all: readonly string[]): CallDraft & { id: string } {
  const addresses = [...all, scriptedPicture]
  return {
    id,
    trace_id: id,
    op_name,
    started_at: new Date(Date.now() - 60_000).toISOString(),
    ended_at: new Date(Date.now() - 50_000).toISOString(),
    inputs: {
      model: all[0],
      messages: [
        ...['system', 'user', 'assistant', all[1]].flatMap((role) =>
          all.map((content) => ({ role, name: content, content })),
        ),
        ...addresses.map((url) => ({
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url } },
            { type: 'text', text: url },
            { type: 'file', file: { filename: url, file_data: url } },
          ],
        })),
        ...all.map((text) => ({
          role: 'assistant',
          content: null,
          reasoning_content: text,
          tool_calls: [
            { id: text, type: 'function', function: { name: text, arguments: JSON.stringify({ [text]: text }) } },
          ],
        })),
        ...all.map((text) => ({ role: 'tool', tool_call_id: text, name: text, content: text })),
      ],
      tools: all.map((name) => ({ type: 'function', function: { name, description: name } })),
    },
    output: {
      model: all[0],
      choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: all.join('\n\n') } }],
    },
    summary: { usage: { [all[0]!]: { requests: 1, prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } } },
  }
}
