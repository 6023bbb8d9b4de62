import { beforeAll, describe, expect, test } from 'bun:test'
import { walkTabOrder } from '../support/keyboard.ts'
import { routes } from '../support/routes.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

describe('the Tab key reaches everything, and its place is seen', () => {
  test.each(routes)('$name', async ({ path, isPublic }) => {
    await world.visit(
      async (visit) => {
        await visit.goTo(path(world))
        const { stops, missed, ends } = await walkTabOrder(visit.page)
        expect(missed).toEqual([])
        expect(stops.filter(({ hasVisibleFocus }) => !hasVisibleFocus).map(({ name }) => name)).toEqual([])
        expect(stops.filter(({ isCovered }) => isCovered).map(({ name }) => name)).toEqual([])
        expect(ends).toBe(true)
        expect(stops.length).toBeGreaterThan(1)
      },
      isPublic ? { role: null, expected: [/401/] } : {},
    )
  })
})
