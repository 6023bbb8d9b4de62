import { beforeAll, describe, expect, test } from 'bun:test'
import { routes } from '../support/routes.ts'
import { visibleState } from '../support/visible-state.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

describe('a reload restores the view', () => {
  test.each(routes)('$name', async ({ path, isPublic }) => {
    const options = isPublic ? { role: null, expected: [/401/] } : {}
    const now = new Date()
    const seen: string[] = []
    const addresses = [path(world)]
    for (let time = 0; time < 2; time++) {
      await world.visit(async (visit) => {
        await visit.page.clock.setFixedTime(now)
        await visit.goTo(addresses[time]!)
        addresses.push(visit.page.url().slice(world.address.length))
        seen.push(await visibleState(visit.page))
      }, options)
    }
    expect(seen[1]!).toBe(seen[0]!)
  })
})
