import { describe, expect, test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import { ownServer } from '../../conformance/support/target.ts'
import { visiting } from '../support/visit.ts'

const modes = [
  ['as it is', {}, ''],
  ['in the dialect weave', { TRACELAKE_DIALECT: 'weave' }, ''],
  ['behind a base path', { TRACELAKE_BASE_PATH: '/obs' }, '/obs'],
] as const

const servers = await Promise.all(modes.map(([, env]) => ownServer({ env })))

/** What the tests on other runtimes repeat: every view opens, writes, and loads its files. */
describe.each(modes.map(([name, , base], index) => [name, base, servers[index]!] as const))(
  'the UI %s',
  (name, base, server) => {
    test('signs in, lists, opens and judges a trace', async () => {
      const { address, key } = server.client
      const id = 'smoke'
      if (name === 'in the dialect weave') await sendInWeave(address, key, id)
      else
        await new Project(server.client, 'acme', 'smoke').complete({
          id,
          trace_id: id,
          op_name: 'answer',
          thread_id: 'thread-1',
          output: 'forty-two',
        })
      await visiting({ address: address + base }, async (visit) => {
        const { page } = visit
        await visit.goTo('/ui/acme/smoke/traces')
        await page.waitForURL((url) => url.pathname === `${base}/ui/login`)
        await page.getByRole('textbox', { name: 'API key' }).fill(key)
        await page.keyboard.press('Enter')
        await page.waitForURL((url) => url.pathname === `${base}/ui/acme/smoke/traces`)
        await page.getByRole('grid').getByText('forty-two').first().waitFor()
        await page.getByRole('grid').getByRole('row').nth(1).getByRole('link').first().click()
        await page.waitForURL((url) => url.pathname === `${base}/ui/acme/smoke/trace/${id}`)
        await page.getByRole('tab', { name: /^Feedback/ }).click()
        await page.getByRole('textbox', { name: 'Add a note' }).fill('As expected')
        await page.getByRole('button', { name: 'Add a note' }).click()
        await page.getByRole('listitem').getByText('As expected').waitFor()
        for (const view of ['threads', 'live', 'dashboards', 'start', 'calls']) {
          await visit.goTo(`/ui/acme/smoke/${view}`)
          expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
        }
        await visit.goTo('/acme/smoke/r/call/smoke')
        await page.waitForURL((url) => url.pathname === `${base}/ui/acme/smoke/trace/${id}`)
      })
    })
  },
)

async function sendInWeave(address: string, key: string, id: string): Promise<void> {
  const started_at = new Date().toISOString()
  const call = { project_id: 'acme/smoke', id, trace_id: id, op_name: 'answer', thread_id: 'thread-1' }
  const batch = [
    { mode: 'start', req: { start: { ...call, started_at, attributes: {}, inputs: {} } } },
    {
      mode: 'end',
      req: { end: { project_id: 'acme/smoke', id, ended_at: started_at, output: 'forty-two', summary: {} } },
    },
  ]
  const response = await fetch(`${address}/call/upsert_batch`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`api:${key}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ batch }),
  })
  if (!response.ok) throw new Error(`Send a trace: ${response.status} ${await response.text()}`)
}
