import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { accessText } from '../../../src/web/text/settings/access.ts'
import { runtimesText } from '../../../src/web/text/settings/runtimes.ts'
import { settingsText } from '../../../src/web/text/settings/settings.ts'
import { auditText, pricesText } from '../../../src/web/text/settings/settings-pages.ts'
import { shellText } from '../../../src/web/text/shell.ts'
import { queryCosts } from '../../conformance/support/costs.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok } from '../../conformance/support/queues.ts'
import { type ServerProcess, startServer } from '../../conformance/support/server-process.ts'
import { type Visit, visiting } from '../support/visit.ts'
import { signIn } from '../support/world.ts'

const stub = startStubModel()
let server: ServerProcess
let project: Project
beforeAll(async () => {
  server = await startServer({ env: { TRACELAKE_PRIVATE_HOSTS: '127.0.0.1' } })
  project = new Project(server.client, 'acme', 'bot')
})
afterAll(async () => {
  await server.stop()
  await stub.stop()
})

async function as(role: 'read' | 'write', look: (visit: Visit) => Promise<void>): Promise<void> {
  const { address } = server.client
  const key = await server.createKey({ name: `the ${role} key`, role, scope: '*' })
  await visiting({ address, cookie: await signIn(address, key) }, async (visit) => {
    await visit.goTo('/ui/acme/bot/start')
    await look(visit)
  })
}

