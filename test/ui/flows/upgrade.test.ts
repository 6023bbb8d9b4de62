import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

const expected = [/404/, /dynamically imported module/]

/** Counts how often the page is loaded. It may be left before it is complete, so requests count. */
function loadsOf(page: Page): () => number {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++
  })
  return () => loads
}

describe('a page that was opened before an upgrade', () => {
  test('is reloaded when a part of it is gone', async () => {
    await world.visit(
      async ({ page, ...visit }) => {
        let refusals = 0
        await page.route(/threads-view-.*\.js$/, (route) =>
          refusals++ === 0 ? route.fulfill({ status: 404 }) : route.continue(),
        )
        await page.goto(`${visit.address}/ui/acme/support/threads`)
        await page.getByRole('heading', { level: 1, name: 'Threads' }).waitFor()
        expect(refusals).toBe(2)
      },
      { expected },
    )
  })

  test('is reloaded once and then says so when the part stays away', async () => {
    await world.visit(
      async ({ page, ...visit }) => {
        const loads = loadsOf(page)
        await page.route(/threads-view-.*\.js$/, (route) => route.fulfill({ status: 404 }))
        await page.goto(`${visit.address}/ui/acme/support/threads`)
        await page.getByText('This page could not be loaded').waitFor()
        expect(loads()).toBe(2)
        expect(await page.getByRole('button', { name: 'Reload' }).isVisible()).toBe(true)
      },
      { expected },
    )
  })

  test('opens a view whose script is gone, in a page of the new version', async () => {
    await world.visit(
      async ({ page, ...visit }) => {
        const loads = loadsOf(page)
        await page.route(/threads-view-.*\.js$/, (route) =>
          loads() < 2 ? route.fulfill({ status: 404 }) : route.continue(),
        )
        await page.goto(`${visit.address}/ui/acme/support/traces`)
        await page.getByRole('grid').waitFor()
        await page.getByRole('link', { name: 'Threads' }).click()
        await page.getByRole('heading', { level: 1, name: 'Threads' }).waitFor()
        expect(loads()).toBe(2)
      },
      { expected },
    )
  })

  test('offers to reload where a part of it is gone, and keeps the rest', async () => {
    await world.visit(
      async (visit) => {
        const { page } = visit
        await page.route(/feedback-tab-.*\.js$/, (route) => route.fulfill({ status: 404 }))
        await visit.goTo(`/ui/acme/support/trace/${world.support.trace[0]!.start.trace_id}`)
        await page.getByRole('tab', { name: 'Feedback' }).click()
        await page.getByText('The server may have been updated').waitFor()
        expect(await page.getByRole('button', { name: 'Reload' }).isVisible()).toBe(true)
        expect(await page.getByRole('treeitem').first().isVisible()).toBe(true)
      },
      { expected },
    )
  })

  test('names the new version once the server is back, and offers to reload', async () => {
    await world.visit(
      async (visit) => {
        const { page } = visit
        await visit.goTo('/ui/acme/support/traces')
        const answered = page.getByRole('alert').getByText(/^The server did not answer/)
        await page.route(/\/ui\/api\//, (route) => route.abort('connectionrefused'))
        // Makes the page ask at once.
        await page.evaluate(() => dispatchEvent(new Event('offline')))
        await answered.waitFor()
        await page.route(/\/ui\/session$/, async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...(await response.json()), version: '99.0.0' } })
        })
        await page.unroute(/\/ui\/api\//)
        await page.getByText('The server now runs version 99.0.0.').waitFor()
        expect(await answered.count()).toBe(0)
        expect(await page.getByRole('button', { name: 'Reload' }).isVisible()).toBe(true)
      },
      { expected: [/ERR_CONNECTION_REFUSED/] },
    )
  })
})
