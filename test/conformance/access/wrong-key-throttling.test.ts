import { expect, test } from 'bun:test'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'

const server = await ownServer({ env: { TRACELAKE_TRUSTED_PROXIES: '127.0.0.1' } })
const { client } = server

const knock = (from: string, key = 'f'.repeat(40)) =>
  client.post('/call/read', {}, { key, headers: { 'x-forwarded-for': from } })

test('many wrong keys from one address are throttled; other addresses and valid keys are not', async () => {
  expect((await knock('203.0.113.1')).status).toBe(401)
  // Many at a time: a few more are allowed every second.
  const answers = (await Promise.all(Array.from({ length: 600 }, () => knock('203.0.113.1')))).filter(
    ({ status }) => status !== 401,
  )
  expect(answers).not.toBeEmpty()
  for (const answer of answers) {
    expectRefusal(answer, 429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }

  expect((await knock('203.0.113.2')).status).toBe(401)
  const project = freshProject(client)
  const read = { project_id: project.id, id: 'a' }
  const headers = { 'x-forwarded-for': '203.0.113.1' }
  expect((await client.post('/call/read', read, { headers })).status).toBe(200)
  const key = await server.createKey({ name: 'late', role: 'read', scope: '*' })
  // A key that was made meanwhile is known within a second.
  await until(async () => (await client.post('/call/read', read, { key, headers })).status === 200)
}, 120_000)
