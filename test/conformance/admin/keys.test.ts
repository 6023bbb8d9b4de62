import { expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const server = await ownServer()

interface Key {
  id: string
  name: string
  role: string
  scope: string
  created_at: string
  revoked_at: string | null
  last_used_at: string | null
  is_own: boolean
}

const create = (client: Client, body: object) => client.post<Key & { key: string }>('/keys/create', body)
const list = async (client: Client) => (await client.post<{ keys: Key[] }>('/keys/query', {})).json.keys

test('creates a key that works at once, and lists it without its secret', async () => {
  const project = freshProject(server.client)
  const answer = await create(server.client, { name: ' CI ', role: 'write', scope: project.id })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const { key, ...record } = answer.json
  expect(key).toMatch(/^[0-9a-f]{40}$/)
  expect(record).toMatchObject({ id: key.slice(0, 8), name: 'CI', role: 'write', scope: project.id, revoked_at: null })
  await project.withKey(key).complete({ id: 'a' })
  const listed = await server.client.post('/keys/query', {})
  expect(listed.text).not.toContain(key)
  expect(listed.text).not.toContain('hash')
  expect((await list(server.client)).find(({ id }) => id === record.id)).toEqual({
    ...record,
    last_used_at: expect.any(String),
    is_own: false,
  })
})

test('says when a key was last used, also after a restart', async () => {
  const data = await makeTempFolder()
  const first = await startServer({ data })
  const keyOf = async (client: Client, id: string) => (await list(client)).find((key) => key.id === id)!
  const { json: made } = await create(first.client, { name: 'rarely', role: 'read' })
  expect((await keyOf(first.client, made.id)).last_used_at).toBeNull()
  await first.client.withKey(made.key).post('/service/projects_info', { project_ids: ['a/b'] })
  const { last_used_at } = await keyOf(first.client, made.id)
  expect(Date.parse(last_used_at!)).toBeGreaterThanOrEqual(Date.parse(made.created_at))
  await first.stop()
  const second = await startServer({ data, adminKey: first.adminKey })
  try {
    expect((await keyOf(second.client, made.id)).last_used_at).toBe(last_used_at)
  } finally {
    await second.stop()
    await removeFolder(data)
  }
})

test('revokes a key at once', async () => {
  const { json: made } = await create(server.client, { name: 'temporary', role: 'read' })
  expect(made.scope).toBe('*')
  const held = server.client.withKey(made.key)
  expect((await held.post('/service/projects_info', { project_ids: ['a/b'] })).status).toBe(200)
  const revoked = await server.client.post<Key>('/keys/revoke', { id: made.id })
  expect(revoked.json.revoked_at).toBeString()
  expect((await held.post('/service/projects_info', { project_ids: ['a/b'] })).status).toBe(401)
  // Once more changes nothing.
  expect((await server.client.post<Key>('/keys/revoke', { id: made.id })).json).toEqual(revoked.json)
})

test('does not revoke the key of the request', async () => {
  const { json: made } = await create(server.client, { name: 'second admin', role: 'admin' })
  const held = server.client.withKey(made.key)
  expect((await list(held)).filter(({ is_own }) => is_own).map(({ id }) => id)).toEqual([made.id])
  expectRefusal(await held.post('/keys/revoke', { id: made.id }), 400, made.id)
  expect((await held.post('/keys/query', {})).status).toBe(200)
})

test('rejects invalid keys and unknown ids', async () => {
  expectInvalid(await create(server.client, { name: 'x', role: 'owner' }), ['body', 'role'])
  expectInvalid(await create(server.client, { role: 'read' }), ['body', 'name'])
  expectRefusal(await create(server.client, { name: '', role: 'read' }), 400, 'name')
  expectRefusal(await create(server.client, { name: 'x', role: 'read', scope: 'a/b/c' }), 400, '"a/b/c"')
  expectRefusal(await server.client.post('/keys/revoke', { id: '01234567' }), 404, '"01234567"')
})

const operations: [string, object][] = [
  ['/keys/query', {}],
  ['/keys/create', { name: 'x', role: 'read' }],
  ['/keys/revoke', { id: '01234567' }],
  ['/secrets/query', {}],
  ['/secrets/set', { name: 'X', value: 'y' }],
  ['/secrets/remove', { name: 'X' }],
  ['/service/storage', {}],
  ['/service/settings', {}],
  ['/jobs/query', {}],
  ['/audit/query', {}],
]

test.each(operations)('%s requires an admin key for all projects', async (path, body) => {
  const roles = [
    { name: 'reader', role: 'read' },
    { name: 'writer', role: 'write' },
    { name: 'admin of one', role: 'admin', scope: 'acme' },
  ]
  for (const asked of roles) {
    const { key } = (await create(server.client, asked)).json
    expectRefusal(await server.client.withKey(key).post(path, body), 403)
  }
  expect((await server.client.post(path, body, { key: null })).status).toBe(401)
})

test('keys that were created and revoked survive a kill', async () => {
  const data = await makeTempFolder()
  const first = await startServer({ data })
  const kept = (await create(first.client, { name: 'kept', role: 'admin' })).json
  const revoked = (await create(first.client, { name: 'revoked', role: 'admin' })).json
  expect((await first.client.post('/keys/revoke', { id: revoked.id })).status).toBe(200)
  expect((await first.client.post('/secrets/set', { name: 'KEPT_KEY', value: 'v' })).status).toBe(200)
  await first.kill()
  const second = await startServer({ data, adminKey: first.adminKey })
  try {
    expect((await second.client.withKey(kept.key).post('/keys/query', {})).status).toBe(200)
    expect((await second.client.withKey(revoked.key).post('/keys/query', {})).status).toBe(401)
    expect((await second.client.post('/secrets/query', {})).json).toMatchObject({ secrets: [{ name: 'KEPT_KEY' }] })
  } finally {
    await second.stop()
    await removeFolder(data)
  }
})
