import { expect, test } from 'bun:test'
import { onOwnServer } from '../support/own-server.ts'

test('the list of projects of a new server has the snippet that sends the first trace', async () => {
  await onOwnServer({}, async (visit, server) => {
    const { page } = visit
    await visit.goTo('/ui/')
    await page.getByRole('heading', { name: 'Send your first trace' }).waitFor()
    expect(await page.getByRole('button', { name: 'New project' }).count()).toBe(0)
    await page.getByText('This tab keeps it until you sign out.').waitFor()
    const snippet = (await page.locator('pre').first().textContent()) ?? ''
    expect(snippet).toContain(server.client.address)
    const shell = Bun.spawn(['sh', '-c', snippet], { stdout: 'pipe', stderr: 'pipe' })
    expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, ''])
    await page.waitForURL(/\/ui\/acme\/hello\/trace\//)
    await page.locator('main').getByText('384,400 km').first().waitFor()
    // A project that exists is listed, and others can be made.
    await visit.goTo('/ui/')
    await page.getByRole('link', { name: 'acme / hello' }).waitFor()
    await page.getByRole('button', { name: 'New project' }).waitFor()
  })
})

test('the first project can have another name', async () => {
  await onOwnServer({ role: 'write' }, async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/')
    await page.getByText('Replace YOUR_KEY with the key you signed in with.').waitFor()
    await page.getByRole('button', { name: 'Use another project' }).click()
    await page.getByRole('textbox', { name: 'Entity and project' }).fill('lab/bot')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/ui\/lab\/bot\/start/)
  })
})

test('the demo is loaded into the running server, opened, deleted and loaded again', async () => {
  await onOwnServer({}, async (visit) => {
    const { page } = visit
    const load = page.getByRole('button', { name: 'Load the demo' })
    await visit.goTo('/ui/')
    for (let time = 0; time < 2; time++) {
      // The first batch waits, so that the progress is there for long enough to be seen.
      const seen = Promise.withResolvers<void>()
      await page.route('**/call/upsert_batch', async (route) => {
        await seen.promise
        await route.continue()
      })
      await load.click()
      await page.getByText(/^0 of \d[\d,]* calls sent$/).waitFor()
      seen.resolve()
      await page.unrouteAll({ behavior: 'wait' })
      await page.waitForURL(/\/ui\/demo\/airline\/traces/)
      await page.getByRole('grid').getByRole('row').nth(1).waitFor()
      await visit.goTo('/ui/')
      await page.getByRole('link', { name: 'demo / airline' }).waitFor()
      await page.getByText(/^[\d,]+ calls in demo\/airline\.$/).waitFor()
      await page.getByRole('button', { name: 'Delete the demo' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the demo' }).click()
      await load.waitFor()
      await page.getByRole('heading', { name: 'Send your first trace' }).waitFor()
    }
  })
})

test('a key that only reads sees no button that writes on a new server', async () => {
  await onOwnServer({ role: 'read' }, async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/')
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
    expect(await page.locator('main').getByRole('button').count()).toBe(0)
    await visit.goTo('/ui/acme/hello/start')
    await page.getByText('The snippets need a key that can write.').waitFor()
    for (const name of [/demo/i, /create/i, /new project/i])
      expect(await page.locator('main').getByRole('button', { name }).count()).toBe(0)
  })
})
