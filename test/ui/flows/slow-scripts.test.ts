import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

/** Bytes a second. */
const slowBytes = 50_000

/** Keeps the script of a view back until it is let go. */
async function holdScript(page: Page, view: string): Promise<{ asked: Promise<void>; release: () => void }> {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(new RegExp(`/${view}-view-[^/]*\\.js$`), async (route) => {
    ask()
    await released
    await route.continue()
  })
  return { asked, release }
}

async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 20,
    downloadThroughput: slowBytes,
    uploadThroughput: slowBytes,
  })
}

const skeleton = (page: Page) => page.locator('main [data-skeleton]')

describe('a view whose script is still loading', () => {
  test('shows its shape at once when it is opened from another view, and then itself', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/traces')
      const { asked, release } = await holdScript(page, 'threads')
      await page.getByRole('link', { name: 'Threads' }).click()
      await asked
      await skeleton(page).waitFor()
      expect(await skeleton(page).textContent()).toContain('Threads')
      expect(await page.getByRole('link', { name: 'Threads' }).getAttribute('aria-current')).toBe('page')
      release()
      await page.getByRole('heading', { level: 1, name: 'Threads' }).waitFor()
      expect(await skeleton(page).count()).toBe(0)
    })
  })

  test.each([
    ['traces', '/ui/acme/support/traces'],
    ['threads', '/ui/acme/support/threads'],
    ['dashboards', '/ui/acme/support/dashboards'],
    ['settings', '/ui/settings/appearance'],
  ])('shows its shape when the page begins with it: %s', async (view, path) => {
    await world.visit(async ({ page, ...visit }) => {
      const { asked, release } = await holdScript(page, view)
      await page.goto(visit.address + path, { waitUntil: 'commit' })
      await asked
      await skeleton(page).waitFor()
      release()
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect(await skeleton(page).count()).toBe(0)
    })
  })

  test('does not show its shape when the page begins with it and its script is there', async () => {
    await world.visit(async (visit) => {
      await visit.page.addInitScript(waitLonger)
      await visit.page.addInitScript(noteSkeleton)
      await visit.goTo('/ui/acme/support/traces')
      await visit.page.getByRole('gridcell').first().waitFor()
      expect(await visit.page.evaluate(() => 'seenAt' in globalThis)).toBe(false)
    })
  })

  test('shows its shape over a slow connection, before its script has come', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/traces')
      await throttle(page)
      await page.evaluate(noteSkeleton)
      await page.getByRole('link', { name: 'Dashboards' }).click()
      await page.getByRole('heading', { level: 1, name: 'Dashboards' }).waitFor()
      const { seenAt, scriptAt } = await page.evaluate(whenSeen)
      expect(seenAt).toBeGreaterThan(0)
      expect(scriptAt).toBeGreaterThan(seenAt)
    })
  })

  test('gives way to Back before it has come', async () => {
    await world.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/traces')
      await page.getByRole('link', { name: 'Calls', exact: true }).click()
      await page.waitForURL(/\/calls/)
      const { asked, release } = await holdScript(page, 'threads')
      await page.getByRole('link', { name: 'Threads' }).click()
      await asked
      await skeleton(page).waitFor()
      await page.goBack()
      await skeleton(page).waitFor({ state: 'detached' })
      release()
      await visit.settled()
      expect(page.url()).toEndWith('/traces')
    })
  })
})

/** Runs in the page: on a busy machine, a page that is about to be drawn waits too short a time. */
function waitLonger(): void {
  const wait = globalThis.setTimeout
  globalThis.setTimeout = ((run: () => void, ms?: number) => wait(run, ms === 50 ? 60_000 : ms)) as typeof setTimeout
}

/** Runs in the page: notes when the shape of a view is first there. */
function noteSkeleton(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[data-skeleton]')) return
    ;(globalThis as { seenAt?: number }).seenAt = performance.now()
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Runs in the page. */
function whenSeen(): { seenAt: number; scriptAt: number } {
  const { seenAt = 0 } = globalThis as { seenAt?: number }
  const scripts = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const script = scripts.find(({ name }) => /dashboards-view-[^/]*\.js$/.test(name))
  return { seenAt, scriptAt: script?.responseEnd ?? 0 }
}