test('a runtime is added, used, changed, deleted and brought back', async () => {
  await as('write', async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/runtimes')
    await page.getByText(runtimesText.none).waitFor()
    await page.getByRole('button', { name: runtimesText.add }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(runtimesText.name).fill('my house')
    await dialog.getByText(runtimesText.nameWrong).waitFor()
    await dialog.getByLabel(runtimesText.name).fill('house')
    await dialog.getByLabel(runtimesText.address).fill('somewhere')
    await dialog.getByText(runtimesText.addressWrong).waitFor()
    await dialog.getByLabel(runtimesText.address).fill(stub.url)
    await dialog.getByLabel(runtimesText.models).fill('tiny\nbig\ntiny')
    await dialog.getByText(runtimesText.modelsTwice('tiny')).waitFor()
    await dialog.getByLabel(runtimesText.models).fill('tiny\nbig/one')
    await dialog.getByLabel(runtimesText.headers).fill('x-team: search')
    await dialog.getByRole('button', { name: runtimesText.save }).click()

    const row = page.getByRole('table', { name: settingsText.sections.runtimes }).getByRole('row').nth(1)
    await row.getByText(runtimesText.ready, { exact: true }).waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await row.getByRole('button', { name: runtimesText.copyModel('custom::house::tiny') }).click()
    const name = await page.evaluate(() => navigator.clipboard.readText())
    const body = { project_id: project.id, inputs: { model: name, messages: [{ role: 'user', content: 'Hello' }] } }
    expect((await project.client.post('/completions/create', body)).json).not.toMatchObject({
      response: { error: expect.anything() },
    })
    expect(stub.requests.at(-1)).toMatchObject({ body: { model: 'tiny' } })
    expect(stub.requests.at(-1)!.headers.get('x-team')).toBe('search')

    // What has no secret says so; a name is not taken twice.
    const choose = async (item: string) => {
      await row.getByRole('button', { name: accessText.actions('house') }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose(runtimesText.change)
    expect(await dialog.getByLabel(runtimesText.models).inputValue()).toBe('big/one\ntiny')
    expect(await dialog.getByLabel(runtimesText.headers).inputValue()).toBe('x-team: search')
    await dialog.getByLabel(runtimesText.secret).fill('HOUSE_KEY')
    await dialog.getByRole('button', { name: runtimesText.save }).click()
    await row.getByText(/HOUSE_KEY is not set/).waitFor()
    await page.getByRole('button', { name: runtimesText.add }).click()
    await dialog.getByLabel(runtimesText.name).fill('house')
    await dialog.getByText(runtimesText.nameTaken('house')).waitFor()
    await page.keyboard.press('Escape')

    await choose(runtimesText.remove)
    await page.getByText(runtimesText.none).waitFor()
    await page.getByRole('button', { name: shellText.undo }).click()
    await row.getByText(/HOUSE_KEY is not set/).waitFor()
    const { json } = await project.client.get(project.v2('runtimes'))
    expect(json).toMatchObject({
      runtimes: [{ name: 'house', api_key_secret: 'HOUSE_KEY', runtime_ids: [{ id: 'big/one' }, { id: 'tiny' }] }],
    })

    // The playground offers its models.
    await visit.goTo('/ui/acme/bot/playground')
    expect(await page.locator('datalist#playground-models option').first().getAttribute('value')).toBe(
      'custom::house::big/one',
    )
  })
  await as('read', async ({ page, ...visit }) => {
    await page.goto(`${visit.address}/ui/settings/runtimes`)
    await page.getByText(/HOUSE_KEY is not set/).waitFor()
    for (const name of [runtimesText.add, accessText.actions('house')])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
  })
})

test('the state of each of many runtimes is shown', async () => {
  const { client, id } = new Project(server.client, 'acme', 'many')
  const count = 130
  for (let at = 0; at < count; at++) {
    await ok(
      client.put(`/v2/${id}/runtimes/house-${String(at).padStart(3, '0')}`, {
        base_url: stub.url,
        api_key_secret: at % 2 === 0 ? null : 'HOUSE_KEY',
        headers: {},
        runtime_ids: [{ id: 'tiny', max_tokens: null }],
      }),
    )
  }
  const { address } = server.client
  await visiting({ address, cookie: await signIn(address, server.adminKey) }, async (visit) => {
    await visit.goTo(`/ui/${id}/start`)
    await visit.goTo('/ui/settings/runtimes')
    const table = visit.page.getByRole('table', { name: settingsText.sections.runtimes })
    expect(await table.getByText(runtimesText.ready, { exact: true }).count()).toBe(count / 2)
    expect(await table.getByText(/HOUSE_KEY is not set/).count()).toBe(count / 2)
  })
}, 120_000)

test('built-in prices are found beside the own ones, and one is replaced', async () => {
  await as('write', async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/prices')
    const table = page.getByRole('table', { name: pricesText.builtin })
    const models = table.locator('tbody tr')
    expect(await models.count()).toBe(20)
    await page.getByRole('button', { name: auditText.more }).click()
    await visit.settled()
    expect(await models.count()).toBe(100)
    await page.getByRole('searchbox', { name: pricesText.find }).fill('OpenAI o3')
    await models.first().getByText('o3', { exact: true }).waitFor()
    await table.getByRole('button', { name: pricesText.history('openai/o3'), exact: true }).click()
    const inputs = await table.locator('tbody tr:nth-child(-n+3) td:nth-child(2)').allTextContents()
    expect(inputs).toEqual(['$2', '$2', '$10'])
    await page.reload()
    await models.first().getByText('o3', { exact: true }).waitFor()

    await page.getByRole('button', { name: accessText.actions('openai/o3'), exact: true }).click()
    await page.getByRole('menuitem', { name: pricesText.replace }).click()
    const dialog = page.getByRole('dialog', { name: pricesText.replaceTitle('o3') })
    const input = dialog.getByLabel(`${pricesText.input}, $`, { exact: true })
    expect(await input.inputValue()).toBe('2')
    await input.fill('1.5')
    await dialog.getByRole('button', { name: pricesText.save }).click()
    const own = page.getByRole('table', { name: settingsText.sections.prices, exact: true })
    await own.getByText('$1.5').waitFor()
    expect(await queryCosts(project)).toMatchObject([{ llm_id: 'o3', prompt_token_cost: 1.5e-6 }])

    await page.getByRole('searchbox', { name: pricesText.find }).fill('no such model')
    await page.getByText(pricesText.noneFound('no such model')).waitFor()
    await page.getByRole('button', { name: pricesText.clear }).click()
    await models.nth(19).waitFor()
  })
  await as('read', async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/settings/prices')
    await page.getByRole('table', { name: pricesText.builtin }).waitFor()
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
  })
})
