import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { Project } from '../../conformance/support/project.ts'
import { until } from '../../conformance/support/until.ts'
import { sharedWorld } from '../support/world.ts'

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('a value is searched, and copied as JSON, as a path, and as code', async () => {
  const world = await sharedWorld()
  const project = new Project(world.server.client, 'acme', 'json-values')
  const inputs = { question: { text: 'where is it?', exact: true, order: null }, more: [1, 2] }
  await project.complete({ id: 'asked', trace_id: 'asked', inputs })
  await world.visit(
    async (visit) => {
      const { page } = visit
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await visit.goTo('/ui/acme/json-values/trace/asked?call=asked&tab=inputs')
      const find = page.getByRole('textbox', { name: 'Find', exact: true })
      await find.fill('exact')
      await page.getByRole('status').getByText('1/1').waitFor()
      await page.getByText('question.exact', { exact: true }).waitFor()
      const copy = async (name: string) => {
        await page.getByRole('button', { name: 'Copy', exact: true }).click()
        await page.getByRole('menuitem', { name }).click()
      }
      await copy('Copy path')
      await until(async () => (await clipboard(page)) === 'question.exact')
      await copy('Copy value')
      await until(async () => (await clipboard(page)) === 'true')
      await copy('Copy as Python')
      await until(async () => (await clipboard(page)) === 'True')
      await copy('Copy as JavaScript')
      await until(async () => (await clipboard(page)) === 'true')
      await find.fill('absent words')
      await page.getByRole('status').getByText('None').waitFor()
      expect(await find.inputValue()).toBe('absent words')
    },
    { role: 'admin' },
  )
})
