import { beforeAll, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (box === null) throw new Error(`Measure ${locator}: it is not shown`)
  return box
}

test('Markdown in an output has no empty lines between its blocks', async () => {
  const project = new Project(world.server.client, 'acme', 'rendered')
  const started_at = new Date().toISOString()
  const output = 'It costs **$597** more:\n\n1. HAT268, JFK to ORD\n2. HAT010, ORD to SEA\n\nShall I go ahead?'
  await project.complete({ id: 'answer', trace_id: 'answer', op_name: 'answer', started_at, output })
  await world.visit(async (visit) => {
    await visit.goTo(`/ui/${project.id}/trace/answer?call=answer`)
    const items = visit.page.getByRole('listitem').filter({ hasText: /^HAT/ })
    const [first, second] = [await boxOf(items.first()), await boxOf(items.last())]
    expect(second.y - first.y).toBeLessThan(30)
    const after = await boxOf(visit.page.getByText('Shall I go ahead?'))
    expect(after.y - second.y).toBeLessThan(40)
  })
})

test('the empty state of prompts stands where that of datasets does', async () => {
  await world.visit(async (visit) => {
    const places = []
    for (const [view, title] of [
      ['prompts', 'No prompts yet'],
      ['datasets', 'No datasets yet'],
    ] as const) {
      await visit.goTo(`/ui/acme/new/${view}`)
      const { x, y, width } = await boxOf(visit.page.getByRole('heading', { name: title, exact: true }))
      places.push({ middle: Math.round(x + width / 2), y: Math.round(y) })
    }
    expect(places[0]).toEqual(places[1])
  })
})

test('heads of the list of objects stand in one line over their columns at 1,024 pixels', async () => {
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/objects')
      const [name, changed] = [
        await boxOf(page.getByText('Name', { exact: true })),
        await boxOf(page.getByText('Changed', { exact: true })),
      ]
      expect(Math.abs(name.y - changed.y)).toBeLessThan(2)
      expect(changed.x).toBeGreaterThan(name.x)
      expect(await page.getByText('User', { exact: true }).isVisible()).toBe(false)
    },
    { width: 1024, height: 768 },
  )
})

test('feedback names another time range only where one is chosen', async () => {
  await world.visit(async (visit) => {
    await visit.goTo('/ui/acme/new/feedback')
    await visit.page.getByRole('heading', { name: 'No feedback yet' }).waitFor()
    await visit.goTo('/ui/acme/new/feedback?t=-1h')
    await visit.page.getByText('There may be some on calls of another time range.').waitFor()
  })
})

test('names of lines stay inside their cards', async () => {
  const project = new Project(world.server.client, 'acme', 'scored')
  for (const [at, passed] of [true, false, true].entries()) {
    const id = `call-${at}`
    const started_at = new Date(Date.now() - at * 3_600_000).toISOString()
    await project.complete({ id, op_name: 'answer', started_at, ended_at: started_at })
    const feedback = { ext_ref: `ext:///${project.id}/call/${id}`, feedback_type: 'polite', payload: { passed } }
    await world.server.client.post('/feedback/create', { project_id: project.id, ...feedback })
  }
  await world.visit(
    async (visit) => {
      await visit.goTo(`/ui/${project.id}/dashboards`)
      await visit.page.getByRole('heading', { name: /^Score/ }).waitFor()
      const outside = await visit.page.locator('main section svg text').evaluateAll((all) =>
        all.flatMap((each) => {
          const card = each.closest('section')?.getBoundingClientRect()
          const { left, right } = each.getBoundingClientRect()
          return card !== undefined && (left < card.left || right > card.right) ? [each.textContent] : []
        }),
      )
      expect(outside).toEqual([])
    },
    { width: 1440 },
  )
})
