import { beforeAll, test } from 'bun:test'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

test('facets and fields say when they are from a part of the calls', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    const answerAs = async (path: string, more: object) =>
      await page.route(`**/ui/api${path}`, async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...more } })
      })
    await answerAs('/calls/values', { calls_read: 12_400, is_sample: true, is_partial: true })
    await answerAs('/calls/fields', { calls_read: 2000, is_sample: true, is_partial: false })
    await visit.goTo('/ui/acme/support/traces')
    const facet = page.getByRole('region', { name: 'Operation' })
    await facet.getByText(/^Stopped early: from the newest 12,400 calls$/).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByText(/^From the newest 2,?000 calls$/).waitFor()
  })
})
