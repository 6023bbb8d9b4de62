import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

describe('an address that names nothing says so, and where to go on', () => {
  test.each([
    ['/ui/settings/nope', 'Settings', '/ui/settings'],
    ['/ui/settings/keys/nope', 'All projects', '/ui/'],
    ['/ui/acme/support/nope', 'Traces of acme/support', '/ui/acme/support/traces'],
    ['/ui/acme/support/traces/nope', 'Traces of acme/support', '/ui/acme/support/traces'],
    ['/ui/acme/support/dashboards/nope', 'Traces of acme/support', '/ui/acme/support/traces'],
    ['/ui/nope', 'All projects', '/ui/'],
    ['/ui/acme/%E0%A4%A/a%zz', 'All projects', '/ui/'],
  ])('%s', async (path, link, target) => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(path)
      await heading(page, 'Nothing here').waitFor()
      await page.locator('main').getByRole('link', { name: link, exact: true }).click()
      await page.waitForURL((url) => url.pathname === target)
    })
  })

  test.each([
    ['thread/nope', 'Open the list of threads', 'threads'],
    ['call/nope', 'Open the list of calls', 'calls'],
  ])('%s', async (path, link, target) => {
    await world.visit(
      async (visit) => {
        const { page } = visit
        await visit.goTo(`/ui/acme/support/${path}`)
        await page.getByRole('link', { name: link }).click()
        await page.waitForURL((url) => url.pathname === `/ui/acme/support/${target}`)
      },
      { expected: [/404/] },
    )
  })
})

describe('a comparison by address', () => {
  const ids = () => [world.support.trace, world.support.otherTrace].map((trace) => trace[0]!.start.trace_id)
  const chips = (page: Page) => page.locator('main').getByRole('listitem')

  test('takes the traces as `a` and `b`', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      const [a, b] = ids()
      await visit.goTo(`/ui/acme/support/compare?a=${a}&b=${b}`)
      await page.getByText('2 traces').waitFor()
      expect(await chips(page).count()).toBe(2)
      // The other order stays in the address, too.
      const first = await chips(page).first().textContent()
      await page.getByRole('button', { name: 'Swap baseline' }).click()
      await visit.settled()
      await page.reload()
      await visit.settled()
      expect(await chips(page).count()).toBe(2)
      expect(await chips(page).first().textContent()).not.toBe(first)
    })
  })

  test('drops an id under which nothing is stored, and says so', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      const [a, b] = ids()
      await visit.goTo(`/ui/acme/support/compare?ids=${a},nope,${b}`)
      await page.getByText('No trace or call has the id “nope”.').waitFor()
      expect(await chips(page).count()).toBe(2)
      await page.getByRole('button', { name: 'Remove from the address' }).click()
      await page.getByText('No trace or call has the id').waitFor({ state: 'detached' })
      expect(new URL(page.url()).searchParams.get('ids')).toBe(`${a},${b}`)
    })
  })

  test('says which ids are wrong if all are', async () => {
    await world.visit(async (visit) => {
      await visit.goTo('/ui/acme/support/compare?a=nope&b=none')
      await visit.page.getByText('No trace or call has the ids “nope”, “none”.').waitFor()
    })
  })
})

describe('a copied link shows the same at any later time', () => {
  /** What "Copy link to this page" copies at `path`. */
  async function linkCopiedAt(path: string): Promise<URLSearchParams> {
    let link = ''
    await world.visit(async (visit) => {
      const { page } = visit
      await page.addInitScript(() => {
        const clipboard = { writeText: (text: string) => Promise.resolve(void Object.assign(window, { copied: text })) }
        Object.defineProperty(navigator, 'clipboard', { value: clipboard })
      })
      await visit.goTo(path)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('copy link')
      await page.getByRole('option', { name: 'Copy link to this page' }).click()
      await page.waitForFunction(() => 'copied' in window)
      link = await page.evaluate(() => (window as unknown as { copied: string }).copied)
    })
    return new URL(link).searchParams
  }

  const between = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z\.\.\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/

  test('of the traces of the last day', async () => {
    const copied = await linkCopiedAt('/ui/acme/support/traces?f=latency>0&t=-24h&live=1')
    expect(copied.get('t')).toMatch(between)
    const [from = 0, to = 0] = copied.get('t')!.split('..').map(Date.parse)
    expect(to - from).toBe(86_400_000)
    expect(copied.get('f')).toBe('latency>0')
    expect(copied.get('live')).toBeNull()
  })

  test('of all traces, which has no range', async () => {
    expect((await linkCopiedAt('/ui/acme/support/traces')).toString()).toBe('')
  })

  test('of a dashboard', async () => {
    expect((await linkCopiedAt('/ui/acme/support/dashboards?t=-7d')).get('t')).toMatch(between)
  })

  test('of a saved dashboard, whose range the address does not name', async () => {
    const own = { label: 'Month', op: '', range: '-30d' }
    const val = { _type: 'SavedDashboard', _class_name: 'SavedDashboard', _bases: ['Object', 'BaseModel'], ...own }
    const obj = { project_id: 'acme/support', object_id: 'month', val }
    expect((await world.server.client.post('/obj/create', { obj })).status).toBe(200)
    expect((await linkCopiedAt('/ui/acme/support/dashboards/month')).get('t')).toMatch(between)
  })
})
