import { beforeAll, expect, test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld, type World } from '../support/world.ts'

const rowCount = 3_000
const runIds = ['large-a', 'large-b', 'large-c']

let world: World
let project: Project
beforeAll(async () => {
  world = await sharedWorld()
  project = new Project(world.server.client, 'acme', 'large-comparison')
  const times = { started_at: '2026-11-20T10:00:00Z', ended_at: '2026-11-20T10:00:01Z' }
  for (const [place, id] of runIds.entries()) {
    const inputs = {
      self: `ext:///${project.id}/object/quiz:v1`,
      model: `ext:///${project.id}/object/model-${place}:v1`,
    }
    const trials = Array.from({ length: rowCount }, (_, row) => ({
      ...times,
      id: `${id}-${row}`,
      trace_id: id,
      parent_id: id,
      op_name: 'Evaluation.predict_and_score',
      inputs: { ...inputs, example: { question: `Question ${row}` } },
      output: { output: 'said', scores: { exact: (row * (place + 3)) % 7 < 3 } },
    }))
    await project.complete({ ...times, id, trace_id: id, op_name: 'Evaluation.evaluate', inputs, output: {} })
    for (let from = 0; from < rowCount; from += 1_000) await project.complete(...trials.slice(from, from + 1_000))
  }
}, 120_000)

test('a comparison of thousands of rows has at most 150 rows in the page, wherever it is', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/evaluations/compare?runs=${runIds.join(',')}`)
    const grid = page.getByRole('treegrid')
    await grid.getByText('Question', { exact: false }).first().waitFor()
    const rows = () => grid.getByRole('row').count()
    expect(await rows()).toBeLessThanOrEqual(150)
    await grid.evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await grid.getByText(String(rowCount), { exact: true }).waitFor()
    expect(await rows()).toBeLessThanOrEqual(150)
    await page.getByRole('combobox', { name: 'Order of the rows' }).selectOption('loss')
    await page.waitForURL(/sort=loss/)
    await visit.settled()
    expect(await rows()).toBeLessThanOrEqual(150)
  })
})
