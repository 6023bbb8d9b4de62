import { describe, expect, test } from 'bun:test'
import path from 'node:path'
import { programFile } from '../../conformance/support/program-file.ts'
import { until } from '../../conformance/support/until.ts'
import { visiting } from '../support/visit.ts'
import { sharedWorld } from '../support/world.ts'

const repository = path.join(import.meta.dir, '../../..')
/** The browser reports every refusal. To be signed out is none. */
const refused = { expected: [/401/] }

/** A link as `tracelake open --print` prints it. */
async function loginLink(data: string): Promise<string> {
  const child = Bun.spawn([process.execPath, programFile, 'open', '--print', '--data', data], { cwd: repository })
  const output = await new Response(child.stdout).text()
  const link = /http:\S+/.exec(output)?.[0]
  if ((await child.exited) !== 0 || link === undefined) throw new Error(`Print a login link: ${output}`)
  return link
}

describe('signing in', () => {
  test('by a link works once, and leaves no secret in the address', async () => {
    const { server, address } = await sharedWorld()
    const link = await loginLink(server.data)
    const path = link.slice(new URL(link).origin.length)
    await visiting({ address }, async (visit) => {
      await visit.goTo(path)
      await visit.page.waitForURL(`${address}/ui/`)
      await visit.page.getByText('acme/support').or(visit.page.getByText('support')).first().waitFor()
      expect(visit.page.url()).not.toContain('once')
    })
    await visiting({ address, ...refused }, async (visit) => {
      const { page } = visit
      await visit.goTo(path)
      await page.getByRole('alert').getByText('It was used already, or it is older than ten minutes.').waitFor()
      await page.getByRole('alert').getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
      // Nobody has typed a key that could be wrong.
      expect(await page.getByRole('textbox', { name: 'API key' }).getAttribute('aria-invalid')).toBeNull()
      expect(new URL(page.url()).pathname).toBe('/ui/login')
      expect(page.url()).not.toContain('once=')
      // The next one is opened in the same tab: only the fragment changes.
      const next = await loginLink(server.data)
      await page.evaluate((hash) => location.assign(hash), new URL(next).hash)
      await page.waitForURL(`${address}/ui/`)
      // Whoever is signed in needs no link.
      await visit.goTo(path)
      await page.waitForURL(`${address}/ui/`)
    })
  })

  test('is not asked for with an error, and the page has the command that makes a link', async () => {
    const { server, address } = await sharedWorld()
    await visiting({ address }, async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/traces')
      await page.waitForURL(/\/ui\/login\?next=/)
      await page.getByText(`./scripts/tracelake open --data ${server.data}`, { exact: true }).waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    })
  })

  test('with a wrong key says so and stays', async () => {
    const { address } = await sharedWorld()
    await visiting({ address, ...refused }, async ({ page, ...visit }) => {
      void visit
      await page.goto(`${address}/ui/acme/support/traces`)
      await page.getByRole('textbox', { name: 'API key' }).fill('0'.repeat(40))
      await page.keyboard.press('Enter')
      await page.getByRole('alert').first().waitFor()
      expect(new URL(page.url()).pathname).toBe('/ui/login')
      expect(await page.context().cookies()).toEqual([])
    })
  })

  test('with a key leads to the page that was asked for, and signing out ends it', async () => {
    const world = await sharedWorld()
    const { address } = world
    await visiting({ address }, async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/traces?f=status%3Derror')
      await page.getByRole('textbox', { name: 'API key' }).fill(await world.keyOf('read'))
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/ui\/acme\/support\/traces\?f=/)
      await visit.settled()
      await visit.goTo('/ui/settings/account')
      await page
        .getByRole('button', { name: /sign out/i })
        .first()
        .click()
      await page.waitForURL(/\/ui\/login/)
      expect(await page.context().cookies()).toEqual([])
    })
  })
})

test('revoking the key ends the session, and the login page says so', async () => {
  const { server, address } = await sharedWorld()
  const name = `leaver-${crypto.randomUUID().slice(0, 8)}`
  const key = await server.createKey({ name, role: 'read', scope: '*' })
  await visiting({ address, ...refused }, async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/login')
    await page.getByRole('textbox', { name: 'API key' }).fill(key)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${address}/ui/`)
    await visit.goTo('/ui/acme/support/traces')
    await server.revokeKeys(name)
    const probe = server.client.withKey(key)
    await until(async () => (await probe.post('/projects/query', {})).status === 401)
    await page.getByRole('link', { name: 'Threads' }).first().click()
    await page.waitForURL(/\/ui\/login/)
    const reason = page.getByRole('alert').getByText('The key that you signed in with was revoked or replaced.')
    await reason.waitFor()
    await page.reload()
    await reason.waitFor()
  })
})

test('the cookie goes to the UI only, and scripts cannot read it', async () => {
  const { visit: look, address } = await bound()
  await look(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/support/traces')
    const sent = new Map<string, boolean>()
    page.on('request', (request) => {
      void request.allHeaders().then((headers) => sent.set(new URL(request.url()).pathname, 'cookie' in headers))
    })
    const statuses = await page.evaluate(async () => {
      const ask = async (path: string) =>
        (
          await fetch(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"project_id":"acme/support"}',
          })
        ).status
      return [await ask('/ui/api/calls/query_stats'), await ask('/calls/query_stats')]
    })
    expect(statuses).toEqual([200, 401])
    await until(() => sent.has('/ui/api/calls/query_stats') && sent.has('/calls/query_stats'))
    expect(Object.fromEntries(sent)).toMatchObject({ '/ui/api/calls/query_stats': true, '/calls/query_stats': false })
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const [cookie] = await page.context().cookies(`${address}/ui/`)
    expect(cookie).toMatchObject({ name: 'tracelake_session', httpOnly: true, sameSite: 'Strict', path: '/ui/' })
  }, refused)

  async function bound() {
    const world = await sharedWorld()
    return { address: world.address, visit: world.visit.bind(world) }
  }
})

describe('a key that only reads', () => {
  const writes = /^(?:delete|remove|save|add|create|make|revoke|react|queue|dataset|load$|new )/i

  test.each(['traces', 'calls', 'trace/damaged-parcel?tab=feedback', 'threads', 'live', 'dashboards', 'start'])(
    'sees no control that writes in %s',
    async (tail) => {
      const world = await sharedWorld()
      const controls = async (role: 'read' | 'admin'): Promise<string[]> => {
        let names: string[] = []
        await world.visit(
          async (visit) => {
            await visit.goTo(`/ui/acme/support/${tail}`)
            const boxes = visit.page.getByRole('grid').getByRole('checkbox')
            if ((await boxes.count()) > 1) await boxes.nth(1).check()
            names = await visit.page
              .locator('button, input, textarea, select')
              .evaluateAll((all) =>
                all
                  .filter((each) => each.checkVisibility())
                  .map((each) => (each.getAttribute('aria-label') ?? each.textContent ?? '').trim()),
              )
          },
          { role },
        )
        return names
      }
      expect((await controls('read')).filter((name) => writes.test(name) && name !== 'Add a column')).toEqual([])
    },
  )

  test('is led away from the pages of administrators', async () => {
    const world = await sharedWorld()
    await world.visit(
      async (visit) => {
        await visit.goTo('/ui/settings/appearance')
        expect(await visit.page.getByRole('link', { name: /keys|secrets|storage/i }).count()).toBe(0)
      },
      { role: 'read' },
    )
  })
})
