import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { documentsOf, testOfFolder } from '../support/data-place.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { type Link, makeLink, type Opened, Visitor } from './visitor.ts'

const server = await ownServer()
const { client } = server

async function projectWithTraces() {
  const project = freshProject(client)
  await project.complete({ id: 'a', trace_id: 'one' }, { id: 'b', trace_id: 'two' })
  return project
}

const list = async (body: object, from = client) =>
  (await from.post<{ links: Link[] }>('/shared_links/query', body)).json.links

test('a link is made, listed without its secret, and revoked', async () => {
  const project = await projectWithTraces()
  const made = await makeLink(project, 'one', 86_400)
  expect(made.status).toBe(200)
  expect(made.headers.get('cache-control')).toBe('no-store')
  const { path, ...link } = made.json
  expect(path).toMatch(new RegExp(`^/ui/shared/${link.id}#[0-9a-f]{64}$`))
  expect(link).toMatchObject({ project_id: project.id, trace_id: 'one', ext_user_id: 'admin', ext_username: 'admin' })
  expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(86_400_000)
  const other = (await makeLink(project, 'two')).json

  expect(await list({ project_id: project.id, trace_id: 'one' })).toEqual([link as Link])
  expect((await list({ project_id: project.id })).map(({ id }) => id)).toEqual([other.id, link.id])
  expect((await list({})).map(({ id }) => id)).toEqual(expect.arrayContaining([other.id, link.id]))

  const revoked = await client.post('/shared_links/revoke', { project_id: project.id, id: link.id })
  expect([revoked.status, revoked.json]).toEqual([200, link])
  expect((await client.post('/shared_links/revoke', { project_id: project.id, id: link.id })).status).toBe(200)
  expect((await list({ project_id: project.id })).map(({ id }) => id)).toEqual([other.id])
})

const stored = async () => (await documentsOf(server.data)).find('shared-links.json')

test('the secret is kept as a hash', async () => {
  const project = await projectWithTraces()
  const { path } = (await makeLink(project, 'one')).json
  const [, secret = ''] = path.split('#')
  expect(await stored()).toContain(project.id)
  expect(await stored()).not.toContain(secret)
})

testOfFolder('modes of files')('the file of all links is for the server only', async () => {
  await makeLink(await projectWithTraces(), 'one')
  expect(statSync(join(server.data, 'shared-links.json')).mode & 0o777).toBe(0o600)
})

test('what is wrong with a request is said, and makes no link', async () => {
  const project = await projectWithTraces()
  for (const seconds of [0, 90 * 86_400 + 1, 1.5]) expectInvalid(await makeLink(project, 'one', seconds))
  expectRefusal(await makeLink(project, 'none'), 404, 'does not exist in the project')
  expectRefusal(await client.post('/shared_links/revoke', { project_id: project.id, id: 'f'.repeat(16) }), 404)
  expect(await list({ project_id: project.id })).toEqual([])
})

test('only those who may write to the project make, see and revoke links', async () => {
  const [project, other] = [await projectWithTraces(), await projectWithTraces()]
  const { id } = (await makeLink(project, 'one')).json
  const reader = client.withKey(await server.createKey({ name: 'reader', role: 'read', scope: project.id }))
  const writer = client.withKey(await server.createKey({ name: 'writer', role: 'write', scope: other.id }))
  for (const [from, expected] of [
    [reader, 403],
    [writer, 403],
  ] as const) {
    const body = { project_id: project.id, trace_id: 'one', expires_in_seconds: 60, id }
    for (const name of ['create', 'query', 'revoke']) {
      expectRefusal(await from.post(`/shared_links/${name}`, body), expected)
    }
  }
  expectRefusal(await reader.post('/shared_links/query', {}), 403)
  expect(await list({}, writer)).toEqual([])
  // A link of one project cannot be revoked through another.
  expectRefusal(await writer.post('/shared_links/revoke', { project_id: other.id, id }), 404)
})

test('making and revoking are in the audit log, without the secret', async () => {
  const project = await projectWithTraces()
  const { id, path } = (await makeLink(project, 'one')).json
  await new Visitor(client, path).open()
  await client.post('/shared_links/revoke', { project_id: project.id, id })
  const { json, text } = await client.post<{ entries: { operation: string; project_ids: string[] }[] }>(
    '/audit/query',
    {
      kinds: ['change', 'sign-in'],
      limit: 10,
    },
  )
  const own = json.entries.filter(({ project_ids }) => project_ids.includes(project.id))
  expect(own.slice(0, 3)).toMatchObject([
    { operation: 'sharedLinks.revoke', item_ids: [id], ext_user_id: 'admin', status: 200 },
    { operation: 'ui.open_link', item_ids: [id], ext_user_id: '', status: 200 },
    { operation: 'sharedLinks.create', item_ids: ['one'], ext_user_id: 'admin', status: 200 },
  ])
  expect(text).not.toContain(path.split('#')[1]!)
})

test('a link ends with the key that made it, and with its project', async () => {
  const project = await projectWithTraces()
  const key = await server.createKey({ name: 'leaver', role: 'write', scope: project.id })
  const { path } = (await makeLink(project.withKey(key), 'one')).json
  const opened = async () => (await (await new Visitor(client, path).open()).json()) as Opened
  expect(await opened()).toMatchObject({ ended: null, project_id: project.id, trace_id: 'one' })
  await client.post('/keys/revoke', { id: key.slice(0, 8) })
  expect(await opened()).toEqual({ ended: 'revoked' })

  const kept = (await makeLink(project, 'two')).json
  await client.post('/projects/erase', { project_id: project.id })
  for (;;) {
    const { json } = await client.post<{ erasures: { state: string }[] }>('/erasures/query', { project_id: project.id })
    if (json.erasures[0]?.state !== 'running') break
    await Bun.sleep(50)
  }
  expect((await new Visitor(client, kept.path).open()).status).toBe(401)
  expect(await stored()).not.toContain(project.id)
})
