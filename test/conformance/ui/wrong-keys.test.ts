import { expect, test } from 'bun:test'
import { LoginLinks } from '../../../src/foundation/sessions/login-links.ts'
import { ownServer } from '../support/target.ts'
import { Browser } from './browser.ts'

const server = await ownServer({ env: { TRACELAKE_TRUSTED_PROXIES: '127.0.0.1,::1' } })

test('ten failed logins a minute are answered, then an address gets 429 whatever it sends', async () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const page = new Browser(server.client.address)
  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    const body = attempt % 2 === 0 ? { key: '0'.repeat(40) } : { once: '0'.repeat(64) }
    statuses.push((await page.post('/ui/session', body, from('192.0.2.7'))).status)
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  const barred = await page.post('/ui/session', { key: server.adminKey }, from('192.0.2.7'))
  expect([barred.status, barred.headers.has('retry-after')]).toEqual([429, true])
  const once = await new LoginLinks(server.data, { nowMs: () => Date.now() }).create()
  expect((await page.post('/ui/session', { once }, from('192.0.2.7'))).status).toBe(429)
  // Neither other addresses nor open sessions are affected.
  expect((await page.post('/ui/session', { key: server.adminKey }, from('192.0.2.8'))).status).toBe(200)
  expect((await page.get('/ui/session', from('192.0.2.7'))).status).toBe(200)
  expect((await server.client.get('/server_info')).status).toBe(200)
})
