import { beforeAll, describe, expect, test } from 'bun:test'
import { checkAccessibility } from '../support/accessibility.ts'
import { findCutOff } from '../support/narrow.ts'
import { routes } from '../support/routes.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

/** A laptop at 400 %. */
const narrow = { width: 320, height: 256 * 2, sharesCache: true }

describe('nothing is cut off at 320 pixels', () => {
  test.each(routes)('$name', async ({ path, isPublic }) => {
    await world.visit(
      async (visit) => {
        await visit.goTo(path(world))
        expect(await visit.page.evaluate(findCutOff)).toEqual([])
        expect((await checkAccessibility(visit.page)).violations).toEqual([])
      },
      { ...narrow, ...(isPublic && { role: null, expected: [/401/] }) },
    )
  })
})
