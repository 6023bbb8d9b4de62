import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { accessText } from '../../../src/web/text/settings/access.ts'
import { peopleText } from '../../../src/web/text/settings/people.ts'
import { settingsText } from '../../../src/web/text/settings/settings.ts'
import { Traveller } from '../../conformance/sign-in/traveller.ts'
import { TestProvider } from '../../conformance/support/openid-provider.ts'
import { type ServerProcess, startServer } from '../../conformance/support/server-process.ts'
import { type Visit, visiting } from '../support/visit.ts'
import { signIn } from '../support/world.ts'

let server: ServerProcess
let provider: TestProvider
beforeAll(async () => {
  provider = await TestProvider.start({
    people: { ada: { name: 'Ada Lovelace', email: 'ada@example.com', groups: ['ml-team'] } },
  })
  server = await startServer({ env: provider.settings('ml-team=write:acme') })
})
afterAll(async () => {
  await server.stop()
  await provider[Symbol.asyncDispose]()
})

async function asAdmin(look: (visit: Visit) => Promise<void>): Promise<void> {
  const { address } = server.client
  await visiting({ address, cookie: await signIn(address, server.adminKey) }, look)
}

const works = async (key: string) =>
  (await server.client.withKey(key).post('/objs/query', { project_id: 'acme/bot' })).status === 200

const rows = (page: Page, section: keyof typeof settingsText.sections) =>
  page.getByRole('table', { name: settingsText.sections[section] }).getByRole('row')

/** The text of the key that was just made. */
async function madeKey(page: Page, before?: string): Promise<string> {
  const shown = page.getByRole('status').locator('code')
  if (before !== undefined) await shown.filter({ hasNotText: before }).waitFor()
  return (await shown.textContent()) ?? ''
}

test('a key is made to expire, rotated with an overlap, and revoked', async () => {
  await asAdmin(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/keys')
    await page.getByRole('button', { name: accessText.newKey }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(accessText.name).fill('nightly')
    await dialog.getByLabel(accessText.scope).fill('acme/bot')
    await dialog.getByLabel(accessText.expires).selectOption({ label: accessText.lives.month })
    await page.keyboard.press('Enter')
    const old = await madeKey(page)
    expect(await works(old)).toBe(true)

    await page.getByRole('button', { name: accessText.actions('nightly') }).click()
    await page.getByRole('menuitem', { name: accessText.rotate }).click()
    await dialog.getByLabel(accessText.overlap).selectOption({ label: accessText.overlaps.hour })
    await dialog.getByRole('button', { name: accessText.rotateVerb }).click()
    const next = await madeKey(page, old)
    expect(await works(old)).toBe(true)
    expect(await works(next)).toBe(true)
    await rows(page, 'keys')
      .filter({ hasText: accessText.replacedBy(next.slice(0, 8)) })
      .waitFor()

    // The old one is ended before its time.
    const replaced = rows(page, 'keys')
      .filter({ hasText: old.slice(0, 8) })
      .first()
    await replaced.getByRole('button').click()
    await page.getByRole('menuitem', { name: accessText.revoke }).click()
    await dialog.getByRole('button', { name: accessText.revoke }).click()
    await rows(page, 'keys')
      .filter({ hasText: /revoked/ })
      .waitFor()
    expect(await works(old)).toBe(false)
    expect(await works(next)).toBe(true)
    await page.reload()
    await rows(page, 'keys')
      .filter({ hasText: /revoked/ })
      .waitFor()
    expect(await page.getByText(next).count()).toBe(0)
  })
})

test('people are listed, and signed out everywhere', async () => {
  const ada = new Traveller(server.client.address)
  await asAdmin(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/people')
    await page.getByText(peopleText.none).waitFor()
    await ada.signIn('ada')
    await page.reload()
    const row = rows(page, 'people').filter({ hasText: 'Ada Lovelace' })
    await row.getByText('ml-team').waitFor()
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: peopleText.signOut }).click()
    await page.getByRole('dialog').getByRole('button', { name: peopleText.signOut }).click()
    await row.getByRole('button').waitFor({ state: 'detached' })
    expect((await ada.session()).body).toMatchObject({ user_id: null })
  })
})
