import { expect, test } from 'bun:test'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const { client } = server

interface Policy {
  project_id: string
  retention_days: number | null
  updated_at: string | null
  ext_user_id: string | null
  ext_username: string | null
}
interface Key {
  key: string
}
interface Call {
  id: string
  started_at: string
  expire_at: string | null
}

const dayMs = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString()
const keyWith = async (role: string, scope: string) =>
  client.withKey((await client.post<Key>('/keys/create', { name: `${role} of ${scope}`, role, scope })).json.key)

const call = (id: string, started_at: string) => ({
  id,
  started_at,
  ended_at: started_at,
  inputs: {},
  attributes: {},
  output: id,
  summary: {},
})

/** Waits until the calls of a project are these. */
async function untilCallsAre(project: Project, ids: readonly string[]): Promise<void> {
  while ((await project.idsOf()).toSorted().join() !== ids.join()) await Bun.sleep(100)
}

test('a project keeps its calls for ever unless it is told otherwise', async () => {
  const project_id = freshProject(client).id
  const none = { retention_days: null, updated_at: null, ext_user_id: null, ext_username: null }
  expect((await client.post<Policy>('/retention/read', { project_id })).json).toEqual({ project_id, ...none })
  const set = await client.post<Policy>('/retention/set', { project_id, retention_days: 30 })
  expect(set.json).toMatchObject({ project_id, retention_days: 30 })
  expect(set.json.updated_at).not.toBeNull()
  expect((await client.post<Policy>('/retention/read', { project_id })).json).toEqual(set.json)
  expect((await client.post<Policy>('/retention/set', { project_id, retention_days: null })).json).toEqual({
    project_id,
    ...none,
  })
})

test('calls say when they expire', async () => {
  const project = freshProject(client)
  const project_id = project.id
  await project.complete(call('a', '2999-01-01T00:00:00Z'))
  const expireAt = async (more: object = {}) =>
    (await client.post<{ call: Call }>('/call/read', { project_id, id: 'a', ...more })).json.call.expire_at
  expect(await expireAt()).toBeNull()
  await client.post('/retention/set', { project_id, retention_days: 31 })
  expect(await expireAt()).toBe('2999-02-01T00:00:00Z')
  await client.post('/flush', {})
  expect(await expireAt()).toBe('2999-02-01T00:00:00Z')
  const [line] = await project.query()
  expect(line).toMatchObject({ id: 'a', expire_at: '2999-02-01T00:00:00Z' })
  const csv = await client.post(
    '/calls/stream_query',
    { project_id, columns: ['expire_at'] },
    { headers: { accept: 'text/csv' } },
  )
  expect(csv.text).toContain('2999-02-01T00:00:00Z')
})

test('expired calls leave the answers, others stay', async () => {
  const [project, other] = [freshProject(client), freshProject(client)]
  for (const { complete } of [project, other].map((each) => ({ complete: each.complete.bind(each) })))
    await complete(call('new', daysAgo(1)), call('old', daysAgo(20)))
  await client.post('/flush', {})
  await client.post('/retention/set', { project_id: project.id, retention_days: 7 })
  await untilCallsAre(project, ['new'])
  await untilCallsAre(other, ['new', 'old'])
})

test('a retention is a whole number of days, from 1', async () => {
  const project_id = freshProject(client).id
  const set = (retention_days: unknown) => client.post('/retention/set', { project_id, retention_days })
  for (const days of [0, -1, 40_000]) expectRefusal(await set(days), 400, 'retention_days')
  for (const days of ['7', 1.5, undefined]) expectInvalid(await set(days), ['body', 'retention_days'])
  expectInvalid(await client.post('/retention/set', { project_id: 'acme', retention_days: 1 }), ['body', 'project_id'])
  expect((await client.post<Policy>('/retention/read', { project_id })).json.retention_days).toBeNull()
})

test('only an admin key of the project sets its retention, and every key of it reads it', async () => {
  const project_id = freshProject(client).id
  const body = { project_id, retention_days: 1 }
  for (const [role, scope] of [
    ['read', project_id],
    ['write', project_id],
    ['admin', 'another/project'],
  ] as const) {
    const caller = await keyWith(role, scope)
    expectRefusal(await caller.post('/retention/set', body), 403)
    expectRefusal(await caller.post('/projects/erase', { project_id }), 403)
    expectRefusal(await caller.post('/erasures/query', { project_id }), 403)
    expectRefusal(await caller.post('/erasures/query', {}), 403)
    if (scope === project_id) expect((await caller.post('/retention/read', { project_id })).status).toBe(200)
    else expectRefusal(await caller.post('/retention/read', { project_id }), 403)
  }
  expect((await (await keyWith('admin', project_id)).post('/retention/set', body)).status).toBe(200)
})
