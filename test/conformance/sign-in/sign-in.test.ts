import { afterAll, describe, expect, test } from 'bun:test'
import { TestProvider } from '../support/openid-provider.ts'
import { ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'
import { problemOf, Traveller } from './traveller.ts'

const provider = await TestProvider.start({
  people: {
    ada: { name: 'Ada Lovelace', email: 'ada@example.com', groups: ['ml-team', 'staff'] },
    bob: { name: 'Bob', email: 'bob@example.com', groups: ['staff'] },
    eve: { name: 'Eve', email: 'eve@example.com', groups: ['visitors'] },
    root: { name: 'Root', email: 'root@example.com', groups: ['operators'] },
  },
})
afterAll(() => provider[Symbol.asyncDispose]())
const server = await ownServer({
  env: {
    ...provider.settings('ml-team=write:acme, staff=read:shared/docs, operators=admin:*'),
    TRACELAKE_OIDC_CHECK_S: '1',
  },
})
const traveller = () => new Traveller(server.client.address)

describe('signing in', () => {
  test('opens the page that was asked for, with role and scopes of the groups', async () => {
    const ada = traveller()
    const back = await ada.signIn('ada', '/ui/acme/bot/traces?f=1&g="<x>')
    expect(back.status).toBe(200)
    expect(await back.text()).toContain('content="0;url=/ui/acme/bot/traces?f=1&#38;g=%22%3Cx%3E"')
    const { status, body } = await ada.session()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user_name: 'Ada Lovelace',
      credential: 'account',
      provider: 'Example ID',
      role: 'write',
      projects: ['acme/*', 'shared/docs'],
    })
    expect(body['user_id']).toMatch(/^oidc-[0-9a-f]{16}$/)
  })

  test('leaves a cookie for the session alone, out of reach of scripts and other sites', async () => {
    const ada = traveller()
    const back = await ada.signIn('ada')
    const [session, gone] = back.headers.getSetCookie()
    expect(session).toMatch(/^tracelake_session=[0-9a-f]{64}; Path=\/ui\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
    expect(gone).toMatch(/^tracelake_sign_in_[0-9a-f]{8}=; Path=\/ui\/oidc\/; Max-Age=0; HttpOnly; SameSite=Lax$/)
    expect([...ada.cookies.get(server.client.address)!.keys()]).toEqual(['tracelake_session'])
  })

  test('gives each project the role of its group', async () => {
    const ada = traveller()
    await ada.signIn('ada')
    const create = (project: string) =>
      ada.post('/obj/create', { obj: { project_id: project, object_id: 'o', val: 1 } })
    expect((await create('acme/bot')).status).toBe(200)
    expect((await create('shared/docs')).status).toBe(403)
    expect((await ada.post('/objs/query', { project_id: 'shared/docs' })).status).toBe(200)
    expect((await ada.post('/objs/query', { project_id: 'shared/other' })).status).toBe(403)
    expect((await ada.post('/keys/query', {})).status).toBe(403)
  })

  test('of an operator allows to administer the server', async () => {
    const root = traveller()
    await root.signIn('root')
    expect((await root.post('/keys/query', {})).status).toBe(200)
  })

  test('names the person as the author', async () => {
    const ada = traveller()
    await ada.signIn('ada')
    const { user_id } = (await ada.session()).body
    await ada.post('/obj/create', { obj: { project_id: 'acme/authors', object_id: 'o', val: 1 } })
    const { objs } = (await (await ada.post('/objs/query', { project_id: 'acme/authors' })).json()) as {
      objs: Record<string, unknown>[]
    }
    expect(objs[0]).toMatchObject({ ext_user_id: user_id })
  })

  test('with groups that give no access is refused', async () => {
    const eve = traveller()
    const back = await eve.signIn('eve')
    expect(problemOf(back)).toBe('no-access')
    expect((await eve.session()).body).toMatchObject({ user_id: null })
  })

  test('that the person cancels is refused', async () => {
    expect(problemOf(await traveller().signIn('cancels'))).toBe('denied')
  })

  test.each(['https://evil.example.com/', '//evil.example.com/ui/', '/other', 'javascript:alert(1)', '\\\\evil/ui/'])(
    'leads nowhere else (%s)',
    async (next) => {
      const back = await traveller().signIn('bob', next)
      expect(await back.text()).toContain('content="0;url=/ui/"')
    },
  )
})

