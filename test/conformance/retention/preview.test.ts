import { expect, test } from 'bun:test'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const { client } = server

interface Tried {
  before: string
  calls: { expired: number; all: number }
  log_records: { expired: number; all: number }
}
const dayMs = 86_400_000
const hourMs = 3_600_000

const preview = (project_id: string, retention_days: unknown) =>
  client.post<Tried>('/retention/preview', { project_id, retention_days })

test('counts what the retention then deletes', async () => {
  const project = freshProject(client)
  const ages = [1, 5, 6.9, 7.5, 8, 40, 400]
  const startOf = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
  await project.complete(
    ...ages.map((days) => ({ id: `d${days}`, started_at: startOf(days), ended_at: startOf(days), inputs: {} })),
  )
  const { json } = await preview(project.id, 7)
  expect(json).toMatchObject({ calls: { expired: 4, all: 7 }, log_records: { expired: 0, all: 0 } })
  // A whole hour, as the deletion has it.
  expect(Date.parse(json.before) % hourMs).toBe(0)
  expect(Math.abs(Date.parse(json.before) - (Date.now() - 7 * dayMs))).toBeLessThanOrEqual(2 * hourMs)
  expect((await preview(project.id, 1_000)).json.calls).toEqual({ expired: 0, all: 7 })
  // Nothing was deleted or set.
  expect(await project.idsOf()).toHaveLength(7)
  const policy = (await client.post<{ retention_days: null }>('/retention/read', { project_id: project.id })).json
  expect(policy.retention_days).toBeNull()

  await client.post('/flush', {})
  await client.post('/retention/set', { project_id: project.id, retention_days: 7 })
  while ((await project.idsOf()).length > 3) await Bun.sleep(100)
  expect((await preview(project.id, 7)).json.calls).toEqual({ expired: 0, all: 3 })
}, 120_000)

test('counts an empty project, and rejects invalid days and other projects', async () => {
  const project = freshProject(client)
  expect((await preview(project.id, 7)).json.calls).toEqual({ expired: 0, all: 0 })
  for (const days of [0, -1, 1e9]) expectRefusal(await preview(project.id, days), 400, 'retention_days')
  for (const days of [null, 1.5, 'x']) expectInvalid(await preview(project.id, days), ['body', 'retention_days'])
  const { key } = (await client.post<{ key: string }>('/keys/create', { name: 'x', role: 'read', scope: 'other' })).json
  const body = { project_id: project.id, retention_days: 7 }
  expectRefusal(await client.withKey(key).post('/retention/preview', body), 403)
})
