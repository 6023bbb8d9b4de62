import { beforeAll, expect, test } from 'bun:test'
import { buildGuideOnce } from '../../conformance/support/build-guide.ts'
import { ownServer } from '../../conformance/support/target.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { visiting } from '../support/visit.ts'

beforeAll(buildGuideOnce, 300_000)

const server = await ownServer({ env: { TRACELAKE_BASE_PATH: '/obs' } })
const guide = '/obs/docs/guide'
const { address } = server.client

test('a reader searches the guide and changes the theme, behind a base path', async () => {
  await visiting({ address }, async ({ page }) => {
    await page.goto(`${address}${guide}`)
    await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('thread percentiles latency')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.startsWith(`${guide}/`) && url.pathname !== `${guide}/`)
    const shown = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    const before = await shown()
    await page.getByRole('button', { name: 'Change the theme' }).click()
    expect(await shown()).not.toBe(before)
    const chosen = await shown()
    await page.reload()
    expect(await shown()).toBe(chosen)
  })
})

test('on a phone the pages are behind a button', async () => {
  await visiting({ address, width: 390, height: 844 }, async ({ page }) => {
    await page.goto(`${address}${guide}/clients/langgraph`)
    await page.getByRole('button', { name: 'Pages' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Codex' }).click()
    await page.waitForURL(`${address}${guide}/clients/codex`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  })
})

test.each(['light', 'dark'] as const)('pages of the guide are accessible, %s', async (theme) => {
  const views = [
    [1440, '/opentelemetry'],
    [390, '/clients/langgraph'],
  ] as const
  for (const [width, name] of views)
    await visiting({ address, theme, width, height: 900 }, async ({ page }) => {
      await page.goto(`${address}${guide}${name}`)
      expect((await checkAccessibility(page)).violations).toEqual([])
    })
})
