import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import type { Visit } from '../support/visit.ts'
import { sharedWorld, type World } from '../support/world.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callId = '0192f3aa-bbcc-7e02-8123-0123456789ab'
const ownId = 'order-20261124-77'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
  const elsewhere = new Project(world.server.client, 'acme', 'elsewhere')
  await elsewhere.complete({ id: callId, trace_id: traceId, op_name: 'refund' }, { id: ownId, op_name: 'order' })
})

/** Opens the palette with a text in it, once it has looked for it. */
async function type(visit: Visit, text: string): Promise<Page> {
  const { page } = visit
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(text)
  return page
}

describe('the palette finds what has an id in another project', () => {
  test.each([
    ['the id of a call', callId, /Call refund/],
    ['the id of a trace', traceId, /Trace refund/],
    ['a line of a log', `ERROR refused [trace_id=${traceId} span_id=00f067aa0ba902b7]`, /Trace refund/],
    ['an id that a client chose', ownId, /Call order/],
  ])('by %s', async (_, text, name) => {
    await world.visit(async (visit) => {
      await visit.goTo('/ui/acme/support/traces')
      const page = await type(visit, text)
      const option = page.getByRole('option', { name })
      await option.waitFor()
      expect(await option.textContent()).toContain('acme/elsewhere')
      await option.click()
      await page.waitForURL(/\/ui\/acme\/elsewhere\/trace\//)
    })
  })

  test('but not in one that the key may not read', async () => {
    const key = await world.server.createKey({ name: 'ui-own', role: 'read', scope: 'acme/support' })
    await world.visit(
      async (visit) => {
        const { page } = visit
        await visit.goTo('/ui/login')
        await page.getByRole('textbox').fill(key)
        await page.keyboard.press('Enter')
        await page.waitForURL((url) => !url.pathname.endsWith('/login'))
        await visit.goTo('/ui/acme/support/traces')
        await type(visit, traceId)
        await page.getByText(`No call, trace, thread or object in acme/support has the id ${traceId}.`).waitFor()
      },
      { role: null, expected: [/401/] },
    )
  })
})

describe('the palette says where it searched', () => {
  test('an id that nothing has', async () => {
    await world.visit(async (visit) => {
      await visit.goTo('/ui/acme/support/traces')
      const page = await type(visit, 'f'.repeat(32))
      await page
        .getByText(/^No call, trace, thread or object in .*\b(all \d+ projects|acme\/).* has the id f+\.$/)
        .waitFor()
    })
  })

  test('words', async () => {
    await world.visit(async (visit) => {
      await visit.goTo('/ui/acme/support/traces')
      const page = await type(visit, 'parcel')
      await page.getByText('Searched views, projects, actions, and operations and objects of acme/support.').waitFor()
    })
  })
})

test('an object that was found opens: a dataset with its rows, and a way to the calls that use it', async () => {
  const { client } = world.server
  const project = new Project(client, 'acme', 'datasets')
  const project_id = project.id
  const rows = Array.from({ length: 120 }, (_, index) => ({ question: `Where is parcel ${index}?` }))
  const table = await client.post<{ digest: string }>('/table/create', { table: { project_id, rows } })
  const val = { _type: 'Dataset', name: 'parcels', rows: `ext:///${project_id}/table/${table.json.digest}` }
  const made = await client.post<{ digest: string }>('/obj/create', {
    obj: { project_id, object_id: 'parcel-rows', val },
  })
  const dataset = `ext:///${project_id}/object/parcel-rows:${made.json.digest}`
  await project.complete({ id: 'uses-it', op_name: 'evaluate', inputs: { dataset } }, { id: 'other', op_name: 'other' })
  await world.visit(async (visit) => {
    await visit.goTo('/ui/acme/datasets/traces')
    const page = await type(visit, 'parcel-rows')
    await page.getByRole('option', { name: /parcel-rows/ }).click()
    await page.waitForURL('**/ui/acme/datasets/object/parcel-rows')
    const shown = page.getByRole('region', { name: 'Rows' })
    await shown.getByText('the first 100 of 120').waitFor()
    await shown.getByText('Where is parcel 0?').waitFor()
    await page.getByRole('link', { name: 'Calls that use it' }).click()
    await page.waitForURL(/\/calls\?f=/)
    await visit.settled()
    expect(await page.getByRole('grid').getByRole('row').count()).toBe(2)
    await page.getByRole('grid').getByText('evaluate').waitFor()
  })
})

test('what is the name of nothing is looked for in the calls of the project', async () => {
  await world.visit(async (visit) => {
    await visit.goTo('/ui/acme/elsewhere/threads')
    const page = await type(visit, 'refund the money')
    await page.getByRole('option', { name: 'Calls that contain “refund the money”' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/ui\/acme\/elsewhere\/calls\?f=/)
    expect(new URL(page.url()).searchParams.get('f')).toContain('refund the money')
  })
})

test('calls are not offered before all names have been read', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/elsewhere/threads')
    const read = Promise.withResolvers<void>()
    await page.route('**/objs/query', async (route) => {
      await read.promise
      await route.continue()
    })
    await type(visit, 'refund the money')
    await page.getByText('Nothing is called').waitFor()
    const calls = page.getByRole('option', { name: /^Calls that contain/ })
    expect(await calls.count()).toBe(0)
    read.resolve()
    await calls.waitFor()
  })
})
