import { Agent } from '../mcp/agent.ts'
import { callRef } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { ok, Queues } from '../support/queues.ts'
import { type Case, send } from './case.ts'
import { bodyText, exactObject, free, type Shown, shown, textOf } from './exact-json.ts'

const feedbackOf = (project: Project, name: string) => ({
  ...{ project_id: project.id, ext_ref: callRef(project, 'a'), feedback_type: 'custom', payload: free(name) },
})

/** Feedback on the call `a` of a queue, wherever it is shown. */
async function shownFeedback(project: Project, name: string, queueId: string): Promise<Shown[]> {
  const { client } = project
  const agent = await Agent.connect(client.address, client.key, project.id)
  const { text } = await agent.call('get_call', { call_id: 'a' })
  await agent.close()
  // Agents see the beginning of it.
  const beginning = exactObject(name).slice(0, 100)
  return shown([name], {
    'feedback/query': await send(client, '/feedback/query', { project_id: project.id }),
    'calls/stream_query': textOf(await project.ask({ include_feedback: true })),
    'calls/stream_query as CSV': textOf(await project.ask({ include_feedback: true }, 'text/csv')).replaceAll(
      '""',
      '"',
    ),
    'items of a queue': textOf(await new Queues(project).items(queueId, { include_feedback: true })),
    get_call: text.includes(beginning) ? exactObject(name) : text,
  })
}

/** A call in a queue, for feedback. */
async function queuedCall(project: Project): Promise<string> {
  await project.complete({ id: 'a' })
  const queues = new Queues(project)
  const { id } = (await queues.create()).json
  await queues.add(id, ['a'])
  return id
}

/** An item of a queue that the key holds, and a question that takes any object. */
async function claimedItem(project: Project) {
  const queue_id = await queuedCall(project)
  const queues = new Queues(project)
  const val = { ...annotationSpec, name: 'anything', field_schema: { type: 'object' } }
  const obj = { project_id: project.id, object_id: 'anything', val }
  const digest = digestIn(await send(project.client, '/obj/create', { obj }))
  const { claim } = await ok(queues.claim(queue_id))
  const annotation_ref = `ext:///${project.id}/object/anything:${digest}`
  return { queues, queue_id, item_id: claim?.item.id ?? '', annotation_ref }
}

async function shownRows(project: Project, digest: string, members: readonly string[]): Promise<Shown[]> {
  const body = { project_id: project.id, digest }
  return shown(members, {
    'table/query': await send(project.client, '/table/query', body),
    'table/query_stream': await send(project.client, '/table/query_stream', body),
  })
}

const digestIn = (answer: string): string => (JSON.parse(answer) as { digest: string }).digest

const annotationSpec = {
  _type: 'AnnotationSpec',
  _class_name: 'AnnotationSpec',
  _bases: ['Object', 'BaseModel'],
}

