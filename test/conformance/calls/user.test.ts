import { describe, expect, test } from 'bun:test'
import { startOf } from '../support/call-shapes.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const [alice, bob] = await Promise.all([
  server.createKey({ name: 'alice', role: 'write', scope: '*' }),
  server.createKey({ name: 'bob', role: 'write', scope: '*' }),
])

describe('the user of a call', () => {
  test('is the API key that sent it, whatever the client claims', async () => {
    const project = freshProject(server.client).withKey(alice)
    const start = { ...startOf(project.id, { id: 'a' }), ext_user_id: 'somebody-else' }
    await project.client.post('/call/start', { start })
    const { ext_user_id } = await project.readExisting('a')
    expect(ext_user_id).toBeString()
    expect(ext_user_id).not.toBe('')
    expect(ext_user_id).not.toBe('somebody-else')
  })

  test('is an id, not the key itself', async () => {
    const project = freshProject(server.client).withKey(alice)
    await project.start({ id: 'a' })
    expect((await project.readExisting('a')).ext_user_id).not.toContain(alice)
  })

  test('is the same for every call of one key and differs between keys', async () => {
    const project = freshProject(server.client)
    await project.withKey(alice).start({ id: 'a' })
    await project.withKey(alice).complete({ id: 'b' })
    await project.withKey(bob).start({ id: 'c' })
    const [a, b, c] = (await project.query({ sort_by: [{ field: 'id', direction: 'asc' }] })).map(
      (call) => call.ext_user_id,
    )
    expect(b).toBe(a!)
    expect(c).not.toBe(a!)
  })

  test('can be filtered', async () => {
    const project = freshProject(server.client)
    await project.withKey(alice).start({ id: 'a' })
    await project.withKey(bob).start({ id: 'b' })
    const { ext_user_id } = await project.readExisting('b')
    expect(await project.idsOf({ filter: { ext_user_ids: [ext_user_id] } })).toEqual(['b'])
    expect(await project.idsOf({ filter: { ext_user_ids: ['nobody'] } })).toEqual([])
  })

  test('has a name if the query requests names', async () => {
    const project = freshProject(server.client)
    await project.withKey(alice).start({ id: 'a' })
    await project.withKey(bob).start({ id: 'b' })
    const calls = await project.query({ include_usernames: true, sort_by: [{ field: 'id', direction: 'asc' }] })
    expect(calls.map((call) => call.ext_username)).toEqual(['alice', 'bob'])
  })

  test('has no name otherwise', async () => {
    const project = freshProject(server.client).withKey(alice)
    await project.start({ id: 'a' })
    for (const call of await project.query()) expect(call).not.toHaveProperty('ext_username')
  })

  test('is returned with its name even if the columns include neither', async () => {
    const project = freshProject(server.client).withKey(alice)
    await project.start({ id: 'a' })
    const [call] = await project.query({ include_usernames: true, columns: ['id'] })
    expect(call?.ext_username).toBe('alice')
    expect(call?.ext_user_id).toBeString()
  })
})
