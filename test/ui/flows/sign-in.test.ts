import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { TestProvider } from '../../conformance/support/openid-provider.ts'
import { type ServerProcess, startServer } from '../../conformance/support/server-process.ts'
import { until } from '../../conformance/support/until.ts'
import { sharedBrowser } from '../support/shared-browser.ts'

let provider: TestProvider
let server: ServerProcess
beforeAll(async () => {
  provider = await TestProvider.start({
    people: {
      ada: { name: 'Ada Lovelace', email: 'ada@example.com', groups: ['viewers'] },
      eve: { name: 'Eve', email: 'eve@example.com', groups: [] },
    },
    hasPages: true,
  })
  const env = { ...provider.settings('viewers=read:acme, editors=write:acme'), TRACELAKE_OIDC_CHECK_S: '1' }
  server = await startServer({ env })
  await server.client.post('/obj/create', { obj: { project_id: 'acme/bot', object_id: 'hello', val: 1 } })
})
afterAll(async () => {
  await server.stop()
  await provider[Symbol.asyncDispose]()
})

/** Runs `look` in a browser of its own. */
async function browsing(look: (page: Page) => Promise<void>): Promise<void> {
  const context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(90_000)
  try {
    await look(await context.newPage())
  } finally {
    await context.close()
  }
}

/** From the login page to the provider, through its pages, and back. */
async function signIn(page: Page, person: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
  await page.waitForURL(`${provider.issuer}/interaction/**`)
  await page.getByPlaceholder('Enter any login').fill(person)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  const consent = page.getByRole('button', { name: 'Continue' })
  await consent.click()
  await page.waitForURL((url) => url.origin === server.client.address)
}

/** What the API answers a request of the page. */
const statusOf = (page: Page, path: string, body: unknown): Promise<number> =>
  page.evaluate(
    async ([url, json]) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: json! }
      return (await fetch(url!, init)).status
    },
    [`/ui/api${path}`, JSON.stringify(body)],
  )

const create = { obj: { project_id: 'acme/bot', object_id: 'made-by-ada', val: 2 } }

test('a person signs in, gets the role of the group, and loses access with the group', async () => {
  await browsing(async (page) => {
    await page.goto(`${server.client.address}/ui/settings/account`)
    await signIn(page, 'ada')
    await page.waitForURL('**/ui/settings/account')
    await page.getByText('Ada Lovelace').first().waitFor()
    await page.getByText('read').first().waitFor()

    expect(await statusOf(page, '/objs/query', { project_id: 'acme/bot' })).toBe(200)
    expect(await statusOf(page, '/obj/create', create)).toBe(403)
    expect(await statusOf(page, '/objs/query', { project_id: 'other/bot' })).toBe(403)

    provider.regroup('ada', 'editors')
    await until(async () => (await statusOf(page, '/obj/create', create)) === 200)

    provider.regroup('ada')
    await until(async () => (await statusOf(page, '/objs/query', { project_id: 'acme/bot' })) === 401)
    await page.goto(`${server.client.address}/ui/acme/bot/traces`)
    await page.waitForURL('**/ui/login?next=*')
    expect(await statusOf(page, '/objs/query', { project_id: 'acme/bot' })).toBe(401)

    // The provider still knows her, so it asks for nothing.
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await page.getByRole('heading', { name: 'You have no access here' }).waitFor()
    expect(await statusOf(page, '/objs/query', { project_id: 'acme/bot' })).toBe(401)
  })
})

test('signing out ends the session with the provider too', async () => {
  provider.regroup('ada', 'viewers')
  await browsing(async (page) => {
    await page.goto(`${server.client.address}/ui/settings/account`)
    await signIn(page, 'ada')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${provider.issuer}/session/end**`)
    await page.getByRole('button', { name: /yes, sign me out/i }).click()
    await page.waitForURL(`${server.client.address}/ui/login**`)
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await page.getByPlaceholder('Enter any login').waitFor()
  })
})

test('a person without groups is told so, and one who cancels too', async () => {
  await browsing(async (page) => {
    await page.goto(`${server.client.address}/ui/login`)
    await signIn(page, 'eve')
    await page.getByRole('alert').getByText('none of your groups').waitFor()
    await page
      .getByRole('alert')
      .getByText(/Reference for the log: [0-9a-f]{8}/)
      .waitFor()
  })
  await browsing(async (page) => {
    await page.goto(`${server.client.address}/ui/login`)
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await page.getByRole('link', { name: /cancel/i }).click()
    await page.getByRole('alert').getByText('You cancelled').waitFor()
  })
})
