import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { partsText } from '../../../src/web/text/parts.ts'
import { accessText } from '../../../src/web/text/settings/access.ts'
import { serverText } from '../../../src/web/text/settings/server.ts'
import { settingsText } from '../../../src/web/text/settings/settings.ts'
import { auditText, pricesText, retentionText } from '../../../src/web/text/settings/settings-pages.ts'
import { shellText } from '../../../src/web/text/shell.ts'
import { createEvaluation, createObject, evaluate } from '../../conformance/support/evaluation-engine.ts'
import { createJudge, questions } from '../../conformance/support/judges.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok } from '../../conformance/support/queues.ts'
import { Rules } from '../../conformance/support/rules.ts'
import { type ServerProcess, startServer } from '../../conformance/support/server-process.ts'
import { type Visit, visiting } from '../support/visit.ts'
import { signIn } from '../support/world.ts'

const stub = startStubModel({ hold: () => Bun.sleep(50) })
let server: ServerProcess
let project: Project
beforeAll(async () => {
  server = await startServer({ env: { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url } })
  project = new Project(server.client, 'acme', 'bot')
})
afterAll(async () => {
  await server.stop()
  await stub.stop()
})

async function asAdmin(look: (visit: Visit) => Promise<void>): Promise<void> {
  const { address } = server.client
  await visiting({ address, cookie: await signIn(address, server.adminKey) }, async (visit) => {
    await visit.goTo('/ui/acme/bot/start')
    await look(visit)
  })
}

test('a secret is set, replaced and removed, and its value is never sent back', async () => {
  await asAdmin(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/secrets')
    await page.getByRole('button', { name: accessText.add }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(accessText.secretName).fill('MY_KEY')
    await dialog.getByLabel(accessText.value).fill('first-value')
    await dialog.getByRole('button', { name: accessText.set }).click()
    const choose = async (item: string) => {
      await page.getByRole('button', { name: accessText.actions('MY_KEY') }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose(accessText.replace)
    expect(await dialog.getByLabel(accessText.newValue).inputValue()).toBe('')
    await dialog.getByLabel(accessText.newValue).fill('second-value')
    await dialog.getByRole('button', { name: accessText.replaceVerb }).click()
    await page.getByText(accessText.replaced('MY_KEY')).waitFor()
    await choose(accessText.secretHistory)
    const log = page.getByRole('table', { name: settingsText.sections.audit })
    await log.getByText('secrets.set').nth(1).waitFor()
    expect(await page.content()).not.toContain('first-value')
    await page.goBack()
    await choose(accessText.remove)
    await dialog.getByRole('button', { name: accessText.remove }).click()
    await page.getByText(accessText.noSecrets).waitFor()
  })
})

test('a price has a history, and a removed one comes back', async () => {
  await asAdmin(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/prices')
    const dialog = page.getByRole('dialog')
    const add = async (prices: readonly string[], from: string) => {
      await dialog.getByLabel(`${pricesText.input}, $`, { exact: true }).fill(prices[0]!)
      await dialog.getByLabel(`${pricesText.output}, $`).fill(prices[1]!)
      await dialog.getByLabel(pricesText.from).fill(from)
      await dialog.getByRole('button', { name: pricesText.save }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: pricesText.add }).click()
    await dialog.getByLabel(pricesText.model).fill('house-model')
    await dialog.getByLabel(pricesText.from).fill('soon')
    await dialog.getByText(pricesText.wrongTime).waitFor()
    await add(['2.5', '10'], '2026-01-01')
    const table = page.getByRole('table', { name: settingsText.sections.prices, exact: true })
    for (const [prices, from] of [
      [['2', '8'], '2026-06-01'],
      [['1', '4'], '2999-01-01'],
    ] as const) {
      await page.getByRole('button', { name: accessText.actions('house-model') }).click()
      await page.getByRole('menuitem', { name: pricesText.change }).click()
      await add(prices, from)
    }
    const head = table.getByRole('row').nth(1)
    await head.getByText(pricesText.count(3)).waitFor()
    await head.getByText('$2', { exact: true }).waitFor()
    await table.getByRole('button', { name: pricesText.history('house-model') }).click()
    const inputs = async () => await table.locator('tbody tr td:nth-child(2)').allTextContents()
    expect(await inputs()).toEqual(['$2', '$1', '$2', '$2.5'])
    await table.getByText('1 Jan 2026').waitFor()
    await table.getByText('admin').first().waitFor()

    await table.getByRole('row').filter({ hasText: '1 Jan 2026' }).getByRole('button').click()
    await page.getByRole('menuitem', { name: pricesText.remove }).click()
    await page.getByText(pricesText.removed('house-model')).waitFor()
    await head.getByText(pricesText.count(2)).waitFor()
    await page.getByRole('button', { name: shellText.undo }).click()
    await head.getByText(pricesText.count(3)).waitFor()
    expect(await inputs()).toEqual(['$2', '$1', '$2', '$2.5'])
  })
})

test('a retention says what it would delete before it is set', async () => {
  const startOf = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await project.complete(
    ...[1, 2, 40, 50, 60].map((days) => ({ id: `d${days}`, started_at: startOf(days), ended_at: startOf(days) })),
  )
  await server.client.post('/flush', {})
  await asAdmin(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/retention')
    await page.getByRole('button', { name: retentionText.change, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(retentionText.deletesNothing).waitFor()
    await dialog.getByLabel(retentionText.days).fill('365')
    await dialog.getByText(/Would delete nothing/).waitFor()
    await dialog.getByLabel(retentionText.days).fill('30')
    await dialog.getByText(/Would delete 3 of 5 calls/).waitFor()
    await dialog.getByRole('button', { name: retentionText.saveAndDelete('3') }).click()
    await page.getByText(retentionText.forDays(30)).waitFor()
  })
  while ((await project.idsOf()).length > 2) await Bun.sleep(100)
})

test('the audit log is filtered by who, what and failure, and saved as CSV', async () => {
  const key = await server.createKey({ name: 'auditor', role: 'write', scope: 'acme/bot' })
  const other = server.client.withKey(key)
  await other.post('/obj/create', { obj: { project_id: project.id, object_id: 'o', val: 1 } })
  await other.post('/obj/create', { obj: { project_id: 'else/where', object_id: 'o', val: 1 } })
  await asAdmin(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/audit')
    const rows = page.getByRole('table', { name: settingsText.sections.audit }).locator('tbody tr')
    const filters = page.getByRole('search')
    await filters.getByLabel(auditText.who).selectOption({ label: `auditor (${key.slice(0, 8)})` })
    await visit.settled()
    expect(await rows.count()).toBe(2)
    await filters.getByLabel(auditText.failedOnly).check()
    await visit.settled()
    expect(await rows.allTextContents()).toEqual([expect.stringContaining('403')])
    // The address has it all.
    await page.reload()
    await visit.settled()
    expect(await rows.count()).toBe(1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: auditText.export }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`auditor,${key.slice(0, 8)}`)
    await page.goBack()
    await visit.settled()
    expect(await rows.count()).toBe(2)
    await filters.getByLabel(auditText.operation).fill('keys.none')
    await page.keyboard.press('Enter')
    await page.getByText(auditText.none).waitFor()
  })
})

