import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { demoTraces, sendAsSdk } from '../../conformance/support/demo-traces.ts'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld, type World } from '../support/world.ts'

const hourMs = 3_600_000
let world: World
beforeAll(async () => {
  world = await sharedWorld()
  const project = new Project(world.server.client, 'acme', 'failures')
  await sendAsSdk(project, demoTraces(project.id, Math.floor(Date.now() / hourMs) * hourMs))
}, 120_000)

const traces = '/ui/acme/failures/traces'
const statuses = (page: Page) => page.getByRole('region', { name: 'Status' })
const filterOf = (page: Page): string | null => new URL(page.url()).searchParams.get('f')

test('one value of the facet finds the traces that have failed anywhere, and counts as many', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(traces)
    await statuses(page)
      .getByRole('checkbox', { name: /^Failed\s*77$/ })
      .check()
    await page.getByText('77 traces', { exact: true }).first().waitFor()
    expect(filterOf(page)).toBe('status = failed')
    await page.getByRole('button', { name: /^Remove .*Failed/ }).waitFor()
    for (const [name, count] of [
      ['Error', 9],
      ['Error inside', 68],
    ] as const)
      await statuses(page)
        .getByRole('checkbox', { name: new RegExp(`^${name}\\s*${count}$`) })
        .waitFor()
    await statuses(page)
      .getByRole('checkbox', { name: /^Failed/ })
      .uncheck()
    await page.getByText('500 traces', { exact: true }).first().waitFor()
  })
})

test('the same as text, and the traces that have not', async () => {
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(`${traces}?f=${encodeURIComponent('status = failed')}`)
    await page.getByText('77 traces', { exact: true }).first().waitFor()
    expect(
      await statuses(page)
        .getByRole('checkbox', { name: /^Failed/ })
        .isChecked(),
    ).toBe(true)
    await visit.goTo(`${traces}?f=${encodeURIComponent('status != failed')}`)
    await page.getByText('423 traces', { exact: true }).first().waitFor()
  })
})
