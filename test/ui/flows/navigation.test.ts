import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { sharedWorld } from '../support/world.ts'

const views = ['traces', 'threads', 'dashboards', 'evaluations', 'objects', 'feedback']

const widthOf = async (page: Page): Promise<number> =>
  (await page.getByRole('navigation', { name: 'Project', exact: true }).boundingBox())?.width ?? 0

test('the navigation is as wide on every view, and as it was left', async () => {
  const world = await sharedWorld()
  await world.visit(
    async (visit) => {
      const { page } = visit
      const widths = async (): Promise<Set<number>> => {
        const found = new Set<number>()
        for (const view of views) {
          await visit.goTo(`/ui/acme/support/${view}`)
          found.add(await widthOf(page))
        }
        return found
      }
      expect([...(await widths())]).toEqual([48])
      await page.getByRole('button', { name: 'Unfold the navigation' }).click()
      expect([...(await widths())]).toEqual([184])
      // The palette does the same.
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox').fill('fold or unfold')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Unfold the navigation' }).waitFor()
      expect(await widthOf(page)).toBe(48)
    },
    { width: 1440, height: 900 },
  )
})

test('wide windows have the words of the navigation on every view', async () => {
  const world = await sharedWorld()
  await world.visit(
    async (visit) => {
      for (const view of ['traces', 'dashboards']) {
        await visit.goTo(`/ui/acme/support/${view}`)
        expect(await widthOf(visit.page)).toBe(184)
      }
    },
    { width: 1680, height: 900 },
  )
})
