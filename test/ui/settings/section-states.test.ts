import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { partsText } from '../../../src/web/text/parts.ts'
import { accessText } from '../../../src/web/text/settings/access.ts'
import { alertsText } from '../../../src/web/text/settings/alerts.ts'
import { peopleText } from '../../../src/web/text/settings/people.ts'
import { rulesText } from '../../../src/web/text/settings/rules.ts'
import { runtimesText } from '../../../src/web/text/settings/runtimes.ts'
import { serverText } from '../../../src/web/text/settings/server.ts'
import { settingsText } from '../../../src/web/text/settings/settings.ts'
import { auditText, pricesText, retentionText } from '../../../src/web/text/settings/settings-pages.ts'
import { shareText } from '../../../src/web/text/trace/share.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok, Queues } from '../../conformance/support/queues.ts'
import { Rules } from '../../conformance/support/rules.ts'
import { type ServerProcess, startServer } from '../../conformance/support/server-process.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { findCutOff } from '../support/narrow.ts'
import { type Visit, visiting } from '../support/visit.ts'
import { signIn } from '../support/world.ts'

interface SectionCase {
  readonly id: keyof typeof settingsText.sections
  /** Operation that it reads, below the API. */
  readonly reads: string
  /** What it says while there is nothing to list. */
  readonly empty: string
  /** What its address has besides. */
  readonly search?: string
  readonly isForAdmins?: true
}

const sections: readonly SectionCase[] = [
  { id: 'keys', reads: '/keys/query', empty: accessText.noKeys, isForAdmins: true },
  { id: 'people', reads: '/people/query', empty: peopleText.none, isForAdmins: true },
  { id: 'secrets', reads: '/secrets/query', empty: accessText.noSecrets, isForAdmins: true },
  { id: 'audit', reads: '/audit/query', empty: auditText.none, search: '?op=none', isForAdmins: true },
  { id: 'rules', reads: '/rules/query', empty: rulesText.none },
  { id: 'alerts', reads: '/rules/query', empty: alertsText.none },
  { id: 'runtimes', reads: '/v2/acme/bot/runtimes', empty: runtimesText.none },
  { id: 'prices', reads: '/cost/query', empty: pricesText.none },
  { id: 'retention', reads: '/retention/read', empty: retentionText.forEver },
  { id: 'links', reads: '/shared_links/query', empty: shareText.list.none },
  { id: 'storage', reads: '/service/storage', empty: settingsText.sections.storage, isForAdmins: true },
  { id: 'health', reads: '/service/settings', empty: serverText.healthy, isForAdmins: true },
  { id: 'jobs', reads: '/jobs/query', empty: serverText.noJobs, isForAdmins: true },
]

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

async function as(key: string, expected: readonly RegExp[], look: (visit: Visit) => Promise<void>): Promise<void> {
  const { address } = server.client
  await visiting({ address, cookie: await signIn(address, key), expected }, async (visit) => {
    // The settings are those of the project that was open last. Its start page would make a key.
    await visit.goTo('/ui/acme/bot/traces')
    await look(visit)
  })
}

const addressOf = ({ id, search = '' }: SectionCase): string => `/ui/settings/${id}${search}`

/** The part of the page that belongs to the section. */
const partOf = (page: Page, { id }: SectionCase) =>
  page.getByRole('region', { name: settingsText.sections[id], exact: true })

test('each section says that it could not be read, reads again, and says that it is empty, from right to left too', async () => {
  await as(server.adminKey, [/500/], async (visit) => {
    const { page } = visit
    for (const section of sections) {
      const part = partOf(page, section)
      const pattern = `**/ui/api${section.reads}`
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.route(pattern, (route) => route.fulfill({ status: 500, body: '{"reason":"Out of order"}' }))
      await page.goto(visit.address + addressOf(section))
      await part.getByText('Out of order').waitFor()
      await page.unroute(pattern)
      await part.getByRole('button', { name: partsText.tryAgain }).click()
      await part.getByText(section.empty).first().waitFor()
      await part.getByText('Out of order').waitFor({ state: 'detached' })
      await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
      await page.setViewportSize({ width: 390, height: 844 })
      await visit.settled()
      const cut = await page.evaluate(findCutOff)
      const { violations } = await checkAccessibility(page)
      expect({ section: section.id, cut, violations }).toEqual({ section: section.id, cut: [], violations: [] })
    }
  })
}, 300_000)

