import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { settingsText } from '../../../src/web/text/settings/settings.ts'
import { sharedPageText } from '../../../src/web/text/shared-page.ts'
import { callText } from '../../../src/web/text/trace/call.ts'
import { shareText } from '../../../src/web/text/trace/share.ts'
import { traceText } from '../../../src/web/text/trace/trace.ts'
import { Project } from '../../conformance/support/project.ts'
import { type ServerProcess, startServer } from '../../conformance/support/server-process.ts'
import { type Visit, visiting } from '../support/visit.ts'
import { signIn } from '../support/world.ts'

const projectId = 'acme/bot'
const note = 'the answer is too long'
let server: ServerProcess
let project: Project
beforeAll(async () => {
  server = await startServer()
  project = new Project(server.client, 'acme', 'bot')
  await project.complete(
    {
      id: 'root',
      trace_id: 'shared',
      op_name: 'answer',
      inputs: { messages: [{ role: 'user', content: 'Where is my parcel?' }] },
      output: { role: 'assistant', content: 'On its way.' },
    },
    { id: 'child', trace_id: 'shared', parent_id: 'root', op_name: 'look_up', inputs: { id: 7 }, output: 'on a truck' },
    { id: 'other', trace_id: 'other', op_name: 'secret', inputs: {}, output: 'not for visitors' },
  )
  const ext_ref = `ext:///${projectId}/call/child`
  const feedback = { project_id: projectId, ext_ref, feedback_type: 'ext.note.1', payload: { note } }
  await server.client.post('/feedback/create', feedback)
})
afterAll(async () => {
  await server.stop()
})

const tracePage = `/ui/${projectId}/trace/shared`

/** A page on which somebody is signed in with a key of that role; nobody without one. */
async function as(
  role: 'read' | 'write' | undefined,
  look: (visit: Visit) => Promise<void>,
  expected: RegExp[] = [],
): Promise<void> {
  const { address } = server.client
  const key = role && (await server.createKey({ name: `the ${role} key`, role, scope: '*' }))
  await visiting({ address, cookie: key && (await signIn(address, key)), expected }, look)
}

/** Makes a link in the dialog that is open, and answers its address. */
async function makeLink(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: shareText.make }).click()
  return await dialog.getByLabel(shareText.made).inputValue()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name })

test('a trace is shared by key, read without one, and closed again', async () => {
  await as('write', async ({ page }) => {
    await page.goto(`${server.client.address}${tracePage}`)
    await page.getByRole('button', { name: callText.actions }).waitFor()
    await page.keyboard.press('Shift+S')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel(shareText.address).inputValue()).toBe(`${server.client.address}${tracePage}`)
    const link = await makeLink(page)
    expect(link).toStartWith(`${server.client.address}/ui/shared/`)
    const revoke = dialog.getByRole('button', { name: shareText.revoke })
    await revoke.waitFor()

    await as(undefined, async ({ page: outside, requests }) => {
      await outside.goto(link)
      await outside.getByText(sharedPageText.banner).waitFor()
      await outside.getByRole('treeitem', { name: /look_up/ }).click()
      await outside.getByText('on a truck').first().waitFor()
      await outside.getByRole('tab', { name: new RegExp(callText.feedback) }).click()
      await outside.getByText(note).waitFor()
      // Neither another page nor anything that writes is offered.
      expect(await outside.getByRole('link').count()).toBe(0)
      for (const name of [callText.actions, callText.addNote, traceText.nextTrace, callText.remove])
        expect(await outside.getByRole('button', { name }).count()).toBe(0)
      // The secret stays behind the #, which no request carries.
      const [, secret = ''] = link.split('#')
      expect(secret).toHaveLength(64)
      const sent = requests.flatMap((each) => [each.url().split('#')[0], each.headers()['referer'] ?? ''])
      expect(sent.filter((text) => text?.includes(secret))).toEqual([])
      // The call that is open survives a reload, and Back leads to the one before.
      await outside.reload()
      await outside.getByText(note).waitFor()

      await revoke.click()
      await dialog.getByText(shareText.openNone).waitFor()
      await outside.reload()
      await heading(outside, sharedPageText.revoked).waitFor()
      await outside.getByRole('button', { name: sharedPageText.signIn }).click()
      await outside.waitForURL('**/ui/login*')
    })
  })
})

test('an open page says so when its link is revoked or expires', async () => {
  const make = async (seconds: number) => {
    const body = { project_id: projectId, trace_id: 'shared', expires_in_seconds: seconds }
    return (await server.client.post<{ id: string; path: string }>('/shared_links/create', body)).json
  }
  const [revoked, expired] = [await make(3_600), await make(4)]
  await as(undefined, async ({ page }) => {
    await page.goto(server.client.address + expired.path)
    await heading(page, sharedPageText.expired).waitFor()
  })
  await as(
    undefined,
    async (visit) => {
      const { page } = visit
      await visit.goTo(revoked.path)
      await server.client.post('/shared_links/revoke', { project_id: projectId, id: revoked.id })
      await page.getByRole('treeitem', { name: /look_up/ }).click()
      await heading(page, sharedPageText.revoked).waitFor()
    },
    [/401/],
  )
  await as(
    undefined,
    async ({ page }) => {
      await page.goto(`${server.client.address}${revoked.path.split('#')[0]}#${'0'.repeat(64)}`)
      await heading(page, sharedPageText.invalid).waitFor()
    },
    [/401/],
  )
})

test('a key that may only read copies the address, and makes no links', async () => {
  await as('read', async ({ page }) => {
    await page.goto(`${server.client.address}${tracePage}?call=child`)
    await page.getByRole('button', { name: callText.actions }).click()
    await page.getByRole('menuitem', { name: callText.share }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel(shareText.address).inputValue()).toEndWith(`${tracePage}?call=child`)
    expect(await dialog.getByRole('button', { name: shareText.make }).count()).toBe(0)
    await page.goto(`${server.client.address}/ui/settings/links`)
    await page.getByText(shareText.list.readOnly).waitFor()
  })
})

test('the settings list the links of all projects, and end them', async () => {
  const other = new Project(server.client, 'acme', 'other')
  await other.complete({ id: 'a', trace_id: 'elsewhere' })
  const body = { project_id: other.id, trace_id: 'elsewhere', expires_in_seconds: 3_600 }
  await server.client.post('/shared_links/create', body)
  await as('write', async ({ page }) => {
    await page.goto(`${server.client.address}/ui/settings/links`)
    const table = page.getByRole('table', { name: settingsText.sections.links })
    const row = table.getByRole('row').filter({ hasText: other.id })
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: shareText.revoke }).click()
    await row.waitFor({ state: 'detached' })
  })
})
