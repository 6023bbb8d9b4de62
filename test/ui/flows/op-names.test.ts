import { beforeAll, describe, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { exportOf, groupOf, newTraceId, send, spanOf } from '../../conformance/support/otlp.ts'
import type { Visit } from '../support/visit.ts'
import { sharedWorld, type World } from '../support/world.ts'

const name = 'chat gpt-4o'
const project = '/ui/acme/spans'
const traceId = newTraceId()

let world: World
beforeAll(async () => {
  world = await sharedWorld()
  // Newer than what other tests have sent to the server: one of them looks at the recent traces of
  // all projects.
  const now = BigInt(Date.now()) * 1_000_000n
  const times = { start: now.toString(), end: (now + 1_000_000n).toString() }
  const root = spanOf({ traceId, name: 'invoke_agent weather: Oslo / Norway', attributes: { session: 'a' }, ...times })
  const chat = spanOf({ traceId, name, parentSpanId: root['spanId'] as string, ...times })
  const body = exportOf(groupOf([root, chat]))
  await send(world.server.client, body, 'protobuf', { headers: { project_id: 'acme/spans' } })
})

describe('the name of a span is shown with all its characters', () => {
  test.each<[string, string, (page: Page) => ReturnType<Page['locator']>]>([
    ['the table of calls', 'calls', (page) => page.getByRole('grid').getByText(name, { exact: true })],
    ['its facet', 'calls', (page) => page.getByRole('checkbox', { name: /^chat gpt-4o/ })],
    ['the tree of a trace', `trace/${traceId}`, (page) => page.getByRole('tree').getByText(name, { exact: true })],
    ['calls by operation', `trace/${traceId}?view=ops`, (page) => page.getByRole('table').getByText(name)],
    ['dashboards', 'dashboards?t=all', (page) => page.getByRole('region', { name: 'Operations' }).getByText(name)],
    ['a filter', `calls?f=${encodeURIComponent(`op="${name}"`)}`, (page) => page.getByText('1 call', { exact: true })],
  ])('%s', async (_, tail, where) => {
    await world.visit(async (visit) => {
      await visit.goTo(`${project}/${tail}`)
      await where(visit.page).first().waitFor()
    })
  })

  test('recent traces of all projects', async () => {
    await world.visit(async (visit) => {
      await visit.goTo('/ui/')
      await visit.page.getByText('invoke_agent weather: Oslo / Norway').first().waitFor()
    })
  })

  test('the palette, which leads to its calls', async () => {
    await world.visit(async (visit: Visit) => {
      const { page } = visit
      await visit.goTo(`${project}/traces`)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('chat')
      await page.getByRole('option', { name: /chat gpt-4o/ }).click()
      await page.waitForURL(/\/calls\?f=/)
      await page.getByText('1 call', { exact: true }).first().waitFor()
    })
  })
})
