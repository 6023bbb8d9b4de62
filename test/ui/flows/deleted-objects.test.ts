import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import { until } from '../../conformance/support/until.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

let projects = 0

interface Kept {
  readonly version_index: number
  readonly aliases: readonly string[] | null
}

/** A project of its own with a prompt in two versions, a dataset and a plain object. */
async function withObjects() {
  const { client } = world.server
  const project = new Project(client, 'acme', `deleted-${++projects}`)
  const create = async (name: string, val: unknown): Promise<string> => {
    const obj = { project_id: project.id, object_id: name, val }
    return (await client.post<{ digest: string }>('/obj/create', { obj })).json.digest
  }
  const name = async (object: string, digest: string, alias: string): Promise<void> => {
    const { status } = await client.put(`/objs/${object}/aliases`, { project_id: project.id, digest, aliases: [alias] })
    expect(status).toBe(200)
  }
  const prompt = {
    _type: 'MessagesPrompt',
    _class_name: 'MessagesPrompt',
    _bases: ['Prompt', 'Object', 'BaseModel'],
  }
  const greeting = await create('greeting', { ...prompt, messages: [{ role: 'system', content: 'Be kind.' }] })
  await create('greeting', { ...prompt, messages: [{ role: 'system', content: 'Be brief.' }] })
  await name('greeting', greeting, 'production')
  await client.post(`/v2/${project.id}/datasets`, { name: 'cases', rows: [{ question: 'Why?' }] })
  await create('settings', { color: 'teal' })
  const scorer = {
    _type: 'ExactMatchScorer',
    _class_name: 'ExactMatchScorer',
    _bases: ['Scorer', 'Object', 'BaseModel'],
  }
  const exact = await create('exact', { ...scorer, name: 'exact' })
  await create('exact', { ...scorer, name: 'exactly' })
  await name('exact', exact, 'strict')
  const versionsOf = async (name: string): Promise<readonly Kept[]> => {
    const body = { project_id: project.id, filter: { object_ids: [name] }, include_tags_and_aliases: true }
    return (await client.post<{ objs: Kept[] }>('/objs/query', body)).json.objs
  }
  return { project, versionsOf, create }
}

async function deleteFromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test.each([
  ['prompt', 'prompts', 'greeting'],
  ['dataset', 'datasets', 'cases'],
  ['object', 'object', 'settings'],
  ['scorer', 'scorers', 'exact'],
])('a %s is deleted on its page, brought back, and deleted for good', async (noun, view, name) => {
  const { project, versionsOf } = await withObjects()
  const list = `/ui/${project.id}/${view === 'object' ? 'objects' : view}`
  const before = await versionsOf(name)
  await world.visit(async (visit) => {
    const { page } = visit
    const inList = page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) })
    await visit.goTo(`/ui/${project.id}/${view}/${name}`)
    const item = noun === 'scorer' ? 'Delete' : `Delete ${noun}`
    await deleteFromMenu(page, item)
    await page.waitForURL(world.address + list)
    await page.getByText(`${name} deleted`).waitFor()
    await visit.settled()
    expect(await inList.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await inList.waitFor()
    expect(await versionsOf(name)).toEqual(before)

    await inList.click()
    await visit.settled()
    await deleteFromMenu(page, item)
    await page.getByText(`${name} deleted`).waitFor()
    // Closing the page does not undo it.
    await page.goto('about:blank')
    await until(async () => (await versionsOf(name)).length === 0)
  })
})

test('a version that comes while a deletion can be undone is not deleted with the others', async () => {
  const { project, versionsOf, create } = await withObjects()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/object/settings`)
    await deleteFromMenu(page, 'Delete object')
    await page.getByText('settings deleted').waitFor()
    await create('settings', { color: 'red' })
    await page.goto('about:blank')
    await until(async () => (await versionsOf('settings')).map(({ version_index: index }) => index).join() === '1')
  })
})

test('a key that may only read is offered no deletion', async () => {
  const { project } = await withObjects()
  await world.visit(
    async (visit) => {
      for (const path of ['prompts/greeting', 'datasets/cases', 'object/settings']) {
        await visit.goTo(`/ui/${project.id}/${path}`)
        expect(await visit.page.getByRole('button', { name: 'More actions' }).count()).toBe(0)
      }
    },
    { role: 'read' },
  )
})
