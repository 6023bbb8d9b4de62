import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { boardText } from '../../../src/web/text/board.ts'
import { settingsText } from '../../../src/web/text/settings/settings.ts'
import { callRef, giveFeedback } from '../../conformance/support/feedback.ts'
import { createJudge } from '../../conformance/support/judges.ts'
import { ok } from '../../conformance/support/queues.ts'
import { Rules } from '../../conformance/support/rules.ts'
import { boardContent, storedCard } from '../support/seed-boards.ts'
import { StoppingServer } from '../support/stopping-server.ts'

let server: StoppingServer
let ruleId: string
beforeAll(async () => {
  server = await StoppingServer.start()
  const project = server.project('bot')
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
  await project.add(
    { id: 'now', op_name: 'ask', started_at: at(10), ended_at: at(9) },
    { id: 'before', op_name: 'ask', started_at: at(10 * 24 * 60), ended_at: at(10 * 24 * 60 - 1) },
  )
  for (const id of ['now', 'before']) {
    await giveFeedback(project, { ext_ref: callRef(project, id), feedback_type: 'judge', payload: { grade: 1 } })
  }
  const action = { kind: 'score', scorer_refs: [await createJudge(project)] }
  ruleId = (await ok(new Rules(project).create({ name: 'Judge answers', is_paused: true, action }))).rule.id
  const cards = [storedCard('calls', { title: 'Asked', shape: 'number' })]
  await project.client.post('/obj/create', {
    obj: { project_id: project.id, object_id: 'board', val: boardContent('Asked a lot', cards) },
  })
}, 120_000)
afterAll(() => server[Symbol.asyncDispose]())

const banner = (page: Page) => page.getByRole('alert').getByText(/^The server did not answer\./)

test('every section of the settings, dashboards, rules and feedback say that the server is gone, and no longer', async () => {
  const sections = Object.keys(settingsText.sections).map((id) => `settings/${id}`)
  const views = ['dashboards/board', 'dashboard-list', 'feedback'].map((view) => `acme/bot/${view}`)
  await server.visit(async ({ page }) => {
    await page.goto(`${server.address}/ui/acme/bot/start`)
    await page.locator('main h1').first().waitFor()
    const seen: { path: string; each: Page; before: string[] }[] = []
    for (const path of [...sections, ...views, `settings/rules?rule=${ruleId}`]) {
      const each = await page.context().newPage()
      await each.goto(`${server.address}/ui/${path}`)
      await each.locator('main h1').first().waitFor()
      await each.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
      seen.push({ path, each, before: await each.locator('main :is(h2, h3)').allTextContents() })
    }
    await server.stop()
    for (const { each } of seen) await banner(each).waitFor()
    // What has been read stays.
    for (const { path, each, before } of seen)
      expect([path, ...(await each.locator('main :is(h2, h3)').allTextContents())]).toEqual([path, ...before])
    await server.comeBack()
    for (const { each } of seen) await banner(each).waitFor({ state: 'detached' })
    for (const { path, each, before } of seen)
      expect([path, ...(await each.locator('main :is(h2, h3)').allTextContents())]).toEqual([path, ...before])
  })
}, 300_000)

test('what is asked for without the server is there once it is back, and nothing edited is lost', async () => {
  await server.visit(async (visit) => {
    const { page: feedback } = visit
    await visit.goTo('/ui/acme/bot/feedback?t=-24h')
    await feedback.getByRole('link', { name: '1 call', exact: true }).first().waitFor()

    const rules = await feedback.context().newPage()
    await rules.goto(`${server.address}/ui/settings/rules`)
    await rules.getByRole('link', { name: 'Judge answers' }).waitFor()

    const board = await feedback.context().newPage()
    const card = (name: string) => board.getByRole('region', { name }).first()
    await board.goto(`${server.address}/ui/acme/bot/dashboards/board`)
    await card('Asked').getByText('1', { exact: true }).first().waitFor()
    await board.getByRole('button', { name: /^Edit/ }).click()
    await card('Asked').getByRole('heading').click()
    const title = board.getByRole('textbox', { name: 'Title' })
    await title.waitFor()

    const charts = await feedback.context().newPage()
    await charts.goto(`${server.address}/ui/acme/bot/dashboards/board`)
    const number = charts.getByRole('region', { name: 'Asked' }).first()
    await number.getByText('1', { exact: true }).first().waitFor()

    await server.stop()
    for (const each of [feedback, rules, board, charts]) await banner(each).waitFor()
    await rules.getByRole('link', { name: 'Judge answers' }).click()
    await rules.getByRole('heading', { name: 'Judge answers' }).waitFor()
    await rules.getByRole('button', { name: 'Turn on' }).click()
    await rules.getByText('The server did not answer', { exact: true }).waitFor()
    expect(await rules.getByRole('button', { name: 'Turn off' }).count()).toBe(0)
    for (const [each, range] of [
      [feedback, 'Last 24 hours'],
      [charts, 'Last 7 days'],
    ] as const) {
      await each.getByRole('button', { name: range }).click()
      await each.getByText('Last 30 days', { exact: true }).click()
    }
    await title.fill('Asked of the bot')
    await board.keyboard.press('Control+s')
    await board.getByText('The server did not answer', { exact: true }).first().waitFor()
    await card('Asked of the bot').getByText('1', { exact: true }).first().waitFor()
    await server.comeBack()

    await rules.getByText('No backfill yet.').waitFor()
    await rules.getByRole('button', { name: 'Turn on' }).click()
    await rules.getByRole('button', { name: 'Turn off' }).waitFor()
    await feedback.getByRole('link', { name: '2 calls', exact: true }).first().waitFor()
    await number.getByText('2', { exact: true }).first().waitFor()
    await banner(board).waitFor({ state: 'detached' })
    expect(await title.inputValue()).toBe('Asked of the bot')
    await board.keyboard.press('Control+s')
    await board.getByText(boardText.saved('Asked a lot', 1)).waitFor()
  })
}, 300_000)
