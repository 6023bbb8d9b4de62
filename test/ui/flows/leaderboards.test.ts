import { beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { Project } from '../../conformance/support/project.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { type SeededRuns, seedRuns } from '../support/seed-runs.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
let project: Project
let runs: SeededRuns
beforeAll(async () => {
  world = await sharedWorld()
  project = new Project(world.server.client, 'acme', 'ranked')
  runs = await seedRuns(project)
})

const read = async (name: string) => {
  const body = { project_id: project.id, name }
  return (await project.client.post<{ rows: { model: { name: string } }[] }>('/evaluations/leaderboard', body)).json
}

test('a leaderboard is made from the list of runs, read, changed, deleted and brought back', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/evaluations`)
    await page.getByRole('button', { name: 'Leaderboards' }).click()
    await page.getByRole('menuitem', { name: 'New leaderboard' }).click()
    const dialog = page.getByRole('dialog', { name: 'New leaderboard' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Best agents')
    await dialog.getByRole('combobox', { name: 'Figure of column 1' }).selectOption('task_solved')
    await dialog.getByRole('button', { name: 'Add a column' }).click()
    expect((await checkAccessibility(page)).violations).toEqual([])
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/\/leaderboards\/Best-agents$/)

    // The same figures as the API, the best first, each with the run that it is of.
    const table = page.getByRole('table')
    await table.getByRole('rowheader').first().waitFor()
    const names = (await table.getByRole('rowheader').allTextContents()).map((text) => text.split(' ')[0])
    expect(names).toEqual((await read('Best-agents')).rows.map(({ model }) => model.name))
    expect(names[0]).toBe('agent-b')
    await page.getByText('scorer policy_judge (v0 in 3 runs, v1 in 1 run)').waitFor()
    await page.getByRole('button', { name: 'policy_judge' }).click()
    await page
      .getByRole('columnheader', { name: 'policy_judge', exact: false })
      .and(page.locator('[aria-sort]'))
      .waitFor()
    await page.reload()
    await page
      .getByRole('columnheader', { name: 'policy_judge', exact: false })
      .and(page.locator('[aria-sort]'))
      .waitFor()
    await page.goBack()

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines.length).toBe(5)
    expect(lines[1]).toContain(`,${runs.ids[1]}`)

    await table.getByRole('link').first().click()
    await page.waitForURL(new RegExp(`/evaluations/${runs.ids[1]}`))
    await page.goBack()

    await page.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit the leaderboard' })
    await edit.getByRole('textbox', { name: 'Name' }).fill('Cheapest agents')
    await edit.getByRole('combobox', { name: 'Better is of column 1' }).selectOption('lower')
    await edit.getByRole('button', { name: 'Save version' }).click()
    await page.getByRole('heading', { name: 'Cheapest agents v1' }).waitFor()
    expect((await read('Best-agents')).rows[0]?.model.name).toBe('agent-c')

    const named = { project_id: project.id, object_id: 'Best-agents', digest: 'v0' }
    const { digest } = (await project.client.post<{ obj: { digest: string } }>('/obj/read', named)).json.obj
    const alias = { project_id: project.id, digest, aliases: ['first'] }
    expect((await project.client.put('/objs/Best-agents/aliases', alias)).status).toBe(200)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('No leaderboard yet').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Cheapest agents' }).click()
    await page.getByRole('heading', { name: 'Cheapest agents v1' }).waitFor()
    const asked = { project_id: project.id, object_id: 'Best-agents', digest: 'first' }
    expect((await project.client.post('/obj/read', asked)).status).toBe(200)
  })
})

test('two people edit one leaderboard: the second is told, and nothing is lost', async () => {
  const column = {
    evaluation_object_ref: runs.evaluation,
    scorer_name: 'task_solved',
    summary_metric_path: 'true_fraction',
  }
  const save = async (description: string) => {
    const val = { name: 'Shared', description, columns: [column] }
    const obj = { project_id: project.id, object_id: 'shared', builtin_object_class: 'Leaderboard', val }
    expect((await project.client.post('/obj/create', { obj })).status).toBe(200)
  }
  await save('first')
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/leaderboards/shared?edit=1`)
      const dialog = page.getByRole('dialog', { name: 'Edit the leaderboard' })
      await dialog.getByRole('textbox', { name: 'Description' }).fill('mine')
      await save('theirs')
      await dialog.getByRole('button', { name: 'Save version' }).click()
      await dialog.getByText('Somebody saved another version').waitFor()
      expect(await dialog.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('mine')
      await dialog.getByRole('button', { name: 'Save version' }).click()
      await page.getByRole('heading', { name: 'Shared v2' }).waitFor()
      await page.getByText('mine', { exact: true }).waitFor()
      // An older version says that it is one.
      await visit.goTo(`/ui/${project.id}/leaderboards/shared/v1`)
      await page.getByText('This is version v1').waitFor()
      expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    },
    { expected: [/409/] },
  )
})

test('a leaderboard is found in the palette, and who may only read sees nothing that writes', async () => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/evaluations`)
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('dialog').getByRole('combobox').fill('shared')
      await page
        .getByRole('option', { name: /shared/ })
        .first()
        .click()
      await page.waitForURL(/\/leaderboards\/shared/)
      await page.getByRole('table').waitFor()
      expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Versions' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
    },
    { role: 'read' },
  )
})
