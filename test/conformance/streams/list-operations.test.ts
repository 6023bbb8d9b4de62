import { beforeAll, expect, test } from 'bun:test'
import { operationLimits } from '../../../src/lib/limits/operations.ts'
import { responseLimits } from '../../../src/lib/limits/responses.ts'
import { createCosts, price } from '../support/costs.ts'
import { callRef, giveFeedback } from '../support/feedback.ts'
import { ProjectObjects } from '../support/objects.ts'
import { ok, Queues } from '../support/queues.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const project = freshProject(server)
const queues = new Queues(project)
let queueId = ''

/** More than is sent in one chunk. */
const long = 'x'.repeat(responseLimits.streamChunkBytes)
const numbered = (prefix: string) => (_: unknown, index: number) => `${prefix}${index}`.padEnd(120, 'x')

beforeAll(async () => {
  const names = Array.from({ length: responseLimits.streamChunkBytes / 100 }, numbered('n'))
  const time = '2024-05-01T10:00:00Z'
  await project.add(
    ...names.map((thread_id, i) => ({ id: `c${i}`, thread_id, turn_id: `c${i}`, started_at: time, ended_at: time })),
  )
  const objects = new ProjectObjects(server, project.id)
  const digest = await objects.create('thing', { long })
  await objects.create('other', { long })
  for (let from = 0; from < names.length; from += operationLimits.labelsPerRequestMax) {
    const some = names.slice(from, from + operationLimits.labelsPerRequestMax)
    await createCosts(project, Object.fromEntries(some.map((name) => [name, price()])))
    await ok(server.put(`/objs/thing/versions/${digest}/tags`, { project_id: project.id, tags: some }))
    await ok(server.put('/objs/thing/aliases', { project_id: project.id, digest, aliases: some }))
  }
  for (let i = 0; i < 9; i++) queueId = (await ok(queues.create({ description: long.slice(0, 65_536) }))).id
  await ok(queues.add(queueId, ['c0', 'c1']))
  for (const id of ['c0', 'c1']) {
    const ext_ref = callRef(project, id)
    await giveFeedback(project, { ext_ref, queue_id: queueId, payload: { long } })
  }
})

const project_id = project.id
const query = `?project_id=${encodeURIComponent(project_id)}`

// An answer whose length is known before its first byte goes out was in memory as a whole.
test.each([
  ['calls', () => server.post('/calls/query', { project_id })],
  ['objects', () => server.post('/objs/query', { project_id })],
  ['tags', () => server.get(`/tags${query}`)],
  ['aliases', () => server.get(`/aliases${query}`)],
  ['feedback', () => server.post('/feedback/query', { project_id })],
  ['prices', () => server.post('/cost/query', { project_id })],
  ['threads', () => server.post('/threads/stream_query', { project_id })],
  ['queues', () => queues.query()],
  ['items of a queue', () => queues.items(queueId, { include_feedback: true })],
] as const)('the list of %s is answered as a stream', async (_what, ask) => {
  const { status, headers } = await ask()
  expect({ status, length: headers.get('content-length'), encoding: headers.get('transfer-encoding') }).toEqual({
    status: 200,
    length: null,
    encoding: 'chunked',
  })
})