test('a job shows its progress, and is cancelled', async () => {
  const model = await createObject(project, 'slow', 'LLMStructuredCompletionModel', { llm_model_id: 'stub-slow' })
  const evaluation = await createEvaluation(project, [{ question: 'one?' }, { question: 'two?' }], [])
  const id = await evaluate(project, { evaluation, model })
  await asAdmin(async (visit) => {
    const { page } = visit
    await page.goto(`${server.client.address}/ui/settings/jobs`)
    const row = page.getByRole('row').filter({ hasText: id })
    await row.getByRole('progressbar', { name: serverText.progress }).waitFor()
    await row.getByText('0 of 2 rows').waitFor()
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: serverText.cancelJob }).click()
    await page.getByRole('dialog').getByRole('button', { name: serverText.cancelVerb }).click()
    await row.getByText('cancelled').waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    await row.getByRole('link', { name: serverText.jobKinds.evaluate_model }).click()
    await page.waitForURL(`**/evaluations/${id}`)
    expect(await page.getByText(partsText.notRead).count()).toBe(0)
  })
})

test('a backfill of a rule says how many calls are done, while it works and once it is cancelled', async () => {
  const filled = new Project(server.client, 'acme', 'filled')
  const rules = new Rules(filled)
  const action = { kind: 'score', scorer_refs: [await createJudge(filled)] }
  await filled.complete(...questions(1_500))
  const { rule } = await ok(rules.create({ is_paused: true, action }))
  const { backfill } = await ok(rules.startBackfill(rule.id, { start: '2020-01-01T00:00:00Z' }))
  await asAdmin(async (visit) => {
    const { page } = visit
    await page.goto(`${server.client.address}/ui/settings/jobs`)
    const row = page.getByRole('row').filter({ hasText: backfill.id })
    await row.getByText(/\b[1-9][\d,]* of 1,500 calls$/).waitFor()
    const bar = row.getByRole('progressbar', { name: serverText.progress })
    expect(Number(await bar.getAttribute('max'))).toBe(1_500)
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: serverText.cancelJob }).click()
    await page.getByRole('dialog').getByRole('button', { name: serverText.cancelVerb }).click()
    await row.getByText('cancelled').waitFor()
    await row.getByText(/\b[\d,]+ of 1,500 calls$/).waitFor()
    expect(await bar.count()).toBe(0)
  })
  const [left] = (await ok(rules.backfills(rule.id))).backfills
  expect(left).toMatchObject({ state: 'cancelled' })
})
