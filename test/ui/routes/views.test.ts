import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { viewOf, views } from '../../../src/web/state/views.ts'
import { accessibilityRules, checkAccessibility, rulesOfColor } from '../support/accessibility.ts'
import { walkTabOrder } from '../support/keyboard.ts'
import { routes } from '../support/routes.ts'
import { visibleState } from '../support/visible-state.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

/** It only leads to the trace of a call. */
const redirects = 'call'

test('every view of a project has an address in support/routes.ts', () => {
  const opened = routes.map(({ path }) => path(world).split(/[?#]/)[0])
  const isOpened = (view: string) =>
    opened.some((each) => each !== undefined && new RegExp(`^/ui/[^/]+/[^/]+/${view}(/|$)`).test(each))
  const places = Object.keys(views).map((name) => viewOf(name)?.path ?? name)
  expect(places.filter((view) => view !== redirects && !isOpened(view))).toEqual([])
})

const counted = { pages: 0, rules: 0 }
afterAll(() =>
  console.log(`axe: ${counted.pages} pages, ${counted.rules} rules (${accessibilityRules.join(', ')}), light and dark`),
)

// Most of the time goes into loading a page: each is loaded twice for everything.
describe('is accessible in light and dark and with the Tab key, and its address restores it', () => {
  test.each(routes)('$name', async ({ path, isPublic }) => {
    const options = { sharesCache: true, ...(isPublic && { role: null, expected: [/401/] }) }
    const now = new Date()
    let address = path(world)
    let before = ''
    await world.visit(async (visit) => {
      const { page } = visit
      await page.clock.setFixedTime(now)
      await visit.goTo(address)
      address = page.url().slice(world.address.length)
      before = await visibleState(page)
      const { violations, rules } = await checkAccessibility(page)
      expect(violations).toEqual([])
      // The themes differ in colors only.
      await page.emulateMedia({ colorScheme: 'dark' })
      await visit.settled()
      const dark = await checkAccessibility(page, { only: rulesOfColor })
      expect(dark.violations).toEqual([])
      expect(dark.rules).toBeGreaterThan(0)
      counted.pages += 1
      counted.rules = Math.max(counted.rules, rules)
    }, options)
    await world.visit(async (visit) => {
      await visit.page.clock.setFixedTime(now)
      await visit.goTo(address)
      expect(await visibleState(visit.page)).toBe(before)
      const { stops, missed, ends } = await walkTabOrder(visit.page)
      expect(missed).toEqual([])
      expect(stops.filter(({ hasVisibleFocus }) => !hasVisibleFocus).map(({ name }) => name)).toEqual([])
      expect(stops.filter(({ isCovered }) => isCovered).map(({ name }) => name)).toEqual([])
      expect(ends).toBe(true)
      expect(stops.length).toBeGreaterThan(1)
    }, options)
  })
})
