import { expect, test } from 'bun:test'
import { LoginLinks } from '../../../src/domains/access/sessions/login-links.ts'
import { requestLimits } from '../../../src/lib/limits/requests.ts'
import { documentsOf } from '../support/data-place.ts'
import { ownServer } from '../support/target.ts'
import { Browser } from './browser.ts'

const server = await ownServer({ env: { TRACELAKE_TRUSTED_PROXIES: '127.0.0.1,::1' } })
const from = (address: string) => ({ 'x-forwarded-for': address })

/** Answers to an address that fails twelve times, and then sends valid credentials. */
async function answersTo(address: string) {
  const page = new Browser(server.client.address)
  const failed: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    const body = attempt % 2 === 0 ? { key: '0'.repeat(40) } : { once: '0'.repeat(64) }
    failed.push((await page.post('/ui/session', body, from(address))).status)
  }
  const barred = await page.post('/ui/session', { key: server.adminKey }, from(address))
  const once = await new LoginLinks(await documentsOf(server.data), { nowMs: () => Date.now() }).create()
  const withLink = (await page.post('/ui/session', { once }, from(address))).status
  return { failed, withKey: barred.status, hasDelay: barred.headers.has('retry-after'), withLink }
}

test('ten failed logins a minute are answered, then an address gets 429 whatever it sends', async () => {
  let barred = ''
  for (let host = 1; barred === ''; host++) {
    const address = `192.0.2.${host}`
    const beganMs = performance.now()
    const answers = await answersTo(address)
    // On a slow machine it may regain an attempt meanwhile.
    if (performance.now() - beganMs >= requestLimits.wrongLoginRefillMs) continue
    const failed = [...Array(10).fill(401), 429, 429]
    expect(answers).toEqual({ failed, withKey: 429, hasDelay: true, withLink: 429 })
    barred = address
  }
  // Neither other addresses nor open sessions are affected.
  const page = new Browser(server.client.address)
  expect((await page.post('/ui/session', { key: server.adminKey }, from('198.51.100.1'))).status).toBe(200)
  expect((await page.get('/ui/session', from(barred))).status).toBe(200)
  expect((await server.client.get('/server_info')).status).toBe(200)
})