describe('an answer of the provider', () => {
  test('is of use once', async () => {
    const bob = traveller()
    const callback = await bob.leave('bob')
    const before = new Map(bob.cookies.get(server.client.address))
    expect((await bob.send('GET', callback)).status).toBe(200)
    // The attempt is gone from the browser.
    expect(problemOf(await bob.send('GET', callback))).toBe('expired')
    // Even if it were not, it has been used.
    bob.cookies.set(server.client.address, before)
    expect(problemOf(await bob.send('GET', callback))).toBe('invalid')
  })

  test('is of use in the browser that left for it only', async () => {
    const callback = await traveller().leave('bob')
    expect(problemOf(await traveller().send('GET', callback))).toBe('expired')
  })

  test('with another state, or none, is refused', async () => {
    const bob = traveller()
    const callback = new URL(await bob.leave('bob'))
    callback.searchParams.set('state', 'another')
    expect(problemOf(await bob.send('GET', callback.href))).toBe('expired')
    callback.searchParams.delete('state')
    expect(problemOf(await bob.send('GET', callback.href))).toBe('invalid')
  })

  test('of another issuer is refused', async () => {
    const bob = traveller()
    const callback = new URL(await bob.leave('bob'))
    callback.searchParams.set('iss', 'https://evil.example.com')
    expect(problemOf(await bob.send('GET', callback.href))).toBe('invalid')
  })

  test('with a code of another attempt is refused', async () => {
    const first = new URL(await traveller().leave('bob'))
    const bob = traveller()
    const second = new URL(await bob.leave('bob'))
    second.searchParams.set('code', first.searchParams.get('code')!)
    // The provider compares the code verifier.
    expect(problemOf(await bob.send('GET', second.href))).toBe('refused')
    expect((await bob.session()).body).toMatchObject({ user_id: null })
  })
})

describe('a session', () => {
  test('ends when the group is removed, and the next sign-in is refused', async () => {
    const bob = traveller()
    await bob.signIn('bob')
    expect((await bob.session()).status).toBe(200)
    provider.regroup('bob')
    await until(async () => (await bob.post('/objs/query', { project_id: 'shared/docs' })).status === 401)
    expect((await bob.session()).body).toMatchObject({ user_id: null })
    expect(problemOf(await bob.signIn('bob'))).toBe('no-access')
    provider.regroup('bob', 'staff')
    expect((await bob.signIn('bob')).status).toBe(200)
  })

  test('follows the groups to another role', async () => {
    const bob = traveller()
    await bob.signIn('bob')
    const create = () => bob.post('/obj/create', { obj: { project_id: 'acme/bot', object_id: 'b', val: 1 } })
    expect((await create()).status).toBe(403)
    provider.regroup('bob', 'ml-team')
    await until(async () => (await create()).status === 200)
    provider.regroup('bob', 'staff')
    await until(async () => (await create()).status === 403)
  })

  test('ends when the provider no longer knows the person', async () => {
    provider.people.set('tmp', { name: 'T', email: 't@example.com', groups: ['staff'] })
    const one = traveller()
    await one.signIn('tmp')
    provider.people.delete('tmp')
    await until(async () => (await one.session()).body['user_id'] === null)
  })

  test('outlasts a provider that does not answer for a while', async () => {
    const bob = traveller()
    await bob.signIn('bob')
    provider.isDown = true
    try {
      await until(async () => {
        expect((await bob.session()).status).toBe(200)
        return provider.refused > 0
      })
      expect((await bob.session()).body).toMatchObject({ user_name: 'Bob' })
    } finally {
      provider.isDown = false
    }
  })

  test('ends at the provider too', async () => {
    const ada = traveller()
    await ada.signIn('ada')
    const response = await ada.send('DELETE', `${server.client.address}/ui/session`)
    const { logout_url } = (await response.json()) as { logout_url: string }
    const url = new URL(logout_url)
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/session/end`)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${server.client.address}/ui/login`)
    expect((await ada.send('GET', logout_url)).status).toBe(200)
    expect((await ada.session()).body).toMatchObject({ user_id: null })
  })
})

test('a request from another site cannot end the session', async () => {
  const ada = traveller()
  await ada.signIn('ada')
  const headers = { 'sec-fetch-site': 'cross-site' }
  expect((await ada.send('DELETE', `${server.client.address}/ui/session`, { headers })).status).toBe(403)
  expect((await ada.session()).status).toBe(200)
})
