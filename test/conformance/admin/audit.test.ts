import { expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { ProjectObjects } from '../support/objects.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'
import { Browser } from '../ui/browser.ts'

interface Entry {
  readonly kind: string
  readonly operation: string
  readonly ext_user_id: string
  readonly ext_username: string
  readonly project_ids: readonly string[]
  readonly item_ids: readonly string[]
  readonly items: number
  readonly status: number
  readonly requests: number
  readonly address: string | null
  readonly request_id: string | null
  readonly reason: string | null
}
interface Entries {
  readonly entries: readonly Entry[]
  readonly has_more: boolean
}

const server = await ownServer()
const { client } = server
const query = async (body: object, from: Client = client): Promise<Entries> =>
  (await from.post<Entries>('/audit/query', body)).json

test('administration says who did what, and contains no secrets', async () => {
  const made = (await client.post<{ id: string; key: string }>('/keys/create', { name: 'ci', role: 'write' })).json
  await client.post('/keys/revoke', { id: made.id }, { headers: { 'x-request-id': 'request-7' } })
  const answer = await client.post<Entries>('/audit/query', { kinds: ['admin'] })
  expect(answer.json.entries[0]).toMatchObject({
    kind: 'admin',
    operation: 'keys.revoke',
    ext_user_id: 'admin',
    ext_username: 'admin',
    item_ids: [made.id],
    items: 1,
    status: 200,
    requests: 1,
    address: '127.0.0.1',
    request_id: 'request-7',
  })
  expect(answer.json.entries[1]).toMatchObject({ operation: 'keys.create', item_ids: ['ci'] })
  expect(answer.text).not.toContain(made.key)
})

test('changes name their project, refused ones too', async () => {
  const project = freshProject(client)
  await new ProjectObjects(client, project.id).create('one', { secret: 'contents' })
  const { key } = (await client.post<{ key: string }>('/keys/create', { name: 'reader', role: 'read' })).json
  expectRefusal(await client.withKey(key).post('/obj/create', { obj: { project_id: project.id } }), 403)
  const { entries } = await query({ kinds: ['change'] })
  expect(entries[1]).toMatchObject({ operation: 'objects.create', project_ids: [project.id], status: 200 })
  expect(entries[0]).toMatchObject({ operation: 'objects.create', ext_username: 'reader', status: 403 })
  expect(JSON.stringify(entries)).not.toContain('contents')
  expect((await query({ kinds: ['change'], is_failed: true })).entries).toHaveLength(1)
})

test('the reason for moving an alias is kept', async () => {
  const project = freshProject(client)
  const objects = new ProjectObjects(client, project.id)
  const digest = await objects.create('one', 1)
  const body = { project_id: project.id, digest, aliases: ['production'], reason: '  fewer refunds  ' }
  expect((await client.put('/objs/one/aliases', body)).status).toBe(200)
  const removed = { project_id: project.id, aliases: ['production'], reason: '' }
  expect((await client.post('/objs/one/aliases/remove', removed)).status).toBe(200)
  expectInvalid(await client.put('/objs/one/aliases', { ...body, reason: 'x'.repeat(501) }), ['body', 'reason'])
  const { entries } = await query({ kinds: ['change'], is_failed: false })
  const own = entries.filter(({ project_ids }) => project_ids.includes(project.id))
  expect(own.slice(0, 2).map(({ operation, reason }) => [operation, reason])).toEqual([
    ['objects.removeAliases', null],
    ['objects.setAliases', 'fewer refunds'],
  ])
})

test('telemetry is counted together', async () => {
  const project = freshProject(client)
  await project.add({ id: 'a' }, { id: 'b' })
  await project.add({ id: 'c' })
  const { entries } = await query({ operation: 'calls.upsertBatch' })
  const own = entries.filter(({ project_ids }) => project_ids.includes(project.id))
  expect(own.reduce((sum, { requests }) => sum + requests, 0)).toBe(2)
  expect(own.reduce((sum, { items }) => sum + items, 0)).toBe(6)
  expect(own.every(({ item_ids }) => item_ids.length === 0)).toBe(true)
})

test('reads are not recorded unless they are refused', async () => {
  expect((await client.get('/service/geolocate')).status).toBeLessThan(500)
  const project = freshProject(client)
  await client.post('/objs/query', { project_id: project.id })
  const { key } = (await client.post<{ key: string }>('/keys/create', { name: 'x', role: 'read', scope: 'y' })).json
  expectRefusal(await client.withKey(key).post('/objs/query', { project_id: project.id }), 403)
  expect((await query({ operation: 'service.geolocate' })).entries).toEqual([])
  const { entries } = await query({ operation: 'objects.query' })
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({ kind: 'read', status: 403, ext_username: 'x' })
})

test('sign-ins are recorded, failed ones too', async () => {
  const browser = new Browser(client.address)
  await browser.post('/ui/session', { key: 'wrong-key' })
  await browser.logIn(server.adminKey)
  const { entries } = await query({ kinds: ['sign-in'] })
  expect(entries.map(({ operation, ext_user_id, status }) => [operation, ext_user_id, status])).toEqual([
    ['ui.log_in', 'admin', 200],
    ['ui.log_in', '', 401],
  ])
})

test('entries come in pages, by time and by user', async () => {
  const all = await query({ limit: 1000 })
  const first = await query({ limit: 2 })
  expect(first.has_more).toBe(true)
  expect(first.entries).toEqual(all.entries.slice(0, 2))
  expect((await query({ limit: 2, offset: 2 })).entries).toEqual(all.entries.slice(2, 4))
  expect((await query({ until: '2020-01-01T00:00:00Z' })).entries).toEqual([])
  expect((await query({ since: '2020-01-01T00:00:00Z', limit: 1000 })).entries.length).toBe(all.entries.length)
  expect((await query({ ext_user_id: 'nobody' })).entries).toEqual([])
  expectInvalid(await client.post('/audit/query', { kinds: ['none'] }), ['body', 'kinds', '0'])
  expect((await client.post('/audit/query', { since: 'yesterday' })).status).toBeGreaterThanOrEqual(400)
})

test('reads are counted if configured, and addresses stay out if configured', async () => {
  const own = await startServer({ env: { TRACELAKE_AUDIT: 'all', TRACELAKE_AUDIT_ADDRESS: 'off' } })
  try {
    const project = freshProject(own.client)
    for (let time = 0; time < 3; time++) await own.client.post('/objs/query', { project_id: project.id })
    const { entries } = await query({ kinds: ['read'], operation: 'objects.query' }, own.client)
    expect(entries.reduce((sum, { requests }) => sum + requests, 0)).toBe(3)
    expect(entries[0]).toMatchObject({ project_ids: [project.id], address: null })
  } finally {
    await own.stop()
  }
})

test('administration that was acknowledged is in the log after a kill', async () => {
  const data = await makeTempFolder()
  const first = await startServer({ data })
  const made: string[] = []
  const work = Promise.allSettled(
    Array.from({ length: 8 }, async (_, lane) => {
      for (let turn = 0; turn < 50; turn++) {
        const name = `key-${lane}-${turn}`
        const answer = await first.client.post<{ id: string }>('/keys/create', { name, role: 'read' })
        if (answer.status === 200) made.push(answer.json.id)
      }
    }),
  )
  while (made.length < 20) await Bun.sleep(5)
  const acknowledged = made.length
  await first.kill()
  await work
  const second = await startServer({ data, adminKey: first.adminKey })
  try {
    const { entries } = await query({ operation: 'keys.create', limit: 1000 }, second.client)
    expect(entries.length).toBeGreaterThanOrEqual(acknowledged)
    // Kept by a flush, a restart and in SQL alike.
    await second.client.post('/flush', {})
    expect((await query({ operation: 'keys.create', limit: 1000 }, second.client)).entries).toEqual([...entries])
  } finally {
    await second.stop()
    await removeFolder(data)
  }
})
