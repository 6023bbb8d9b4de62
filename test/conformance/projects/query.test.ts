import { beforeAll, describe, expect, test } from 'bun:test'
import { completeOf } from '../support/call-shapes.ts'
import type { Client } from '../support/client.ts'
import { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { ownServer } from '../support/target.ts'

interface ProjectSummary {
  project_id: string
  calls: number
  first_call_at: string | null
  last_call_at: string | null
  bytes: number | null
  last_24h: { calls: number; errors: number; cost: number | null; hourly_calls: number[] }
}
interface Projects {
  projects: ProjectSummary[]
  has_more: boolean
}

const server = await ownServer()
const { client } = server
const now = Date.now()
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const usage = { usage: { 'gpt-4o': { prompt_tokens: 1_000_000, completion_tokens: 0, requests: 1 } } }

const busy = new Project(client, 'acme', 'Busy')
const old = new Project(client, 'acme', 'old')
const other = new Project(client, 'acmes', 'busy')

async function projectsOf(from: Client, request: object = {}): Promise<Projects> {
  const answer = await from.post<Projects>('/projects/query', request)
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  return answer.json
}
const idsOf = async (from: Client, request: object = {}) =>
  (await projectsOf(from, request)).projects.map(({ project_id }) => project_id)

beforeAll(async () => {
  await old.complete({ id: 'a', started_at: '2024-01-01T00:00:00.123456Z', ended_at: '2024-01-01T00:00:01Z' })
  await client.post('/flush', {})
  await busy.complete(
    { id: 'a', started_at: ago(5), ended_at: ago(4), summary: usage },
    { id: 'b', started_at: ago(10), ended_at: ago(4), exception: 'failed' },
    { id: 'c', started_at: ago(70), ended_at: ago(60) },
    { id: 'gone', started_at: ago(1), ended_at: ago(0) },
    { id: 'd', started_at: ago(25 * 60), ended_at: ago(60) },
  )
  await client.post('/flush', {})
  await busy.delete('gone')
  await other.start({ id: 'a', started_at: ago(90) })
  const obj = { project_id: 'acme/things', object_id: 'thing', val: { a: 1 } }
  await client.post('/obj/create', { obj })
})

describe('projects/query', () => {
  test('lists every project with something in it, the most recently active first', async () => {
    expect(await idsOf(client)).toEqual([busy.id, other.id, old.id, 'acme/things'])
  })

  test('counts calls without deleted ones, and sums up the last day', async () => {
    const [first] = (await projectsOf(client)).projects
    expect(first).toMatchObject({ calls: 4, bytes: null })
    expect(Date.parse(first!.first_call_at!)).toBe(now - 25 * 3_600_000)
    const { calls, errors, cost, hourly_calls } = first!.last_24h
    expect({ calls, errors }).toEqual({ calls: 3, errors: 1 })
    expect(cost).toBeCloseTo(2.5, 6)
    expect(hourly_calls).toHaveLength(24)
    expect(hourly_calls.slice(22)).toEqual([1, 2])
  })

  test('a project without recent calls has an empty day', async () => {
    const day = { calls: 0, errors: 0, cost: null, hourly_calls: new Array(24).fill(0) }
    const [, , before, things] = (await projectsOf(client)).projects
    const at = '2024-01-01T00:00:00.123456Z'
    expect(before).toEqual({
      project_id: old.id,
      calls: 1,
      first_call_at: at,
      last_call_at: at,
      bytes: null,
      last_24h: day,
    })
    expect(things).toMatchObject({ calls: 0, first_call_at: null, last_call_at: null, last_24h: day })
  })

  test('a call without usage costs nothing that is known', async () => {
    expect((await projectsOf(client, { prefix: 'acmes' })).projects[0]!.last_24h).toMatchObject({
      calls: 1,
      cost: null,
    })
  })

  test('the prefix matches the id or the name, in any case', async () => {
    expect(await idsOf(client, { prefix: 'BUSY' })).toEqual([busy.id, other.id])
    expect(await idsOf(client, { prefix: 'acme/' })).toEqual([busy.id, old.id, 'acme/things'])
    expect(await idsOf(client, { prefix: '%' })).toEqual([])
  })

  test('a limit says whether it left something out', async () => {
    expect(await projectsOf(client, { limit: 1 })).toMatchObject({
      projects: [{ project_id: busy.id }],
      has_more: true,
    })
    expect((await projectsOf(client, { limit: 4 })).has_more).toBe(false)
    expectInvalid(await client.post('/projects/query', { limit: 0 }), ['body', 'limit'])
    expectInvalid(await client.post('/projects/query', { limit: 1001 }), ['body', 'limit'])
  })

  test('bytes are counted on request', async () => {
    const [first, , , things] = (await projectsOf(client, { include_storage_size: true })).projects
    const stats = await client.post<{ trace_storage_size_bytes: number }>('/project/stats', { project_id: busy.id })
    expect(first!.bytes).toBe(stats.json.trace_storage_size_bytes)
    expect(things!.bytes).toBe(0)
  })

  test('a key sees the projects of its scope only, with any role', async () => {
    const keyOf = async (scope: string, role: 'read' | 'write' = 'read') =>
      client.withKey(await server.createKey({ name: `${role}-${scope}`, role, scope }))
    expect(await idsOf(await keyOf('acme'))).toEqual([busy.id, old.id, 'acme/things'])
    expect(await idsOf(await keyOf(old.id, 'write'))).toEqual([old.id])
    expect(await idsOf(await keyOf('acm'))).toEqual([])
    expect(await idsOf(await keyOf('*'))).toHaveLength(4)
    expectRefusal(await client.post('/projects/query', {}, { key: null }), 401)
  })

  test('a write shows at once', async () => {
    const fresh = new Project(client, 'acme', 'fresh')
    await client.post(fresh.v2('calls/complete'), {
      batch: [completeOf(fresh.id, { id: 'a', started_at: ago(0), ended_at: ago(0) })],
    })
    expect((await idsOf(client))[0]).toBe(fresh.id)
  })
})