test('a key that reads sees the sections of the project without controls that write, and no others', async () => {
  const key = await server.createKey({ name: 'reader', role: 'read', scope: '*' })
  const client = server.client.withKey(key)
  await as(key, [], async (visit) => {
    const { page } = visit
    for (const section of sections) {
      const part = partOf(page, section)
      await visit.goTo(addressOf(section))
      const refused = part.getByText(settingsText.adminOnly)
      const writing = part.getByRole('button', { name: /^(?:Add|New|Forward|Change|Erase|Actions)/ })
      if (section.isForAdmins) {
        await refused.waitFor()
        expect([section.id, (await client.post(section.reads, {})).status]).toEqual([section.id, 403])
      } else if (section.id === 'links') await part.getByText(shareText.list.readOnly).waitFor()
      else await part.getByText(section.empty).first().waitFor()
      const seen = { section: section.id, refused: await refused.count(), writing: await writing.count() }
      expect(seen).toEqual({ section: section.id, refused: section.isForAdmins ? 1 : 0, writing: 0 })
    }
    const links = page.getByRole('navigation', { name: settingsText.name }).getByRole('link')
    const names = sections.filter(({ isForAdmins }) => !isForAdmins).map(({ id }) => settingsText.sections[id])
    expect(await links.allTextContents()).toEqual([
      settingsText.sections.appearance,
      settingsText.sections.account,
      ...names,
    ])
  })
}, 300_000)

test('a key of another project gets the reason in each section of the project', async () => {
  const key = await server.createKey({ name: 'elsewhere', role: 'write', scope: 'else/where' })
  await as(key, [/403/], async (visit) => {
    const { page } = visit
    for (const section of sections) {
      // Links are listed of the projects that the key reaches.
      if (section.isForAdmins || section.id === 'links') continue
      const part = partOf(page, section)
      await visit.goTo(addressOf(section))
      await part
        .getByText(/may not|no access|not allowed|acme\/bot/)
        .first()
        .waitFor()
      await part.getByRole('button', { name: partsText.tryAgain }).first().waitFor()
    }
  })
}, 300_000)

/** Makes something that each section lists. */
async function fillSections(): Promise<void> {
  await server.createKey({ name: 'listed', role: 'read', scope: '*' })
  const { client } = server
  const project = new Project(client, 'acme', 'bot')
  const { id: project_id } = project
  await project.complete({ id: 'shared', trace_id: 'shared' })
  await ok(client.post('/secrets/set', { name: 'MY_KEY', value: 'v' }))
  await ok(
    client.put('/v2/acme/bot/runtimes/house', {
      base_url: 'https://llm.example.com/v1',
      api_key_secret: null,
      headers: {},
      runtime_ids: [{ id: 'tiny', max_tokens: null }],
    }),
  )
  await ok(
    client.post('/cost/create', {
      project_id,
      costs: { 'house-model': { prompt_token_cost: 1, completion_token_cost: 2 } },
    }),
  )
  await ok(client.post('/retention/set', { project_id, retention_days: 30 }))
  await ok(client.post('/shared_links/create', { project_id, trace_id: 'shared', expires_in_seconds: 600 }))
  const rules = new Rules(project)
  const queue = await ok(new Queues(project).create({ name: 'answers' }))
  await ok(
    rules.create({
      name: 'look',
      action: { kind: 'add_to_queue', queue_id: queue.id, display_fields: ['output'] },
      is_paused: true,
    }),
  )
  await rules.create({
    name: 'slow',
    action: { kind: 'webhook', url: 'https://example.com/hook' },
    condition: { metric: 'error_rate', comparison: 'above', threshold: 0.1, window_seconds: 60 },
    is_paused: true,
  })
}

/** Sections that list nothing on this server: without single sign-on, and without a job. */
const emptySections: ReadonlySet<string> = new Set(['people', 'jobs', 'storage', 'health', 'retention'])

test('a section that cannot be refreshed keeps what it shows, and says since when', async () => {
  await fillSections()
  await as(server.adminKey, [/500/], async (visit) => {
    const { page } = visit
    await page.clock.install()
    const open = (id: SectionCase['id'] | 'appearance') =>
      page
        .getByRole('navigation', { name: settingsText.name })
        .getByRole('link', { name: settingsText.sections[id], exact: true })
        .click()
    await visit.goTo('/ui/settings/appearance')
    for (const section of sections) {
      const part = partOf(page, section)
      const rows = part.getByRole('row')
      const isListing = !emptySections.has(section.id)
      await open(section.id)
      if (isListing) await rows.nth(1).waitFor()
      await visit.settled()
      const before = await rows.count()
      const pattern = `**/ui/api${section.reads}`
      await page.route(pattern, (route) => route.fulfill({ status: 500, body: '{"reason":"Out of order"}' }))
      await open('appearance')
      await page.clock.fastForward(20_000)
      await open(section.id)
      const line = page.getByRole('status').filter({ hasText: 'Out of order' })
      await line.waitFor()
      const seen = {
        section: section.id,
        line: await line.getByText(/has not been refreshed since \d\d:\d\d:\d\d: Out of order/).count(),
        errors: await part.getByText(partsText.notRead).count(),
        rows: await rows.count(),
        violations: (await checkAccessibility(page)).violations,
      }
      expect(seen).toEqual({ section: section.id, line: 1, errors: 0, rows: before, violations: [] })
      await page.unroute(pattern)
      await line.getByRole('button', { name: partsText.tryAgain }).click()
      await line.waitFor({ state: 'detached' })
    }
  })
}, 300_000)
