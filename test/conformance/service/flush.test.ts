import { describe, expect, test } from 'bun:test'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()

async function unflushedAge(): Promise<number> {
  const { text } = await server.client.get('/metrics')
  return Number(/^tracelake_unflushed_age_seconds\{table="calls"\} (.*)$/m.exec(text)![1])
}

describe('flush', () => {
  test('writes everything accepted to data files, including running calls', async () => {
    const project = freshProject(server.client)
    expect(await unflushedAge()).toBe(0)
    await project.complete({ id: 'done' })
    await project.start({ id: 'running' })
    await Bun.sleep(20)
    expect(await unflushedAge()).toBeGreaterThan(0.01)
    const { status, json } = await server.client.post('/flush', {})
    expect(status).toBe(200)
    const tables = (json as { tables: { table: string; version: number; rows: number }[] }).tables
    expect(tables.find(({ table }) => table === 'calls')).toEqual({ table: 'calls', version: 1, rows: 2 })
    expect(await unflushedAge()).toBe(0)
    await project.end({ id: 'running' })
    expect((await project.readExisting('running')).ended_at).not.toBeNull()
    expect((await server.client.post('/flush', {})).status).toBe(200)
    expect(await unflushedAge()).toBe(0)
  })

  test('requires an admin key for all projects', async () => {
    expectRefusal(await server.client.post('/flush', {}, { key: null }), 401)
    expectRefusal(
      await server.client.post(
        '/flush',
        {},
        { key: await server.createKey({ name: 'writer', role: 'write', scope: '*' }) },
      ),
      403,
      'admin',
    )
    expectRefusal(
      await server.client.post(
        '/flush',
        {},
        { key: await server.createKey({ name: 'narrow', role: 'admin', scope: 'acme' }) },
      ),
      403,
      'scope "*"',
    )
  })
})
