import { expect, test } from 'bun:test'
import { compareTimes } from '../../../src/lib/time.ts'
import { upload } from '../support/files.ts'
import { isInLake, lakeOf } from '../support/lake-place.ts'
import { ProjectObjects } from '../support/objects.ts'
import { expectInvalid } from '../support/refusals.ts'
import { Tables } from '../support/tables.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer({
  env: { TRACELAKE_OTLP_ENDPOINT: 'http://user:secret-word@127.0.0.1:1/v1', TRACELAKE_QUERY_TIMEOUT_S: '7' },
})
const { client } = server

interface Storage {
  folder: string
  bytes: number
  disk_bytes: number
  disk_free_bytes: number
  tables: { name: string; bytes: number; files: number; rows: number; memory_rows: number }[]
  days: { day: string; bytes: number }[]
  projects: Record<string, unknown>[]
  has_more: boolean
}

const utcDay = () => new Date().toISOString().slice(0, 10)

test('storage adds up tables and projects', async () => {
  const small = freshProject(client)
  const large = freshProject(client)
  const draft = { inputs: { a: 'x'.repeat(1000) }, attributes: {}, output: 'yes', summary: {} }
  await small.complete({ id: 'a', inputs: {}, attributes: {}, output: null, summary: {} })
  await large.complete({ id: 'a', ...draft }, { id: 'b', ...draft })
  await new ProjectObjects(client, large.id).create('one', { n: 1 })
  await new Tables(large).create([{ a: 1 }])
  await upload(large, { content: 'hello' })
  const call_bytes = 2 * ('{"a":""}'.length + 1000 + '{}'.length + '"yes"'.length + '{}'.length)
  const sizes = { call_bytes, object_bytes: 7, table_row_bytes: 7, file_bytes: 5 }
  // Nothing but the content of the file is on disk yet.
  const expected = { project_id: large.id, calls: 2, bytes: call_bytes + 19, ...sizes, disk_bytes: 5 }
  const before = (await client.post<Storage>('/service/storage', {})).json
  expect(before.projects).toHaveLength(2)
  expect(before.projects[0]).toEqual(expected)
  expect(before.projects[1]).toMatchObject({ project_id: small.id, calls: 1 })
  expect(before.has_more).toBe(false)
  expect(before.tables.find(({ name }) => name === 'calls')).toMatchObject({ rows: 0, memory_rows: 3 })
  await client.post('/flush', {})
  const dayBefore = utcDay()
  const after = (await client.post<Storage>('/service/storage', { limit: 1 })).json
  const onDisk = after.projects[0]!['disk_bytes'] as number
  expect(after.projects).toEqual([{ ...expected, disk_bytes: onDisk }])
  expect(onDisk).toBeGreaterThan(5)
  expect(onDisk).toBeLessThanOrEqual(after.bytes)
  expect(after.has_more).toBe(true)
  const table = after.tables.find(({ name }) => name === 'calls')!
  expect(table).toMatchObject({ rows: 3 })
  expect(table.bytes).toBeGreaterThan(0)
  expect(after.tables.find(({ name }) => name === 'uploads')).toMatchObject({ rows: 1, files: 1, bytes: 5 })
  expect(after.bytes).toBe(after.tables.reduce((sum, { bytes }) => sum + bytes, 0))
  expect(after.folder).toBe(isInLake ? lakeOf(server.data) : server.data)
  expect(after.disk_bytes).toBeGreaterThan(after.disk_free_bytes)
  expect([dayBefore, utcDay()]).toContain(after.days.at(-1)!.day)
  expect(after.days.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThanOrEqual(call_bytes)
  expectInvalid(await client.post('/service/storage', { limit: 0 }), ['body', 'limit'])
})

test('settings are those in effect, without secrets', async () => {
  const answer = await client.post<{
    version: string
    runtime: string
    settings: { name: string; value: unknown; is_secret: boolean; source: string }[]
  }>('/service/settings', {})
  expect(answer.status).toBe(200)
  expect(answer.text).not.toContain(server.adminKey)
  expect(answer.text).not.toContain('secret-word')
  const { version, settings } = answer.json
  expect(version).toBe((await client.get<{ version: string }>('/version')).json.version)
  const named = Object.fromEntries(settings.map(({ name, ...rest }) => [name, rest]))
  expect(named['TRACELAKE_QUERY_TIMEOUT_S']).toEqual({ value: 7, is_secret: false, source: 'environment' })
  expect(named['TRACELAKE_DATA']).toEqual({ value: server.data, is_secret: false, source: 'option' })
  expect(named['TRACELAKE_ADMIN_KEY']).toEqual({ value: null, is_secret: true, source: 'environment' })
  expect(named['TRACELAKE_OTLP_ENDPOINT']).toMatchObject({ value: 'http://127.0.0.1:1/v1' })
  expect(named['TRACELAKE_LIVE_CLIENTS']).toMatchObject({ value: 64, source: 'default' })
})

test('lists jobs, the newest first', async () => {
  const project = freshProject(client)
  const empty = await client.post<{ jobs: object[]; has_more: boolean; waiting: number }>('/jobs/query', {})
  expect(empty.json).toEqual({ jobs: [], has_more: false, waiting: 0 })
  await project.complete({ id: 'a' }, { id: 'b' })
  const scorer = await new ProjectObjects(client, project.id).create('scorer', {
    _type: 'ExactMatchScorer',
    _class_name: 'ExactMatchScorer',
    _bases: ['Scorer', 'Object', 'BaseModel'],
  })
  const scorer_refs = [`ext:///${project.id}/object/scorer:${scorer}`]
  const score = (call: string) => client.post('/calls/score', { project_id: project.id, call_ids: [call], scorer_refs })
  expect((await score('a')).status).toBe(200)
  expect((await score('b')).status).toBe(200)
  const ask = async (body: object) =>
    (await client.post<{ jobs: Record<string, unknown>[]; has_more: boolean }>('/jobs/query', body)).json
  const { jobs } = await ask({ project_id: project.id })
  expect(jobs).toHaveLength(2)
  expect(jobs[0]).toMatchObject({ project_id: project.id, kind: 'score_calls', ext_user_id: 'admin' })
  expect(compareTimes(String(jobs[0]!['created_at']), String(jobs[1]!['created_at']))).toBeGreaterThanOrEqual(0)
  expect(await ask({ project_id: project.id, limit: 1 })).toMatchObject({
    jobs: [jobs[0]!['id']].map((id) => ({ id })),
    has_more: true,
  })
  expect((await ask({ project_id: project.id, states: ['cancelled'] })).jobs).toEqual([])
  expect((await ask({ project_id: 'acme/other' })).jobs).toEqual([])
  expectInvalid(await client.post('/jobs/query', { states: ['lost'] }), ['body', 'states', '0'])
})
