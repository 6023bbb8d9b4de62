import { afterAll, beforeAll, expect, test } from 'bun:test'
import { alertsText } from '../../../src/web/text/settings/alerts.ts'
import { settingsText } from '../../../src/web/text/settings/settings.ts'
import { WebhookReceiver } from '../../conformance/support/rules.ts'
import { type ServerProcess, startServer } from '../../conformance/support/server-process.ts'
import { type Visit, visiting } from '../support/visit.ts'
import { signIn } from '../support/world.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ env: { TRACELAKE_PRIVATE_HOSTS: '127.0.0.1' } })
})
afterAll(async () => {
  await server.stop()
})

async function as(role: 'read' | 'write', look: (visit: Visit) => Promise<void>): Promise<void> {
  const { address } = server.client
  const key = await server.createKey({ name: `the ${role} key`, role, scope: '*' })
  await visiting({ address, cookie: await signIn(address, key) }, async (visit) => {
    await visit.goTo('/ui/acme/bot/start')
    await look(visit)
  })
}

test('an alert is made, tested with the answer in view, changed, paused and deleted', async () => {
  using hook = new WebhookReceiver()
  hook.answer = 'channel_not_found'
  hook.statuses.push(404, 200)
  await as('write', async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/alerts')
    await page.getByText(alertsText.none).waitFor()
    await page.getByRole('button', { name: alertsText.add }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(alertsText.name).fill('Too slow')
    await dialog.getByLabel(alertsText.metric, { exact: true }).selectOption('latency_p95_ms')
    await dialog.getByLabel(alertsText.threshold).fill('5000')
    await dialog.getByLabel(alertsText.calls).fill('op="answer" and')
    await dialog.getByText(alertsText.wrongFilter).waitFor()
    await dialog.getByLabel(alertsText.calls).fill('op="answer"')
    await dialog.getByLabel(alertsText.url).fill(hook.url)
    await dialog.getByLabel(alertsText.headers).fill('authorization: Bearer a')
    await dialog.getByRole('button', { name: alertsText.create }).click()
    await page.getByText(alertsText.copySecretHint).waitFor()
    await page.getByRole('button', { name: alertsText.done }).click()

    const table = page.getByRole('table', { name: settingsText.sections.alerts })
    await table.getByText('p95 latency above 5.00 s in 5 minutes').waitFor()
    await table.getByRole('link', { name: 'Too slow' }).click()
    await page.getByText(alertsText.noDeliveries).waitFor()
    await page.getByRole('button', { name: alertsText.test }).click()
    const delivery = page.getByRole('list', { name: alertsText.deliveries }).getByRole('listitem').first()
    await delivery.getByText('The receiver responded with status 404').first().waitFor()
    await delivery.getByText(alertsText.types['rule.test'], { exact: true }).click()
    await delivery.getByText('channel_not_found').first().waitFor()
    await delivery.getByText(alertsText.deliveryStates.delivered).waitFor()
    expect(hook.received[0]!.headers.get('authorization')).toBe('Bearer a')

    // The address names the alert.
    await page.reload()
    await page.getByRole('heading', { name: 'Too slow' }).waitFor()
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Actions for Too' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose(alertsText.change)
    expect(await dialog.getByLabel(alertsText.calls).inputValue()).toBe('op = "answer"')
    await dialog.getByText(alertsText.headersKept('authorization')).waitFor()
    await dialog.getByLabel(alertsText.name).fill('Too slow now')
    await dialog.getByLabel(alertsText.threshold).fill('9000')
    await dialog.getByRole('button', { name: alertsText.save }).click()
    await page.getByText('p95 latency above 9.00 s in 5 minutes').waitFor()
    await page.getByText('authorization', { exact: true }).waitFor()
    await choose(alertsText.pause)
    await page.getByText(alertsText.states.paused, { exact: true }).waitFor()
    await choose(alertsText.resume)
    await page.getByText(alertsText.states.active, { exact: true }).waitFor()

    await page.goBack()
    await table.getByRole('link', { name: 'Too slow now' }).click()
    await choose(alertsText.remove)
    await dialog.getByRole('button', { name: alertsText.remove }).click()
    await page.getByText(alertsText.none).waitFor()
    await page.goBack()
    await page.getByText(alertsText.missing).waitFor()
    await page.getByRole('button', { name: alertsText.all }).click()
    await page.getByText(alertsText.none).waitFor()
  })
})

test('calls are forwarded, and a read key changes nothing', async () => {
  await as('write', async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/alerts')
    await page.getByRole('button', { name: alertsText.addForward }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(alertsText.name).fill('Collector')
    await dialog.getByLabel(alertsText.forwardUrl).fill('http://127.0.0.1:9/v1/traces')
    await dialog.getByRole('button', { name: alertsText.create }).click()
    const row = page.getByRole('row').filter({ hasText: 'Collector' })
    await row.getByText(alertsText.forwarded('0')).waitFor()
  })
  await as('read', async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/alerts')
    await page.getByRole('link', { name: 'Collector' }).click()
    await page.getByRole('heading', { name: 'Collector' }).waitFor()
    for (const name of [alertsText.test, alertsText.add, alertsText.addForward, /Actions for/])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
  })
})
