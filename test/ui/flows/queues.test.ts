import { beforeAll, expect, test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import { ok, Queues } from '../../conformance/support/queues.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

let projects = 0

/** A project of its own with traces of two operations. */
async function withTraces() {
  const project = new Project(world.server.client, 'acme', `queues-${++projects}`)
  await project.add(
    ...Array.from({ length: 6 }, (_, index) => ({
      id: `trace-${index}`,
      op_name: index < 4 ? 'refund' : 'booking',
      inputs: { question: `Question ${index}` },
      output: `Answer ${index}`,
    })),
  )
  return { project, queues: new Queues(project), path: `/ui/${project.id}` }
}

test('a queue is made, filled by a filter, described, emptied and deleted', async () => {
  const { queues, path } = await withTraces()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/queues`)
    await page.getByRole('button', { name: 'New queue' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Refunds')
    await page.getByRole('button', { name: 'Make queue' }).click()
    await page.getByRole('heading', { name: 'Refunds' }).waitFor()
    await page.getByText('No items yet').waitFor()

    await page.keyboard.press('a')
    const filter = page.getByRole('combobox')
    await filter.fill('op = "refund"')
    await filter.press('Enter')
    await page.getByText('4 traces match.').waitFor()
    await page.getByRole('textbox', { name: 'At most' }).fill('3')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('3 items added to “Refunds”').waitFor()
    await page.getByRole('link', { name: 'Item 3, open its trace' }).waitFor()
    await page.getByText('Question 3').waitFor()

    await page.getByRole('button', { name: 'Actions on the queue' }).click()
    await page.getByRole('menuitem', { name: 'Rename or describe' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Refunds, week 47')
    await page.getByRole('textbox', { name: 'Description' }).fill('Was the refund promised?')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Refunds, week 47' }).waitFor()
    await page.getByText('Was the refund promised?').waitFor()

    // By keys: the first item is selected and removed; undo brings it back.
    await page.keyboard.press('j')
    await page.waitForURL(/at=1/)
    await page.keyboard.press('x')
    await page.getByRole('toolbar', { name: 'Remove from queue' }).waitFor()
    await page.keyboard.press('Backspace')
    await page.getByText('1 item removed').waitFor()
    await page.getByRole('link', { name: 'Item 1, open' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Item 1, open' }).waitFor()

    await page.getByRole('checkbox', { name: 'Select item 2' }).click()
    await page.getByRole('button', { name: 'Remove from queue' }).click()
    await page.getByRole('link', { name: 'Item 2, open' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions on the queue' }).click()
    await page.getByRole('menuitem', { name: 'Delete queue' }).click()
    await page.getByText('Queue “Refunds, week 47” deleted').waitFor()
    await page.getByText('No queues yet').waitFor()
    // Leaving the page does not undo it.
    await page.goto('about:blank')
    while ((await ok(queues.overview())).queues.length > 0) await Bun.sleep(20)
  })
})

test('the message after adding rows opens the queue', async () => {
  const { queues, path } = await withTraces()
  await ok(queues.create({ name: 'To check' }))
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${path}/traces`)
    await page
      .getByRole('checkbox', { name: /^Select/ })
      .last()
      .click()
    await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor()
    await page.keyboard.press('q')
    await page.getByRole('button', { name: 'Add to queue' }).click()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('heading', { name: 'To check' }).waitFor()
    await page.getByRole('link', { name: 'Item 1, open its trace' }).click()
    await page.waitForURL(/\/trace\/.*call=trace-/)
  })
})

test('a key that reads sees states and reviewers, and nothing that writes', async () => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/queues')
      await page.getByRole('link', { name: /Refunds to check/ }).click()
      await page.getByRole('tab', { name: /^Items/ }).click()
      await page.getByText('5 of 12').waitFor()
      await page.getByRole('button', { name: 'skipped 1' }).click()
      await page.getByRole('link', { name: 'Item 3, open its trace' }).waitFor()
      expect(await page.getByRole('link', { name: /Item \d+, open/ }).count()).toBe(1)
      expect(await page.getByRole('checkbox').count()).toBe(0)
      expect(await page.getByRole('button', { name: /Add items|Actions on the queue/ }).count()).toBe(0)
      await page.keyboard.press('a')
      expect(await page.getByRole('dialog').count()).toBe(0)
    },
    { role: 'read' },
  )
})
