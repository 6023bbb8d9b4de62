import { beforeAll, expect, test } from 'bun:test'
import { datasetName } from '../support/seed-support.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

test.each([
  ['a trace', ({ support }: World) => `trace/${support.trace[0]?.start.trace_id}`],
  ['a dataset', () => `datasets/${datasetName}`],
  ['a queue under review', ({ support }: World) => `queue/${support.queueId}/work`],
])('no two keys of %s are the same, and none hides the ways to other views', async (_, pathOf) => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/acme/support/${pathOf(world)}`)
    await page.keyboard.press('Shift+?')
    const rows = page.getByRole('dialog').locator('dd')
    await rows.first().waitFor()
    const spelled = await rows.evaluateAll((all) =>
      all.map((each) => [...each.querySelectorAll('kbd')].map(({ textContent }) => textContent).join(' ')),
    )
    expect(spelled).toEqual([...new Set(spelled)])
    // It would act before the second key of `g t` is pressed.
    expect(spelled).not.toContain('G')
    expect(spelled).toContain('G T')
  })
})

test('the keys of SQL open it from a project', async () => {
  await world.visit(async (visit) => {
    await visit.goTo('/ui/acme/support/threads')
    await visit.page.keyboard.press('g')
    await visit.page.keyboard.press('c')
    await visit.page.waitForURL(`${world.address}/ui/sql`)
  })
})