/** Operations that write feedback, objects and tables. */
export const recordCases: Readonly<Record<string, Case>> = {
  'POST /feedback/create': {
    members: ['payload'],
    run: async (project) => {
      const queue_id = await queuedCall(project)
      const answer = await send(project.client, '/feedback/create', { ...feedbackOf(project, 'payload'), queue_id })
      return [...(await shownFeedback(project, 'payload', queue_id)), ...shown(['payload'], { 'the answer': answer })]
    },
  },
  'POST /feedback/batch/create': {
    members: ['batch.[].payload'],
    run: async (project) => {
      const queue_id = await queuedCall(project)
      const batch = [{ ...feedbackOf(project, 'batch.[].payload'), queue_id }]
      await send(project.client, '/feedback/batch/create', { batch })
      return await shownFeedback(project, 'batch.[].payload', queue_id)
    },
  },
  'POST /annotation_queues/{queue_id}/items/{item_id}/submit': {
    members: ['answers.[].value'],
    run: async (project) => {
      const name = 'answers.[].value'
      const { queues, queue_id, item_id, annotation_ref } = await claimedItem(project)
      const path = `/annotation_queues/${queue_id}/items/${item_id}/submit`
      await send(project.client, path, { project_id: project.id, answers: [{ annotation_ref, value: free(name) }] })
      return shown([name], {
        'feedback/query': await send(project.client, '/feedback/query', { project_id: project.id }),
        'items of a queue': textOf(await queues.items(queue_id, { include_feedback: true })),
      })
    },
  },
  'POST /annotation_queues/{queue_id}/items/{item_id}/decide': {
    members: ['answers.[].value'],
    run: async (project) => {
      const name = 'answers.[].value'
      const { queues, queue_id, item_id, annotation_ref } = await claimedItem(project)
      await ok(queues.submit(queue_id, item_id, { answers: [{ annotation_ref, value: {} }] }))
      const path = `/annotation_queues/${queue_id}/items/${item_id}/decide`
      await send(project.client, path, { project_id: project.id, answers: [{ annotation_ref, value: free(name) }] })
      return shown([name], {
        'feedback/query': await send(project.client, '/feedback/query', { project_id: project.id }),
        'items of a queue': textOf(await queues.items(queue_id, { include_feedback: true })),
      })
    },
  },
  'PUT /annotation_queues/{queue_id}/items/{item_id}/gold': {
    members: ['answers.[].value'],
    run: async (project) => {
      const name = 'answers.[].value'
      const { queues, queue_id, item_id, annotation_ref } = await claimedItem(project)
      const body = bodyText({ project_id: project.id, answers: [{ annotation_ref, value: free(name) }] })
      const path = `/annotation_queues/${queue_id}/items/${item_id}/gold`
      textOf(await project.client.send('PUT', path, body, { headers: { 'content-type': 'application/json' } }))
      return shown([name], { 'gold items': textOf(await queues.gold(queue_id)) })
    },
  },
  'POST /feedback/replace': {
    members: ['payload'],
    run: async (project) => {
      const queue_id = await queuedCall(project)
      const first = await send(project.client, '/feedback/create', { ...feedbackOf(project, 'first'), queue_id })
      const { id: feedback_id } = JSON.parse(first) as { id: string }
      await send(project.client, '/feedback/replace', { ...feedbackOf(project, 'payload'), queue_id, feedback_id })
      return await shownFeedback(project, 'payload', queue_id)
    },
  },
  'POST /obj/create': {
    members: ['obj.val'],
    run: async (project) => {
      const { client } = project
      const obj = { project_id: project.id, object_id: 'thing', val: free('obj.val') }
      const digest = digestIn(await send(client, '/obj/create', { obj }))
      const spec = { project_id: project.id, object_id: 'spec', builtin_object_class: 'AnnotationSpec' }
      await send(client, '/obj/create', { obj: { ...spec, val: { field_schema: { default: free('field_schema') } } } })
      const prompt = {
        project_id: project.id,
        object_id: 'prompt',
        val: { _class_name: 'MessagesPrompt', messages: [free('prompt')] },
      }
      await send(client, '/obj/create', { obj: prompt })
      const asked = { project_id: project.id, object_id: 'thing', digest }
      const every = await send(client, '/objs/query', { project_id: project.id })
      return [
        ...shown(['obj.val'], {
          'obj/read': await send(client, '/obj/read', asked),
          'refs/read_batch': await send(client, '/refs/read_batch', {
            refs: [`ext:///${project.id}/object/thing:${digest}`],
          }),
        }),
        ...shown(['obj.val', 'field_schema', 'prompt'], { 'objs/query': every }),
      ]
    },
  },
  'POST /table/create': {
    members: ['table.rows.[]'],
    run: async (project) => {
      const table = { project_id: project.id, rows: [free('table.rows.[]')] }
      const digest = digestIn(await send(project.client, '/table/create', { table }))
      return await shownRows(project, digest, ['table.rows.[]'])
    },
  },
  'POST /table/update': {
    members: ['updates.[].append.row', 'updates.[].insert.row'],
    run: async (project) => {
      const table = { project_id: project.id, rows: [] }
      const base_digest = digestIn(await send(project.client, '/table/create', { table }))
      const updates = [
        { append: { row: free('updates.[].append.row') } },
        { insert: { index: 0, row: free('updates.[].insert.row') } },
      ]
      const body = { project_id: project.id, base_digest, updates }
      const digest = digestIn(await send(project.client, '/table/update', body))
      return await shownRows(project, digest, ['updates.[].append.row', 'updates.[].insert.row'])
    },
  },
  'POST /v2/{entity}/{project}/datasets': {
    members: ['rows.[]'],
    run: async (project) => {
      const { client } = project
      const digest = digestIn(await send(client, project.v2('datasets'), { name: 'set', rows: [free('rows.[]')] }))
      const read = textOf(await client.get(project.v2(`datasets/set/versions/${digest}`)))
      const { rows } = JSON.parse(read) as { rows: string }
      return await shownRows(project, rows.slice(rows.lastIndexOf('/') + 1), ['rows.[]'])
    },
  },
  'POST /v2/{entity}/{project}/models': {
    members: ['attributes'],
    run: async (project) => {
      const { client } = project
      const body = { name: 'model', source_code: 'class A: pass', attributes: free('attributes') }
      const digest = digestIn(await send(client, project.v2('models'), body))
      return shown(['attributes'], {
        'the version': textOf(await client.get(project.v2(`models/model/versions/${digest}`))),
        'the list': textOf(await client.get(project.v2('models'))),
      })
    },
  },
}
