import { describe, expect, test } from 'bun:test'
import { ownServer } from '../support/target.ts'

const servers = {
  ext: await ownServer(),
  weave: await ownServer({ env: { TRACELAKE_DIALECT: 'weave', TRACELAKE_BASE_PATH: '/lake' } }),
}

describe.each([
  ['ext', ''],
  ['weave', '/lake'],
] as const)('a link that an SDK prints for a server in the %s dialect', (dialect, base) => {
  test.each([
    ['/acme/bot/r/call/0190a', '/acme/bot/call/0190a'],
    ['/acme/bot/weave', '/acme/bot/traces'],
    ['/acme/bot/weave/objects/prompt/versions/v1', '/acme/bot/object/prompt/v1'],
    ['/acme/bot/weave/ops/predict/versions/abc', '/acme/bot/object/predict/abc'],
    ['/acme/bot/weave/leaderboards/best', '/acme/bot/leaderboards/best'],
    ['/acme/bot/weave/agents/conversations/c1', '/acme/bot/thread/c1'],
  ])('leads into the UI: %s', async (path, place) => {
    const response = await fetch(`${servers[dialect].client.address}${base}${path}`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, `${base}/ui${place}`])
    const followed = await fetch(`${servers[dialect].client.address}${base}/ui${place}`)
    expect(followed.headers.get('content-type')).toStartWith('text/html')
  })

  test('leads nowhere else', async () => {
    const { address } = servers[dialect].client
    expect(
      (await fetch(`${address}${base}//evil.example/weave`, { redirect: 'manual' })).headers.get('location'),
    ).toBeNull()
    expect((await fetch(`${address}${base}/a/b/weave`, { method: 'POST' })).status).not.toBe(302)
  })
})
