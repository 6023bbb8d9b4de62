import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accessibilityRules, checkAccessibility, rulesOfColor } from '../support/accessibility.ts'
import { routes } from '../support/routes.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

const counted = { pages: 0, rules: 0 }
afterAll(() =>
  console.log(`axe: ${counted.pages} pages, ${counted.rules} rules (${accessibilityRules.join(', ')}), light and dark`),
)

describe('accessible to all, light and dark', () => {
  test.each(routes)('$name', async ({ path, isPublic }) => {
    await world.visit(
      async (visit) => {
        await visit.goTo(path(world))
        const { violations, rules } = await checkAccessibility(visit.page)
        expect(violations).toEqual([])
        // The themes differ in colors only.
        await visit.page.emulateMedia({ colorScheme: 'dark' })
        await visit.settled()
        const dark = await checkAccessibility(visit.page, { only: rulesOfColor })
        expect(dark.violations).toEqual([])
        expect(dark.rules).toBeGreaterThan(0)
        counted.pages += 1
        counted.rules = Math.max(counted.rules, rules)
      },
      { theme: 'light', ...(isPublic && { role: null, expected: [/401/] }) },
    )
  })
})
