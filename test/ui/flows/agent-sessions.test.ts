import { expect, test } from 'bun:test'
import { until } from '../../conformance/support/until.ts'
import { sharedWorld } from '../support/world.ts'

test('a thread shows what its agent has counted', async () => {
  const world = await sharedWorld()
  await world.visit(async (visit) => {
    await visit.goTo(`/ui/acme/support/thread/${world.support.threadId}`)
    const metrics = visit.page.locator('section', { hasText: 'Metrics of the agent' })
    await metrics.waitFor()
    const facts = await metrics
      .locator('dl > div')
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector('dt')?.textContent, row.querySelector('dd')?.textContent]),
      )
    expect(facts).toEqual([
      ['Cost', '$0.420'],
      ['Input tokens', '1.2k'],
      ['Cached tokens', '56.0k'],
      ['Output tokens', '340'],
      ['Lines changed', '+120 −14'],
      ['Commits', '2'],
      ['Active time', '3 min 05 s'],
    ])
  })
})

test('the start page of an empty project has a command to import sessions', async () => {
  const world = await sharedWorld()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/new/start')
    const box = page.locator('section', { hasText: 'Import traces you already have' })
    await box.waitFor()
    const command = async () => ((await box.locator('pre').textContent()) ?? '').replaceAll(/ \\\n +/g, ' ')
    const target = `--to ${world.address} --key YOUR_KEY --project acme/new`
    expect(await command()).toBe(`./scripts/tracelake import claude-code ~/.claude/projects ${target}`)
    await box.getByLabel('Import from').selectOption('Phoenix')
    expect(await command()).toBe(`./scripts/tracelake import phoenix ~/.phoenix/phoenix.db ${target}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await box.getByRole('button', { name: 'Copy' }).click()
    const shown = await box.locator('pre').textContent()
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === shown)
    await visit.goTo('/ui/acme/support/start')
    await page.getByRole('heading', { name: 'Send traces' }).waitFor()
    expect(await box.count()).toBe(0)
  })
})
