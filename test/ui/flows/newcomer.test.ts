import { expect, test } from 'bun:test'
import { until } from '../../conformance/support/until.ts'
import { onOwnServer } from '../support/own-server.ts'
import { sharedWorld } from '../support/world.ts'

test('a newcomer copies the first snippet, runs it, and sees the trace open', async () => {
  const world = await sharedWorld()
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/newcomer/start')
    await page.getByRole('tab', { name: 'curl' }).click()
    await page.getByText('This tab keeps it until you sign out.').waitFor()
    const snippet = (await page.locator('pre').first().textContent()) ?? ''
    expect(snippet).toContain(world.address)
    expect(snippet).toContain('acme/newcomer')
    expect(snippet).toMatch(/\b[0-9a-f]{40}\b/)
    const shell = Bun.spawn(['sh', '-c', snippet], { stdout: 'pipe', stderr: 'pipe' })
    expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, ''])
    await page.waitForURL(/\/ui\/acme\/newcomer\/trace\//)
    await page.locator('main').getByText('How far is the moon?').first().waitFor()
    await page.locator('main').getByText('384,400 km').first().waitFor()
    await visit.settled()
  })
})

test('the list of traces of an empty project leads to the start page', async () => {
  const world = await sharedWorld()
  await world.visit(async (visit) => {
    await visit.goTo('/ui/acme/nothing-yet/traces')
    await visit.page.getByRole('button', { name: 'Send your first trace' }).click()
    await visit.page.waitForURL(/\/ui\/acme\/nothing-yet\/start/)
  })
})

test('a reload keeps the key of the snippets, until it is revoked', async () => {
  const world = await sharedWorld()
  await world.visit(async (visit) => {
    const { page } = visit
    const keyShown = async () => /\b[0-9a-f]{40}\b/.exec((await page.locator('pre').first().textContent()) ?? '')?.[0]
    await visit.goTo('/ui/acme/reloaded/start')
    await page.getByText('This tab keeps it until you sign out.').waitFor()
    const key = await keyShown()
    expect(key).toBeDefined()
    await page.reload()
    await visit.settled()
    expect(await keyShown()).toBe(key)
    await world.server.revokeKeys('snippet-acme-reloaded')
    const probe = world.server.client.withKey(key!)
    await until(async () => (await probe.post('/projects/query', {})).status === 401)
    await page.reload()
    await page.getByText('The snippets need a key. This creates one').waitFor()
    expect(await page.locator('pre').first().textContent()).toContain('YOUR_KEY')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByText('This tab keeps it until you sign out.').waitFor()
    expect(await keyShown()).not.toBe(key)
  })
})

test.each([
  ['read', 'The snippets need a key that can write. An admin creates one'],
  ['write', 'Replace YOUR_KEY with the key you signed in with.'],
] as const)('a key with the role %s is told how to get the key for the snippets', async (role, words) => {
  const world = await sharedWorld()
  await world.visit(
    async (visit) => {
      const { page } = visit
      await visit.goTo('/ui/acme/support/start')
      await page.getByRole('status').getByText(words).waitFor()
      const command = './scripts/tracelake keys create --name NAME --role write --scope acme/support'
      await page.getByText(command, { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Create a key' }).count()).toBe(0)
    },
    { role },
  )
})

test.each([
  ['the port that the server listens on', {}, (grpcAddress: string) => `http://${grpcAddress}`],
  [
    'the address that the operator states',
    { TRACELAKE_GRPC_URL: 'https://otlp.example.com/' },
    () => 'https://otlp.example.com',
  ],
])('the snippet for gRPC has %s', async (_, env, expected) => {
  await onOwnServer({ env: env as Record<string, string> }, async (visit, server) => {
    await visit.goTo('/ui/acme/grpc/start?client=grpc')
    await visit.page.getByText(`export OTEL_EXPORTER_OTLP_ENDPOINT=${expected(server.grpcAddress)}`).waitFor()
  })
})

test('without gRPC, its snippet is the command that starts the server with it', async () => {
  await onOwnServer({ env: { TRACELAKE_GRPC_PORT: 'off' } }, async (visit, server) => {
    await visit.goTo('/ui/acme/grpc/start?client=grpc')
    await visit.page.getByRole('heading', { name: 'gRPC is off. Start the server with a port for it' }).waitFor()
    expect(await visit.page.locator('pre').first().textContent()).toBe(
      `./scripts/tracelake serve --grpc-port 14317 --data ${server.data}`,
    )
  })
})
