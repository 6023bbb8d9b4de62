import { expect, test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld } from '../support/world.ts'

test('objects are listed by the time that their column of changes shows', async () => {
  const world = await sharedWorld()
  const project = new Project(world.server.client, 'acme', 'stored-again')
  const store = async (object_id: string, size: number): Promise<void> => {
    const obj = { project_id: project.id, object_id, val: { size } }
    expect((await project.client.post('/obj/create', { obj })).status).toBe(200)
  }
  await store('first', 1)
  await store('second', 1)
  await store('first', 2)
  // Makes the older version the latest one.
  await store('first', 1)
  await world.visit(async (visit) => {
    await visit.goTo(`/ui/${project.id}/objects`)
    const rows = visit.page.locator('a[href*="/stored-again/object/"]')
    expect(await rows.evaluateAll((all) => all.map((each) => each.getAttribute('href')?.split('/').at(-1)))).toEqual([
      'first',
      'second',
    ])
    const times = await rows.evaluateAll((all) =>
      all.map((each) => Number(each.lastElementChild?.getAttribute('data-tip')?.split(' · ').at(-1))),
    )
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })
})

test('an empty list of prompts or datasets offers to make one, also by a key', async () => {
  const world = await sharedWorld()
  await world.visit(async (visit) => {
    for (const [view, name] of [
      ['prompts', 'New prompt'],
      ['datasets', 'New dataset'],
    ] as const) {
      await visit.goTo(`/ui/acme/new/${view}`)
      await visit.page.getByRole('main').getByRole('button', { name }).waitFor()
      await visit.page.keyboard.press('n')
      await visit.page.getByRole('dialog', { name }).waitFor()
    }
  })
})
