import { afterAll, expect, test } from 'bun:test'
import { documentsOf } from '../support/data-place.ts'
import { TestProvider } from '../support/openid-provider.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'
import { Browser } from '../ui/browser.ts'
import { problemOf, Traveller } from './traveller.ts'

const ada = { name: 'Ada', email: 'ada@example.com', groups: ['staff'] }
const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) {
    await removeFolder(folder)
    await Bun.file(`${folder}.secrets-key`)
      .delete()
      .catch(() => {})
  }
})

async function freshFolder(): Promise<string> {
  const folder = await makeTempFolder()
  folders.push(folder)
  return folder
}

async function during(data: string, env: Record<string, string>, work: (server: ServerProcess) => Promise<void>) {
  const server = await startServer({ data, env })
  try {
    await work(server)
  } finally {
    await server.stop()
  }
}

test('behind a proxy, the provider sends people to the public address, below the base path', async () => {
  await using provider = await TestProvider.start({ people: { ada } })
  const env = { ...provider.settings('staff=read:*'), TRACELAKE_PUBLIC_URL: 'https://traces.example.com/lake' }
  await during(await freshFolder(), env, async ({ client }) => {
    const one = new Traveller(`${client.address}/lake`)
    const callback = await one.leave('ada', '/lake/ui/acme/bot/traces')
    expect(callback).toStartWith('https://traces.example.com/lake/ui/oidc/callback?')
    const back = await one.send('GET', one.local(callback))
    expect(back.headers.getSetCookie()[0]).toMatch(/; Path=\/lake\/ui\/; .*; SameSite=Strict; Secure$/)
    expect(await back.text()).toContain('content="0;url=/lake/ui/acme/bot/traces"')
    expect((await one.session()).body).toMatchObject({ user_name: 'Ada' })
  })
})

test('sessions survive restarts, as far as the settings still allow them', async () => {
  await using provider = await TestProvider.start({ people: { ada } })
  const data = await freshFolder()
  let cookie = ''
  const isSignedInAt = ({ client }: ServerProcess): Promise<boolean> => new Browser(client.address).isLoggedIn(cookie)
  await during(data, provider.settings('staff=read:*'), async ({ client }) => {
    const signed = new Traveller(client.address)
    await signed.signIn('ada')
    cookie = `tracelake_session=${signed.cookies.get(client.address)!.get('tracelake_session')}`
    // Nothing that opens the account is on disk in plain text.
    const stored = await (await documentsOf(data)).find('sessions.json')
    expect(stored).toContain('"hash"')
    expect(stored).not.toMatch(/eyJ|refresh|access_token/)
  })
  await during(data, { ...provider.settings('staff=read:*'), TRACELAKE_OIDC_CHECK_S: '1' }, async (server) => {
    expect(await isSignedInAt(server)).toBe(true)
  })
  await during(data, provider.settings('others=read:*'), async (server) =>
    expect(await isSignedInAt(server)).toBe(false),
  )
  await during(data, {}, async (server) => expect(await isSignedInAt(server)).toBe(false))
  await during(data, provider.settings('staff=read:*'), async (server) => expect(await isSignedInAt(server)).toBe(true))
})

test('a provider that does not answer is a problem of its own, and the server starts without it', async () => {
  const provider = await TestProvider.start({ people: { ada } })
  provider.isDown = true
  await during(await freshFolder(), provider.settings('staff=read:*'), async ({ client }) => {
    const one = new Traveller(client.address)
    expect(problemOf(await one.send('GET', `${client.address}/ui/oidc/start`))).toBe('unreachable')
    provider.isDown = false
    expect((await one.signIn('ada')).status).toBe(200)
    await provider[Symbol.asyncDispose]()
    expect((await one.session()).body).not.toMatchObject({ user_id: null })
  })
})

test('a wrong client secret is a problem of its own, and appears nowhere', async () => {
  await using provider = await TestProvider.start({ people: { ada } })
  const env = { ...provider.settings('staff=read:*'), TRACELAKE_OIDC_CLIENT_SECRET: 'the-wrong-secret' }
  await during(await freshFolder(), env, async ({ client, adminKey }) => {
    const back = await new Traveller(client.address).signIn('ada')
    expect(problemOf(back)).toBe('refused')
    const root = new Traveller(client.address)
    await root.send('POST', `${client.address}/ui/session`, { body: { key: adminKey } })
    const settings = await (await root.post('/service/settings', {})).text()
    expect(settings).toContain('"TRACELAKE_OIDC_CLIENT_ID"')
    expect(settings).not.toContain('the-wrong-secret')
  })
})

test('without refresh tokens, groups of the UserInfo endpoint are read again', async () => {
  await using provider = await TestProvider.start({
    people: { ada },
    client: { grant_types: ['authorization_code'] },
    settings: { conformIdTokenClaims: true },
  })
  const env = { ...provider.settings('staff=read:*'), TRACELAKE_OIDC_CHECK_S: '1' }
  await during(await freshFolder(), env, async ({ client }) => {
    const one = new Traveller(client.address)
    expect((await one.signIn('ada')).status).toBe(200)
    expect((await one.session()).body).toMatchObject({ user_name: 'Ada' })
    provider.regroup('ada')
    await until(async () => (await one.session()).body['user_id'] === null)
  })
})

test('clients that have to send their secret in the body can', async () => {
  await using provider = await TestProvider.start({
    people: { ada },
    client: { token_endpoint_auth_method: 'client_secret_post' },
  })
  const env = { ...provider.settings('{"*": "read:acme"}'), TRACELAKE_OIDC_CLIENT_AUTH: 'post' }
  await during(await freshFolder(), env, async ({ client }) => {
    const one = new Traveller(client.address)
    expect((await one.signIn('ada')).status).toBe(200)
    expect((await one.session()).body).toMatchObject({ projects: ['acme/*'] })
  })
})

test('without a provider there is nothing to sign in with', async () => {
  await during(await freshFolder(), {}, async ({ client }) => {
    expect((await fetch(`${client.address}/ui/oidc/start`)).status).toBe(404)
    expect((await fetch(`${client.address}/ui/oidc/callback?code=1&state=2`)).status).toBe(404)
    expect(await (await fetch(`${client.address}/ui/login`)).text()).not.toContain('tracelake-provider')
  })
})
