import { describe, expect, test } from 'bun:test'
import { startOf } from '../support/call-shapes.ts'
import type { Answer, Client } from '../support/client.ts'
import { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const server = await sharedServer()

/** A key is one of an API key and a path, whichever project the body is about. */
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const note = ({ id }: Project, text: string) => ({
  project_id: id,
  ext_ref: `ext:///${id}/call/a`,
  feedback_type: 'custom',
  payload: { text },
})
const create = (project: Project, key: string, text = 'x'): Promise<Answer<{ id: string }>> =>
  project.client.post('/feedback/create', note(project, text), keyed(keyOf(project, key)))
const keyOf = ({ entity }: Project, key: string): string => `${entity}-${key}`

async function feedbackOf({ client, id }: Project): Promise<{ id: string }[]> {
  return (await client.post<{ result: { id: string }[] }>('/feedback/query', { project_id: id })).json.result
}

describe('a request with an Idempotency-Key', () => {
  test('that is repeated runs once and gets the same response', async () => {
    const project = freshProject(server)
    const first = await create(project, 'k1')
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    const second = await create(project, 'k1')
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(second.headers.get('content-type')).toStartWith('application/json')
    expect(second.text).toBe(first.text)
    expect(await feedbackOf(project)).toHaveLength(1)
  })

  test('with another key, path or API key is separate', async () => {
    const own = await ownServer()
    const project = freshProject(own.client)
    const key = await own.createKey({ name: 'other', role: 'write', scope: project.id })
    await create(project, 'k1')
    await create(project, 'k2')
    await create(project.withKey(key), 'k1')
    expect(await feedbackOf(project)).toHaveLength(3)
    const cost = { project_id: project.id, costs: { m: { prompt_token_cost: 1, completion_token_cost: 1 } } }
    expect((await project.client.post('/cost/create', cost, keyed('k1'))).status).toBe(200)
  })

  test('and a different body is rejected', async () => {
    const project = freshProject(server)
    await create(project, 'k1', 'one')
    const refused = await create(project, 'k1', 'two')
    expectInvalid(refused, ['header', 'idempotency-key'])
    expect(refused.text).toContain('k1')
    expect(await feedbackOf(project)).toHaveLength(1)
  })

  test('that is repeated while the first is running runs once', async () => {
    const project = freshProject(server)
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(project, 'k1')))
    const done = answers.filter(({ status }) => status === 200)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    for (const answer of answers) {
      if (answer.status === 200) continue
      expectRefusal(answer, 409, 'k1')
      expect(answer.headers.get('retry-after')).toBeString()
    }
    expect(await feedbackOf(project)).toHaveLength(1)
  })

  test('that was rejected may be sent again', async () => {
    const project = freshProject(server)
    const wrong = { ...note(project, 'x'), payload: { text: 'x'.repeat(2_000_000) } }
    const refused = await server.post('/feedback/create', wrong, keyed(keyOf(project, 'k1')))
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect((await create(project, 'k1')).status).toBe(200)
  })

  test.each(['a b', 'x'.repeat(256)])('with the key %j is rejected', async (key) => {
    const project = freshProject(server)
    expectInvalid(await create(project, key), ['header', 'idempotency-key'])
  })

  test('creates calls without ids once', async () => {
    const project = freshProject(server)
    const { id: _id, trace_id: _trace, ...start } = startOf(project.id)
    const send = (client: Client) =>
      client.post<{ id: string }>('/call/start', { start }, keyed(keyOf(project, 'start')))
    const [first, second] = [await send(server), await send(server)]
    expect(first.status).toBe(200)
    expect(second.json).toEqual(first.json)
    expect((await project.stats()).count).toBe(1)
  })

  test('is remembered across a restart', async () => {
    const data = await makeTempFolder()
    const first = await startServer({ data })
    const project = freshProject(first.client)
    const answer = await create(project, 'k1')
    await first.stop()
    const second = await startServer({ data, adminKey: first.adminKey })
    try {
      const later = new Project(second.client, project.entity, project.name)
      const again = await create(later, 'k1')
      expect(again.text).toBe(answer.text)
      expect(await feedbackOf(later)).toHaveLength(1)
    } finally {
      await second.stop()
      await removeFolder(data)
    }
  }, 120_000)
})
