import { beforeAll, expect, test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import { type SeededRuns, seedRuns } from '../support/seed-runs.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
let project: Project
let runs: SeededRuns
beforeAll(async () => {
  world = await sharedWorld()
  project = new Project(world.server.client, 'acme', 'evaluated')
  runs = await seedRuns(project)
})

test('from the list to a run and its rows, and from two runs to their comparison', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/evaluations`)
    await page.getByText('4 runs', { exact: true }).waitFor()
    // A filter is in the address, and Back takes it away.
    await page.getByRole('combobox', { name: 'State' }).selectOption('failed')
    await page.getByText('No run matches').waitFor()
    await page.goBack()
    await page.getByText('4 runs', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'agent-c v0', exact: true }).click()
    await page.getByText('80 rows ended').waitFor()
    await page.getByRole('heading', { name: '4 rows failed' }).waitFor()
    await page.getByText('Failed 4', { exact: true }).click()
    await page.waitForURL(/rows=failed/)
    const rows = page.getByRole('region', { name: 'Rows' }).getByRole('link')
    expect(await rows.count()).toBe(4)
    await rows.first().click()
    await page.waitForURL(/\/trace\//)

    await visit.goTo(`/ui/${project.id}/evaluations`)
    for (const name of ['agent-a', 'agent-b']) await page.getByRole('checkbox', { name }).check()
    await page.getByRole('toolbar', { name: 'Selected runs' }).getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('region', { name: 'task_solved', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('runs')?.split(',').toSorted()).toEqual(runs.ids.slice(0, 2).toSorted())
    await page.goBack()
    await page.getByText('2 selected').waitFor()
  })
})

test('a run is deleted, and comes back with Undo', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/evaluations`)
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('3 runs', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('4 runs', { exact: true }).waitFor()
  })
})

test('who may only read sees nothing that writes', async () => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/evaluations`)
      await page.getByRole('checkbox').first().check()
      await page.getByText('1 selected').waitFor()
      expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    },
    { role: 'read' },
  )
})

test('a run that a program left behind says so, and shows the program that runs it again', async () => {
  const left = new Project(world.server.client, 'acme', 'left-behind')
  const { evaluation } = await seedRuns(left, 1)
  const started_at = new Date(Date.now() - 3_600_000).toISOString()
  const dataset = await left.client.post<{ digest: string }>(left.v2('datasets'), {
    name: 'airline-golden',
    rows: [{ task: 'Refund', expected: 'yes' }],
  })
  const obj = await left.client.post<{ obj: { val: object } }>('/obj/read', {
    project_id: left.id,
    object_id: 'airline-solve',
    digest: evaluation.split(':').at(-1),
  })
  const val = { ...obj.json.obj.val, dataset: `ext:///${left.id}/object/airline-golden:${dataset.json.digest}` }
  const { json } = await left.client.post<{ digest: string }>('/obj/create', {
    obj: { project_id: left.id, object_id: 'airline-solve', val },
  })
  const self = `ext:///${left.id}/object/airline-solve:${json.digest}`
  await left.start({ id: 'left', trace_id: 'left', op_name: 'Evaluation.evaluate', started_at, inputs: { self } })
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${left.id}/evaluations/left`)
    await page.getByText('The program that reports this run says nothing any more.').waitFor()
    expect(await page.getByRole('button', { name: /Resume|Cancel run/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Run again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Evaluate from code' })
    await dialog.getByText('name="airline-solve"').waitFor()
    await dialog.getByText('def my_model(task)').waitFor()
    await dialog.getByText('TypeScript', { exact: true }).click()
    await dialog.getByText('datasetRow["expected"]').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })
})

test('the page of a run leads to its calls and to what it is made of', async () => {
  const world = await sharedWorld()
  await world.visit(async (visit) => {
    const id = world.runs.ids[2]
    await visit.goTo(`/ui/acme/runs/evaluations/${id}`)
    const about = visit.page.getByRole('complementary', { name: 'This run' })
    const paths = await about.getByRole('link').evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
    expect(paths).toContain(`/ui/acme/runs/call/${id}`)
    for (const view of ['object', 'datasets', 'scorers'])
      expect(paths.some((path) => path.startsWith(`/ui/acme/runs/${view}/`))).toBe(true)
    await about.locator('a[href*="/datasets/"]').click()
    await visit.page.waitForURL(/\/ui\/acme\/runs\/datasets\//)
  })
})
