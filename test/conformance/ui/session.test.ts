import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { LoginLinks } from '../../../src/domains/access/sessions/login-links.ts'
import { version } from '../../../src/lib/version.ts'
import { documentsOf, testOfFolder } from '../support/data-place.ts'
import { isInLake, lakeOf } from '../support/lake-place.ts'
import { ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'
import { Browser } from './browser.ts'

/** What starts a command, where the server under test runs. */
const command =
  process.env['TRACELAKE_TEST_RUNTIME'] === 'executable'
    ? join(import.meta.dir, '../../../dist/tracelake')
    : './scripts/tracelake'
const server = await ownServer()
const { client, adminKey } = server
const browser = () => new Browser(client.address)
const documents = await documentsOf(server.data)
const links = new LoginLinks(documents, { nowMs: () => Date.now() })
/** The words that say to commands where the data is. */
const place = isInLake ? `${server.data} --lake ${lakeOf(server.data)}` : server.data

describe('a session', () => {
  test('is opened with a key and tells who is logged in', async () => {
    const page = browser()
    const opened = await page.post('/ui/session', { key: ` ${adminKey}\n` })
    const info = {
      user_id: 'admin',
      user_name: 'admin',
      role: 'admin',
      credential: 'key',
      provider: null,
      projects: ['*'],
      version,
      public_url: client.address,
      grpc_url: `http://${server.grpcAddress}`,
      command,
      data_folder: place,
      dialect: 'ext',
    }
    expect([opened.status, await opened.json()]).toEqual([200, info])
    const read = await page.get('/ui/session')
    expect([read.status, await read.json()]).toEqual([200, info])
  })

  test('is a cookie that scripts cannot read and that goes to the UI only', async () => {
    const [cookie] = (await browser().post('/ui/session', { key: adminKey })).headers.getSetCookie()
    expect(cookie).toMatch(/^tracelake_session=[0-9a-f]{64}; Path=\/ui\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/)
  })

  test.each([
    ['acme', ['acme/*']],
    ['acme/bot', ['acme/bot']],
  ])('reaches what its key reaches: %s', async (scope, projects) => {
    const key = await server.createKey({ name: 'reader', role: 'read', scope })
    const page = await browser().logIn(key)
    expect(await (await page.get('/ui/session')).json()).toMatchObject({
      user_id: key.slice(0, 8),
      user_name: 'reader',
      role: 'read',
      projects,
    })
  })

  test('is closed by logging out, for good', async () => {
    const page = await browser().logIn(adminKey)
    const { cookie } = page
    const out = await page.send('DELETE', '/ui/session')
    expect([out.status, await out.text(), page.cookie]).toEqual([204, '', undefined])
    expect(await page.isLoggedIn(cookie)).toBe(false)
    expect((await page.send('DELETE', '/ui/session')).status).toBe(204)
  })

  test('replaces the one before', async () => {
    const page = await browser().logIn(adminKey)
    const { cookie } = page
    await page.logIn(adminKey)
    expect(page.cookie).not.toBe(cookie!)
    expect(await browser().isLoggedIn(cookie)).toBe(false)
  })

  test('ends when its key is revoked', async () => {
    const key = await server.createKey({ name: 'leaver', role: 'write', scope: '*' })
    const page = await browser().logIn(key)
    expect((await page.post('/ui/api/projects/query', {})).status).toBe(200)
    await server.revokeKeys('leaver')
    // The server may know the key for another moment.
    await until(async () => !(await page.isLoggedIn()))
    expect((await page.post('/ui/api/projects/query', {})).status).toBe(401)
    expect(await (await page.get('/ui/session')).json()).toMatchObject({ user_id: null, ended: 'key_revoked' })
  })

  test('is stored as a hash', async () => {
    const page = await browser().logIn(adminKey)
    const text = await documents.find('sessions.json')
    expect(text).toContain('"hash"')
    expect(text).not.toContain(page.cookie!.split('=')[1]!)
    expect(text).not.toContain(adminKey)
  })

  test.each([
    ['none', undefined, null],
    ['one of another form', 'tracelake_session=abc', null],
    ['an unknown one', `tracelake_session=${'0'.repeat(64)}`, 'ended'],
    ['a session file’s hash', 'hash', 'ended'],
  ])('is not open with %s, which is no error', async (_, cookie, ended) => {
    const [{ hash }] = JSON.parse((await documents.find('sessions.json')) ?? '').sessions
    const sent = cookie === 'hash' ? `tracelake_session=${hash}` : cookie
    const response = await browser().get('/ui/session', sent === undefined ? {} : { cookie: sent })
    expect(response.status).toBe(200)
    const open_command = `${command} open --data ${place}`
    expect(await response.json()).toEqual({ user_id: null, ended, open_command })
    expect(response.headers.has('set-cookie')).toBe(false)
  })

  test('tells the data folder only to admins and to people on this machine', async () => {
    const stranger = await browser().get('/ui/session', { 'x-forwarded-for': '198.51.100.7' })
    expect(await stranger.json()).toMatchObject({
      open_command: `${command} open --data DATA_FOLDER${isInLake ? ' --lake ADDRESS' : ''}`,
    })
    const key = await server.createKey({ name: 'writer', role: 'write', scope: '*' })
    const page = await browser().logIn(key)
    expect(await (await page.get('/ui/session')).json()).toMatchObject({ data_folder: null })
  })
})

describe('a login link', () => {
  test('logs in once, with the admin key', async () => {
    const once = await links.create()
    const page = browser()
    const first = await page.post('/ui/session', { once })
    expect([first.status, await first.json()]).toMatchObject([200, { role: 'admin', projects: ['*'] }])
    const second = await browser().post('/ui/session', { once })
    expect(second.status).toBe(401)
    expect(await second.text()).toContain('tracelake open')
  })

  test('works once even if it is used twice at the same time', async () => {
    const once = await links.create()
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser().post('/ui/session', { once })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('is of no use after ten minutes', async () => {
    const once = await new LoginLinks(documents, { nowMs: () => Date.now() - 600_000 }).create()
    expect((await browser().post('/ui/session', { once })).status).toBe(401)
  })

  test('is stored as a hash', async () => {
    const once = await links.create()
    const text = await documents.find('login-links.json')
    expect(text).toContain('"hash"')
    expect(text).not.toContain(once)
  })
})

testOfFolder('modes of files')('only the server’s user can read the files of sessions and links', async () => {
  await links.create()
  await browser().logIn(adminKey)
  for (const name of ['sessions.json', 'login-links.json'])
    expect(statSync(join(server.data, name)).mode & 0o777).toBe(0o600)
})

test.each([[{}], [{ key: '' }], [{ key: 1 }], [{ once: null }], [[]], ['x']])(
  'a login without a key is refused: %j',
  async (body) => {
    expect((await browser().post('/ui/session', body)).status).toBe(422)
  },
)

test('a login request has to be small', async () => {
  expect((await browser().post('/ui/session', { key: 'x'.repeat(5000) })).status).toBe(413)
})
