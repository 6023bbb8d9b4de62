import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { StoppingServer } from '../support/stopping-server.ts'

let server: StoppingServer
let isStopped = false
beforeAll(async () => {
  server = await StoppingServer.start()
  await sendTrace('first')
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  if (isStopped) await comeBack()
})

const stop = async (): Promise<void> => {
  isStopped = true
  await server.stop()
}
const comeBack = async (): Promise<void> => {
  await server.comeBack()
  isStopped = false
}

const sendTrace = (id: string): Promise<unknown> =>
  server.project('bot').complete({
    id,
    trace_id: id,
    thread_id: 'talk',
    op_name: `op_${id}`,
    started_at: new Date(Date.now() - 2_000).toISOString(),
    ended_at: new Date(Date.now() - 1_000).toISOString(),
    inputs: { question: `question ${id}` },
    output: `answer ${id}`,
  })

const banner = (page: Page) => page.getByRole('alert').getByText(/^The server did not answer\./)
const list = '/ui/acme/bot/traces'

describe('while the server does not answer', () => {
  test('every view says so, and no longer once it is back', async () => {
    const views = [
      '/ui/',
      list,
      '/ui/acme/bot/calls',
      '/ui/acme/bot/trace/first',
      '/ui/acme/bot/threads',
      '/ui/acme/bot/thread/talk',
      '/ui/acme/bot/compare?ids=first,first',
      '/ui/acme/bot/live',
      '/ui/acme/bot/dashboards',
      '/ui/acme/bot/start',
      '/ui/settings/storage',
    ]
    await server.visit(async ({ page }) => {
      const pages = await Promise.all(
        views.map(async (path) => {
          const each = await page.context().newPage()
          await each.goto(server.address + path)
          await each.locator('main h1').first().waitFor()
          return each
        }),
      )
      await stop()
      for (const each of pages) await banner(each).waitFor()
      await comeBack()
      for (const each of pages) await banner(each).waitFor({ state: 'detached' })
    })
  })

  test('a click that needs a script keeps the list and says why, and works once the server is back', async () => {
    await server.visit(async ({ page, ...visit }) => {
      await page.goto(visit.address + list)
      const row = page.getByRole('grid').getByText('question first')
      await row.waitFor()
      const before = page.url()
      await stop()
      await page.getByRole('link', { name: 'Threads' }).click()
      await page.getByText('“Threads” was not opened: the server did not answer.').waitFor()
      await banner(page).waitFor()
      expect(page.url()).toBe(before)
      expect(await row.isVisible()).toBe(true)
      await comeBack()
      await banner(page).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Threads' }).click()
      await page.getByRole('heading', { level: 1, name: 'Threads' }).waitFor()
    })
  })

  test('a part of a page that needs a script says so in its place, and is there or offers to reload once the server is back', async () => {
    await server.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/bot/trace/first')
      await stop()
      await page.getByRole('tab', { name: 'Feedback' }).click()
      await page.getByText('This part could not be loaded').waitFor()
      expect(await page.getByRole('treeitem').first().isVisible()).toBe(true)
      await comeBack()
      // Some browsers remember until a reload that a script could not be loaded.
      const note = page.getByRole('textbox', { name: 'Add a note' })
      const reload = page.getByRole('button', { name: 'Reload' })
      await note.or(reload).waitFor()
      if (await reload.isVisible()) await reload.click()
      await note.waitFor()
    })
  })

  test('a list has what came meanwhile once the server is back', async () => {
    await server.visit(async (visit) => {
      const { page } = visit
      await visit.goTo(list)
      await stop()
      await banner(page).waitFor()
      // To the page the server is back once the trace is there: it reads the list again only then.
      await page.route('**/ui/api/**', (route) => route.abort('connectionrefused'))
      await comeBack()
      await sendTrace('meanwhile')
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('grid').getByText('question meanwhile').waitFor()
    })
  })

  test('a trace that is opened meanwhile is read once the server is back', async () => {
    await sendTrace('second')
    await server.visit(async (visit) => {
      const { page } = visit
      const row = (id: string) => page.getByRole('grid').getByText(`question ${id}`)
      await visit.goTo(list)
      await row('first').click()
      await page.getByRole('treeitem', { name: /op_first/ }).waitFor()
      await page.goBack()
      await row('second').waitFor()
      await stop()
      await banner(page).waitFor()
      await row('second').click()
      await page.waitForURL(/trace\/second/)
      await comeBack()
      await page.getByRole('treeitem', { name: /op_second/ }).waitFor()
    })
  })

  test('a note that could not be sent is still there, and goes out once the server is back', async () => {
    await server.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/bot/trace/first?tab=feedback')
      const note = page.getByRole('textbox', { name: 'Add a note' })
      await note.fill('Polite, but slow')
      await stop()
      await page.getByRole('button', { name: 'Add a note' }).click()
      await banner(page).waitFor()
      expect(await note.inputValue()).toBe('Polite, but slow')
      await comeBack()
      await banner(page).waitFor({ state: 'detached' })
      expect(await note.inputValue()).toBe('Polite, but slow')
      await page.getByRole('button', { name: 'Add a note' }).click()
      await page.getByRole('listitem').filter({ hasText: 'Polite, but slow' }).waitFor()
      expect(await note.inputValue()).toBe('')
    })
  })

  test('a note on a turn of a thread stays too', async () => {
    await server.visit(async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/bot/thread/talk?turn=1')
      await page.keyboard.press('m')
      const note = page.getByRole('textbox', { name: 'Note' })
      await note.fill('Well said')
      await stop()
      await note.press('Control+Enter')
      await banner(page).waitFor()
      await comeBack()
      await banner(page).waitFor({ state: 'detached' })
      expect(await note.inputValue()).toBe('Well said')
      await note.press('Control+Enter')
      await page.getByText('Well said').waitFor()
    })
  })
})
