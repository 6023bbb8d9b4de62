import { expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

const server = await ownServer()

interface Key {
  id: string
  name: string
  role: string
  scope: string
  created_at: string
  revoked_at: string | null
  expires_at: string | null
  replaced_by: string | null
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
  ['/keys/rotate', { id: '01234567' }],
  ['/people/query', {}],
  ['/people/sign_out', { id: 'oidc-0123456789abcdef' }],
  ['/secrets/query', {}],
  ['/secrets/set', { name: 'X', value: 'y' }],
  ['/secrets/remove', { name: 'X' }],
  ['/service/storage', {}],
  ['/service/settings', {}],
  ['/jobs/query', {}],
  ['/jobs/cancel', { id: 'x' }],
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

test('a key stops working when it expires', async () => {
  for (let lastsMs = 1_500; ; lastsMs *= 2) {
    const expires_at = new Date(Date.now() + lastsMs).toISOString()
    const { json: made } = await create(server.client, { name: 'short', role: 'read', expires_at })
    const held = server.client.withKey(made.key)
    const works = async () => (await held.post('/service/projects_info', { project_ids: ['a/b'] })).status
    const atFirst = await works()
    // On a slow machine it may have expired before it could be used.
    if (Date.now() >= Date.parse(expires_at)) continue
    expect(made).toMatchObject({ expires_at, replaced_by: null })
    expect(atFirst).toBe(200)
    await until(async () => (await works()) === 401)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at))
    expect((await list(server.client)).find(({ id }) => id === made.id)).toMatchObject({ expires_at, revoked_at: null })
    return
  }
})

const rotate = (body: object) => server.client.post<Key & { key: string; replaced: Key }>('/keys/rotate', body)

test('rotates a key: the old one works for the overlap', async () => {
  const { json: old } = await create(server.client, { name: 'turning', role: 'write', scope: 'acme' })
  const answer = await rotate({ id: old.id, overlap_seconds: 3_600 })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const { key, replaced, ...record } = answer.json
  expect(record).toMatchObject({ name: 'turning', role: 'write', scope: 'acme', expires_at: null, revoked_at: null })
  expect(replaced).toMatchObject({ id: old.id, replaced_by: record.id, revoked_at: null })
  expect(Math.abs(Date.parse(replaced.expires_at!) - Date.now() - 3_600_000)).toBeLessThan(60_000)
  for (const each of [key, old.key])
    expect((await server.client.withKey(each).post('/objs/query', { project_id: 'acme/x' })).status).toBe(200)
  // Again, at once: the old one is over.
  const { json: last } = await rotate({ id: record.id })
  expect((await server.client.withKey(key).post('/objs/query', { project_id: 'acme/x' })).status).toBe(401)
  expect((await server.client.withKey(last.key).post('/objs/query', { project_id: 'acme/x' })).status).toBe(200)
})

test('a key that replaces one lasts as long as that was made for', async () => {
  const week = 7 * 86_400_000
  const expires_at = new Date(Date.now() + week).toISOString()
  const { json: old } = await create(server.client, { name: 'weekly', role: 'read', expires_at })
  const { json } = await rotate({ id: old.id, overlap_seconds: 30 * 86_400 })
  expect(Math.abs(Date.parse(json.expires_at!) - Date.now() - week)).toBeLessThan(60_000)
  expect(json.replaced.expires_at).toBe(expires_at)
})

test('rejects invalid expiries and rotations, which change nothing', async () => {
  const before = await list(server.client)
  const past = { name: 'x', role: 'read', expires_at: '2020-01-01T00:00:00Z' }
  expectRefusal(await create(server.client, past), 400, 'future')
  expectInvalid(await create(server.client, { ...past, expires_at: 'soon' }), ['body', 'expires_at'])
  expectRefusal(await rotate({ id: '01234567' }), 404, '"01234567"')
  const id = before[0]!.id
  expectInvalid(await rotate({ id, overlap_seconds: -1 }), ['body', 'overlap_seconds'])
  expectInvalid(await rotate({ id, overlap_seconds: 1e9 }), ['body', 'overlap_seconds'])
  expectRefusal(await rotate({ id, expires_at: '2020-01-01T00:00:00Z' }), 400, 'future')
  const { id: revoked } = before.find(({ revoked_at }) => revoked_at !== null)!
  expectRefusal(await rotate({ id: revoked }), 400, revoked)
  expect(await list(server.client)).toEqual(before)
})

test('keys that were created and revoked survive a kill', async () => {
  const data = await makeTempFolder()
  const first = await startServer({ data })
  const kept = (await create(first.client, { name: 'kept', role: 'admin' })).json
  const revoked = (await create(first.client, { name: 'revoked', role: 'admin' })).json
  expect((await first.client.post('/keys/revoke', { id: revoked.id })).status).toBe(200)
  expect((await first.client.post('/secrets/set', { name: 'KEPT_KEY', value: 'v' })).status).toBe(200)
  const { id } = (await create(first.client, { name: 'turned', role: 'admin' })).json
  const turned = (await first.client.post<Key & { key: string; replaced: Key }>('/keys/rotate', { id })).json
  await first.kill()
  const second = await startServer({ data, adminKey: first.adminKey })
  try {
    expect((await second.client.withKey(kept.key).post('/keys/query', {})).status).toBe(200)
    expect((await second.client.withKey(revoked.key).post('/keys/query', {})).status).toBe(401)
    expect((await second.client.withKey(turned.key).post('/keys/query', {})).status).toBe(200)
    expect((await list(second.client)).find((key) => key.id === id)).toMatchObject({
      expires_at: turned.replaced.expires_at,
      replaced_by: turned.id,
    })
    expect((await second.client.post('/secrets/query', {})).json).toMatchObject({ secrets: [{ name: 'KEPT_KEY' }] })
  } finally {
    await second.stop()
    await removeFolder(data)
  }
})
