import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { callRef, giveFeedback, queryFeedback } from '../../conformance/support/feedback.ts'
import { createJudge, questions } from '../../conformance/support/judges.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok } from '../../conformance/support/queues.ts'
import { Rules } from '../../conformance/support/rules.ts'
import type { ServerProcess } from '../../conformance/support/server-process.ts'
import { until } from '../../conformance/support/until.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { findCutOff } from '../support/narrow.ts'
import { onOwnServer } from '../support/own-server.ts'
import type { Visit } from '../support/visit.ts'

/** A judge that gives 0, 1 or 2 points, by the number of the question. */
const judged = (text: string): string => JSON.stringify({ points: Number(/\d+$/.exec(text)?.[0] ?? 0) % 3 })

test('a rule is made, tried, turned on, seen in the feedback, turned off and deleted', async () => {
  const stub = startStubModel({ answers: ({ messages }) => judged(JSON.stringify(messages).replace(/\D+$/, '')) })
  try {
    const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'sk-rules-test' }
    await onOwnServer({ env }, async (visit, { client }) => {
      const { page } = visit
      const project = new Project(client, 'acme', 'rules')
      await createJudge(project)
      await project.complete(...questions(8), { id: 'other', op_name: 'other' })
      await visit.goTo(`/ui/${project.id}/traces`)
      await visit.goTo('/ui/settings/rules')
      await page.getByText('No rules').waitFor()
      await page.getByRole('button', { name: 'New rule' }).click()
      const dialog = page.getByRole('dialog', { name: 'New rule' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Judge answers')
      await dialog.getByRole('button', { name: 'All calls' }).click()
      const filter = dialog.getByRole('combobox', { name: 'Filter' })
      await filter.fill('op = "ask"')
      await filter.press('Enter')
      await dialog.getByRole('textbox', { name: 'Cost cap a day, $' }).fill('5')
      await dialog.getByRole('combobox', { name: 'Scorer' }).waitFor()
      await dialog.getByRole('button', { name: 'Make rule' }).click()
      await page.getByRole('heading', { name: 'Judge answers' }).waitFor()
      await page.getByText('every call, op = "ask"').waitFor()

      // Tried, nothing is stored.
      await page.getByRole('button', { name: 'Try it' }).click()
      await page.getByText(/^8 calls scored for \$/).waitFor()
      await page.getByText(/^About \$\S+ a day .*: 8 calls\.$/).waitFor()
      expect(await page.getByRole('link', { name: 'Open the call of ask' }).count()).toBe(8)
      expect(await queryFeedback(project)).toEqual([])

      // Stored calls are scored by a backfill, new ones by the rule itself.
      await page.getByRole('button', { name: 'Score stored calls' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
      await until(async () => (await queryFeedback(project)).length === 8)
      await page.getByRole('row', { name: /8 of 8.*done/ }).waitFor()
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByRole('button', { name: 'Turn off' }).waitFor()
      await project.complete(...questions(4).map((call, at) => ({ ...call, id: `new-${at}` })))
      await until(async () => (await queryFeedback(project)).length === 12)

      // The feedback page counts what the filter of a bar finds.
      await visit.goTo(`/ui/${project.id}/feedback`)
      const card = page.getByRole('region', { name: 'judge output.points' })
      await card.getByRole('link', { name: '12 calls', exact: true }).waitFor()
      const counts = new Map([
        [0, 5],
        [1, 4],
        [2, 3],
      ])
      for (const [points, count] of counts)
        await card.getByRole('link', { name: `${points}: ${count} calls` }).waitFor()
      await card.getByRole('link', { name: '1: 4 calls' }).click()
      await page.waitForURL(/\/calls\?/)
      await visit.settled()
      await page.getByText('4 calls', { exact: true }).first().waitFor()
      await page.goBack()
      await card.getByRole('link', { name: '1: 4 calls' }).waitFor()

      // Off, it scores nothing; deleted, it is gone, and its scores are kept.
      await visit.goTo('/ui/settings/rules')
      await page.getByRole('link', { name: 'Judge answers' }).click()
      await page.getByRole('button', { name: 'Turn off' }).click()
      await page.getByRole('button', { name: 'Turn on' }).waitFor()
      await page.getByRole('button', { name: 'Actions for Judge answers' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No rules').waitFor()
      expect(await queryFeedback(project)).toHaveLength(12)
    })
  } finally {
    await stub.stop()
  }
}, 480_000)

/** A project with a rule that has scored stored calls, and one whose limit is spent. */
async function withRules(
  options: { role?: 'read' | 'admin'; expected?: RegExp[] },
  look: (visit: Visit, of: { server: ServerProcess; rules: Rules; id: string }) => Promise<void>,
): Promise<void> {
  const stub = startStubModel()
  try {
    const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'sk-rules-test' }
    await onOwnServer({ env, ...options }, async (visit, server) => {
      const project = new Project(server.client, 'acme', 'rules')
      const rules = new Rules(project)
      const action = { kind: 'score', scorer_refs: [await createJudge(project)] }
      await ok(rules.create({ name: 'Spent', daily_cost_max: 1e-9, action }))
      await project.complete(...questions(4))
      const { rule } = await ok(rules.create({ name: 'Judge answers', is_paused: true, action }))
      await until(async () => (await ok(rules.list())).rules.some(({ status }) => status.passed > 0))
      await ok(rules.startBackfill(rule.id, { start: new Date(Date.now() - 86_400_000).toISOString() }))
      await until(async () => (await ok(rules.backfills(rule.id))).backfills[0]?.state === 'completed')
      await visit.goTo(`/ui/${project.id}/traces`)
      await look(visit, { server, rules, id: rule.id })
    })
  } finally {
    await stub.stop()
  }
}

/** Nothing is cut off on phones, a tablet and a desk; axe finds nothing in either theme. */
async function expectSound({ page, settled }: { page: Page; settled: () => Promise<void> }): Promise<void> {
  for (const width of [320, 390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await settled()
    expect({ width, cut: await page.evaluate(findCutOff) }).toEqual({ width, cut: [] })
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect((await checkAccessibility(page)).violations).toEqual([])
  }
}

test('the pages of rules are sound at every width and in both themes, and say what is the matter', async () => {
  await withRules({}, async (visit, { id }) => {
    const { page } = visit
    const seen = { page, settled: () => visit.settled() }
    await visit.goTo('/ui/settings/rules')
    await page.getByText(/^paused until 00:00 UTC: cap \S+ reached$/).waitFor()
    await expectSound(seen)
    await visit.goTo(`/ui/settings/rules?rule=${id}`)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText(/calls? scored for \$/).waitFor()
    await expectSound(seen)
    await page.reload()
    await page.getByRole('heading', { name: 'Judge answers' }).waitFor()
    await page.getByRole('button', { name: 'Score stored calls' }).click()
    await expectSound(seen)
    await page.keyboard.press('Escape')
    // By keys alone: the menu, then the form.
    await page.getByRole('button', { name: 'Actions for Judge answers' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Edit the rule' })
    await dialog.waitFor()
    await expectSound(seen)
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Judge some answers')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Judge some answers' }).waitFor()
    await visit.goTo('/ui/settings/rules?rule=none')
    await page.getByText('No such rule').waitFor()
    await expectSound(seen)
    await page.getByRole('button', { name: 'All rules' }).click()
    await page.getByRole('link', { name: 'Judge some answers' }).waitFor()
    await page.goBack()
    await page.getByText('No such rule').waitFor()
  })
}, 480_000)

test('a key that reads sees rules and no control that writes', async () => {
  await withRules({ role: 'read' }, async (visit, { id }) => {
    const { page } = visit
    await visit.goTo('/ui/settings/rules')
    await page.getByRole('link', { name: 'Judge answers' }).waitFor()
    expect(await page.getByRole('button', { name: 'New rule' }).count()).toBe(0)
    await visit.goTo(`/ui/settings/rules?rule=${id}`)
    await page.getByRole('row', { name: /done/ }).waitFor()
    for (const name of ['Turn on', 'Try it', 'Score stored calls', 'Actions for Judge answers']) {
      expect({ name, count: await page.getByRole('button', { name }).count() }).toEqual({ name, count: 0 })
    }
  })
}, 480_000)

test('the feedback page is sound, and says that a server is gone and comes back', async () => {
  await withRules({ expected: [/503|Failed to load resource/] }, async (visit, { rules }) => {
    const { page } = visit
    const ext_ref = callRef(rules.project, 'call-0')
    // From right to left, and without a place to break.
    await giveFeedback(rules.project, { ext_ref, feedback_type: 'דעת הלקוח', payload: { mood: 'טוב, אבל איטי' } })
    await giveFeedback(rules.project, { ext_ref, feedback_type: 'x'.repeat(120), payload: { mood: 'y'.repeat(110) } })
    await visit.goTo(`/ui/${rules.project.id}/feedback`)
    await page.getByRole('heading', { name: 'judge' }).first().waitFor()
    await page.getByRole('link', { name: 'טוב, אבל איטי: 1 call' }).waitFor()
    await expectSound({ page, settled: () => visit.settled() })
    await page.route('**/feedback/distributions', (route) => route.fulfill({ status: 503, body: '{"reason":"Gone"}' }))
    await page.goto(`${visit.address}/ui/${rules.project.id}/feedback?t=1h`)
    await page.getByText('Gone').waitFor()
    await page.unroute('**/feedback/distributions')
    await page.getByRole('button', { name: /again/i }).click()
    await page.getByRole('heading', { name: 'judge' }).first().waitFor()
  })
}, 480_000)
