import { expect, test } from 'bun:test'
import { sharedWorld } from '../support/world.ts'

test('a newcomer copies the first snippet, runs it, and sees the trace open', async () => {
  const world = await sharedWorld()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/newcomer/start')
    await page.getByRole('tab', { name: 'curl' }).click()
    const key = page.getByRole('button', { name: 'Create a key' })
    if ((await key.count()) > 0) await key.click()
    await visit.settled()
    const snippet = (await page.locator('pre').first().textContent()) ?? ''
    expect(snippet).toContain(world.address)
    expect(snippet).toContain('acme/newcomer')
    expect(snippet).toMatch(/\b[0-9a-f]{40}\b/)
    const shell = Bun.spawn(['sh', '-c', snippet], { stdout: 'pipe', stderr: 'pipe' })
    expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, ''])
    await page.waitForURL(/\/ui\/acme\/newcomer\/trace\//)
    await page.locator('main').getByText('How far is the moon?').first().waitFor()
    await page.locator('main').getByText('384,400 km').first().waitFor()
    await visit.settled()
  })
})

test('the list of traces of an empty project leads to the start page', async () => {
  const world = await sharedWorld()
  await world.visit(async (visit) => {
    await visit.goTo('/ui/acme/nothing-yet/traces')
    await visit.page.getByRole('button', { name: 'Send your first trace' }).click()
    await visit.page.waitForURL(/\/ui\/acme\/nothing-yet\/start/)
  })
})
