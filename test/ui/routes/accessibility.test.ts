import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accessibilityRules, checkAccessibility } from '../support/accessibility.ts'
import { routes } from '../support/routes.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

const themes = ['light', 'dark'] as const
const counted = { pages: 0, rules: 0 }
afterAll(() =>
  console.log(
    `axe: ${routes.length} routes × ${themes.length} themes = ${counted.pages} pages, ${counted.rules} rules (${accessibilityRules.join(', ')})`,
  ),
)

describe.each(themes)('accessible to all, %s', (theme) => {
  test.each(routes)('$name', async ({ path, isPublic }) => {
    await world.visit(
      async (visit) => {
        await visit.goTo(path(world))
        const { violations, rules } = await checkAccessibility(visit.page)
        counted.pages += 1
        counted.rules = Math.max(counted.rules, rules)
        expect(violations).toEqual([])
      },
      { theme, ...(isPublic && { role: null, expected: [/401/] }) },
    )
  })
})
