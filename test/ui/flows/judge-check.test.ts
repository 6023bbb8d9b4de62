import { beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { Project } from '../../conformance/support/project.ts'
import { type SeededRuns, seedRuns } from '../support/seed-runs.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
let project: Project
let runs: SeededRuns
beforeAll(async () => {
  world = await sharedWorld()
  project = new Project(world.server.client, 'acme', 'judged')
  runs = await seedRuns(project, 1)
})

test('a judge is compared with labels that people give in the UI', async () => {
  const [run = ''] = runs.ids
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/evaluations/${run}`)
    await page.getByRole('button', { name: 'Check the judge' }).click()
    await page.getByText('No labels of people yet').waitFor()

    // A person labels a prediction, in the panel of its call.
    await visit.goTo(`/ui/${project.id}/trace/${run}?call=${run}-1-p&tab=feedback`)
    await page.getByRole('textbox', { name: 'Name' }).fill('looks_right')
    await page.getByRole('textbox', { name: 'Value' }).fill('true')
    await page.getByRole('button', { name: 'Add a score' }).click()
    await page.getByText('looks_right').waitFor()
    await visit.goTo(`/ui/${project.id}/evaluations/judge?runs=${run}`)
    await page.getByText('1 pair, figures from 10 on').first().waitFor()
  })
})

test('the matrix, its cells, the reading of labels and the file show the figures of the API', async () => {
  const [run = ''] = runs.ids
  const label = (row: number, value: boolean) => ({
    project_id: project.id,
    ext_ref: `ext:///${project.id}/call/${run}-${row}-p`,
    feedback_type: 'polite',
    payload: { value },
  })
  const rows = Array.from({ length: 40 }, (_, row) => row).filter((row) => row % 19 !== 0)
  const batch = rows.map((row) => label(row, row % 3 > 0))
  expect((await project.client.post('/feedback/batch/create', { batch })).status).toBe(200)
  const judge = { source: 'score', name: 'policy_judge.score', bins: [4] }
  const human = { source: 'feedback', name: 'polite' }
  const body = { project_id: project.id, evaluation_call_ids: [run], judge, human }
  const { check, trials } = (
    await project.client.post<{
      check: { matrix: number[][]; agreement: { value: number }; kappa: { value: number }; pair_count: number }
      trials: { total: number }
    }>('/evaluations/judge_check', body)
  ).json
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/evaluations/judge?runs=${run}&human=feedback:polite%23value`)
    await page.getByText('means true, since the other side').waitFor()
    await page.getByRole('combobox', { name: 'Read labels of the judge as' }).selectOption('True from a number on')
    await page.getByRole('textbox', { name: 'True from' }).fill('x')
    await page.getByText('Write a number, such as 4.').waitFor()
    await page.getByRole('textbox', { name: 'True from' }).fill('4')

    const [, [missed = 0] = []] = check.matrix
    const cell = page.getByRole('button', { name: `People true, judge false: ${missed} pair` })
    await cell.waitFor()
    const figures = page.getByRole('region', { name: 'Pairs by class' })
    await figures
      .getByText(`${(check.agreement.value * 100).toFixed(0)}%`)
      .first()
      .waitFor()
    await figures.getByText(check.kappa.value.toFixed(2), { exact: true }).waitFor()
    await page.getByRole('button', { name: `Disagreements ${trials.total}` }).waitFor()

    await cell.click()
    await page.waitForURL(/cell=true,false/)
    const list = page.getByRole('list', { name: 'Trials' })
    await page.getByText(`${missed} of ${missed} trial`).waitFor()
    expect(await list.getByRole('listitem').count()).toBe(missed)
    await page.reload()
    await page.getByText(`${missed} of ${missed} trial`).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect((await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n').length).toBe(missed + 1)

    await list
      .getByRole('link', { name: /judge’s call/ })
      .first()
      .click()
    await page.waitForURL(/-policy_judge/)
    await page.goBack()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText(`${trials.total} of ${trials.total} trials`).waitFor()
  })
})

test('a run that does not exist, and none', async () => {
  await world.visit(
    async (visit) => {
      await visit.goTo(`/ui/${project.id}/evaluations/judge?runs=none`)
      await visit.page.getByText('The run does not exist').waitFor()
      await visit.goTo(`/ui/${project.id}/evaluations/judge`)
      await visit.page.getByRole('link', { name: 'All runs' }).last().click()
      await visit.page.getByText('1 run', { exact: true }).waitFor()
    },
    { expected: [/404/], role: 'read' },
  )
})
