import { expect, test } from 'bun:test'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer({ env: { TRACELAKE_TRUSTED_PROXIES: '127.0.0.1' } })
const { client } = server

const knock = (from: string, key = 'f'.repeat(40)) =>
  client.post('/call/read', {}, { key, headers: { 'x-forwarded-for': from } })

test('many wrong keys from one address are throttled; other addresses and valid keys are not', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 400; i++) statuses.push((await knock('203.0.113.1')).status)
  expect(statuses[0]).toBe(401)
  expect(statuses).toContain(429)
  const answer = await knock('203.0.113.1')
  expectRefusal(answer, 429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)

  expect((await knock('203.0.113.2')).status).toBe(401)
  const project = freshProject(client)
  const read = { project_id: project.id, id: 'a' }
  const headers = { 'x-forwarded-for': '203.0.113.1' }
  expect((await client.post('/call/read', read, { headers })).status).toBe(200)
  const key = await server.createKey({ name: 'late', role: 'read', scope: '*' })
  // A key that was made meanwhile is known within a second.
  let { status } = await client.post('/call/read', read, { key, headers })
  for (let tries = 0; status !== 200 && tries < 50; tries++) {
    await Bun.sleep(100)
    status = (await client.post('/call/read', read, { key, headers })).status
  }
  expect(status).toBe(200)
}, 120_000)
