import { expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import { seedRuns } from '../support/seed-runs.ts'
import { editedPrompt } from '../support/seed-support.ts'
import { sharedWorld } from '../support/world.ts'

const heightOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.height ?? 0

test('a key on a phone has its age in one line below its name', async () => {
  const world = await sharedWorld()
  await world.visit(
    async (visit) => {
      await visit.goTo('/ui/settings/keys')
      const table = visit.page.getByRole('table', { name: 'Keys' })
      const row = table.getByRole('row').filter({ hasText: 'snippet-acme-new' })
      expect(await heightOf(row.getByText(/^since /))).toBeWithin(12, 22)
      expect(await heightOf(row.getByText('acme/new', { exact: true }).first())).toBeWithin(12, 22)
    },
    { width: 390, height: 844 },
  )
})

test('why a run has no scores is cut with an ellipsis, and whole in its tip', async () => {
  const world = await sharedWorld()
  const project = new Project(world.server.client, 'acme', 'cancelled')
  const { evaluation: self } = await seedRuns(project, 1)
  const run = { id: 'cut', trace_id: 'cut', op_name: 'Evaluation.evaluate', inputs: { self } }
  const started_at = new Date().toISOString()
  await project.complete({ ...run, started_at, ended_at: started_at, exception: 'Cancelled', output: null })
  await world.visit(
    async (visit) => {
      await visit.goTo(`/ui/${project.id}/evaluations`)
      const reason = visit.page.getByText('Cancelled after', { exact: false }).last()
      await reason.waitFor()
      expect(await reason.getAttribute('data-tip')).toBe(await reason.textContent())
      expect(await reason.evaluate((each) => getComputedStyle(each).textOverflow)).toBe('ellipsis')
      expect(await reason.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true)
    },
    { width: 1024, height: 768 },
  )
})

test('the playground has room for the name of a prompt on a phone', async () => {
  const world = await sharedWorld()
  await world.visit(
    async (visit) => {
      await visit.goTo(`/ui/acme/support/playground?prompt=${editedPrompt}`)
      const box = await visit.page.getByRole('combobox', { name: 'Prompt A', exact: true }).boundingBox()
      expect(box!.width).toBeGreaterThan(300)
    },
    { width: 390, height: 844 },
  )
})
