import { beforeAll, expect, test } from 'bun:test'
import { callRef, giveFeedback } from '../../conformance/support/feedback.ts'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
let project: Project
beforeAll(async () => {
  world = await sharedWorld()
  project = new Project(world.server.client, 'acme', 'judged')
})

/** A call with these scores. */
async function judged(id: string, scores: Readonly<Record<string, unknown>>): Promise<void> {
  await project.complete({ id, op_name: id })
  for (const [name, output] of Object.entries(scores)) {
    const runnable_ref = `ext:///${project.id}/object/${name}:v1`
    const feedback = { ext_ref: callRef(project, id), payload: { output }, runnable_ref }
    await giveFeedback(project, { ...feedback, feedback_type: `ext.runnable.${name}` })
  }
}

test('the scores of a name look the same in all rows', async () => {
  await judged('first', { helpful: 1, polite: true })
  await judged('second', { helpful: 0.4 })
  await judged('third', { helpful: { passed: true, score: 0 } })
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/judged/traces')
    for (const [id, shown] of [
      ['first', '1'],
      ['second', '0.4'],
      ['third', '0'],
    ] as const) {
      const cell = page.getByRole('row', { name: new RegExp(`Select ${id}`) }).locator('[data-tip^="helpful"]')
      expect(await cell.textContent()).toBe(shown)
      // Ones and zeros among other numbers are no verdicts.
      expect(await cell.locator('svg').count()).toBe(0)
    }
  })
})

test('a score that a person adds has the type of the earlier ones', async () => {
  await project.complete({ id: 'by-hand', op_name: 'by-hand', trace_id: 'by-hand' })
  const value = async (name: string) => {
    const query = { $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: name }] } }
    const body = { project_id: project.id, query, sort_by: [{ field: 'created_at', direction: 'asc' }] }
    const answer = await project.client.post<{ result: { payload: { value: unknown } }[] }>('/feedback/query', body)
    return answer.json.result.map(({ payload }) => payload.value)
  }
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/judged/trace/by-hand?tab=feedback')
    const add = async (text: string) => {
      await page.getByRole('textbox', { name: 'Name' }).fill('tone')
      await page.getByRole('textbox', { name: 'Value' }).fill(text)
      await page.getByRole('textbox', { name: 'Value' }).press('Enter')
      await visit.settled()
    }
    await add('true')
    await add('0')
    await add('rude')
    await page.getByText('Scores named “tone” are true or false').waitFor()
  })
  expect(await value('tone')).toEqual([true, false])
})
