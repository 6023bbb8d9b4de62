import { afterAll, expect, test } from 'bun:test'
import { LoginLinks } from '../../../src/domains/access/sessions/login-links.ts'
import { documentsOf, storeRaw } from '../support/data-place.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'
import { Browser } from './browser.ts'

const folders: string[] = []
const freshFolder = async (): Promise<string> => {
  const folder = await makeTempFolder()
  folders.push(folder)
  return folder
}
afterAll(async () => {
  for (const folder of folders) await removeFolder(folder)
})

/** Runs `work` with a server on `data`, which is stopped afterwards. */
async function during<T>(
  data: string,
  options: Parameters<typeof startServer>[0],
  work: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const server = await startServer({ data, ...options })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

const opensWith = ({ client }: ServerProcess, cookie: string): Promise<boolean> =>
  new Browser(client.address).isLoggedIn(cookie)

test('a session survives restarts, but not a change of the preset admin key', async () => {
  const data = await freshFolder()
  const adminKey = 'first-admin-key'
  const cookie = await during(data, { adminKey }, async ({ client }) => {
    return (await new Browser(client.address).logIn(adminKey)).cookie!
  })
  expect(await during(data, { adminKey }, (server) => opensWith(server, cookie))).toBe(true)
  expect(await during(data, { adminKey: 'second-admin-key' }, (server) => opensWith(server, cookie))).toBe(false)
  expect(await during(data, { adminKey }, (server) => opensWith(server, cookie))).toBe(true)
})

test('a damaged session file costs the sessions only', async () => {
  const data = await freshFolder()
  const adminKey = 'first-admin-key'
  const cookie = await during(data, { adminKey }, async ({ client }) => {
    return (await new Browser(client.address).logIn(adminKey)).cookie!
  })
  await storeRaw(data, 'sessions.json', '{"version":1,')
  await during(data, { adminKey }, async (server) => {
    expect(await opensWith(server, cookie)).toBe(false)
    expect((await new Browser(server.client.address).post('/ui/session', { key: adminKey })).status).toBe(200)
  })
})

test('a login link made while no server runs works with the next one', async () => {
  const data = await freshFolder()
  await during(data, {}, async () => {})
  const once = await new LoginLinks(await documentsOf(data), { nowMs: () => Date.now() }).create()
  await during(data, {}, async ({ client }) => {
    expect((await new Browser(client.address).post('/ui/session', { once })).status).toBe(200)
  })
})

test('below a base path, the cookie belongs to the UI there', async () => {
  const env = { TRACELAKE_PUBLIC_URL: 'https://traces.example.com/lake/' }
  await during(await freshFolder(), { env }, async ({ client, adminKey }) => {
    const page = new Browser(`${client.address}/lake`)
    const opened = await page.post('/ui/session', { key: adminKey })
    expect(opened.headers.get('set-cookie')).toContain('; Path=/lake/ui/;')
    expect(opened.headers.get('set-cookie')).toEndWith('; Secure')
    expect(await opened.json()).toMatchObject({ public_url: 'https://traces.example.com/lake' })
    expect((await page.post('/ui/api/projects/query', {})).status).toBe(200)
    // Browsers that say nothing about sites name the public origin.
    const asked = (origin: string) =>
      fetch(`${client.address}/lake/ui/api/projects/query`, {
        method: 'POST',
        headers: { origin, cookie: page.cookie!, 'content-type': 'application/json' },
        body: '{}',
      })
    expect((await asked('https://traces.example.com')).status).toBe(200)
    expect((await asked('https://other.example.com')).status).toBe(403)
  })
})

test('a trusted proxy says whether the browser uses TLS, and how it calls the server', async () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'traces.example.com' }
  const env = { TRACELAKE_TRUSTED_PROXIES: '127.0.0.1,::1' }
  await during(await freshFolder(), { env }, async ({ client, adminKey }) => {
    const opened = await new Browser(client.address).post('/ui/session', { key: adminKey }, forwarded)
    expect(opened.headers.get('set-cookie')).toEndWith('; Secure')
    expect(await opened.json()).toMatchObject({ public_url: 'https://traces.example.com' })
  })
  await during(await freshFolder(), {}, async ({ client, adminKey }) => {
    const opened = await new Browser(client.address).post('/ui/session', { key: adminKey }, forwarded)
    expect(opened.headers.get('set-cookie')).not.toContain('Secure')
    expect(await opened.json()).toMatchObject({ public_url: client.address })
  })
})
