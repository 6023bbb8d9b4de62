import { describe, expect, test } from 'bun:test'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('call/update', () => {
  test('returns an empty object and sets the display name', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    const body = { project_id: project.id, call_id: 'a', display_name: 'Named' }
    const answer = await server.post('/call/update', body)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({})
    expect((await project.readExisting('a')).display_name).toBe('Named')
  })

  test('changes nothing else', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', inputs: { x: 1 }, output: 2, attributes: { y: 3 } })
    const before = await project.readExisting('a')
    await project.update('a', 'Named')
    const { display_name: _name, summary: _summary, ...rest } = before
    expect(await project.readExisting('a')).toMatchObject(rest)
  })

  test('works on a running call and survives its end', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a' })
    await project.update('a', 'Named')
    await project.end({ id: 'a', output: 1 })
    expect(await project.readExisting('a')).toMatchObject({ display_name: 'Named', output: 1 })
  })

  test('the last name wins', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', display_name: 'First' })
    await project.update('a', 'Second')
    await project.update('a', 'Third')
    expect((await project.readExisting('a')).display_name).toBe('Third')
  })

  test('an empty string clears the name, also if the call ends afterwards', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', display_name: 'Named' })
    await project.update('a', '')
    expect((await project.readExisting('a')).display_name).toBeNull()
    await project.end({ id: 'a' })
    expect((await project.readExisting('a')).display_name).toBeNull()
  })

  test('accepts a name of 1024 characters and rejects a longer one', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    await project.update('a', 'n'.repeat(1024))
    expect((await project.readExisting('a')).display_name).toBe('n'.repeat(1024))
    const body = { project_id: project.id, call_id: 'a', display_name: 'n'.repeat(1025) }
    expectRefusal(await server.post('/call/update', body), 400, 'display_name', '1024')
  })

  test.each([
    ['null', { display_name: null }],
    ['absent', {}],
  ])('rejects a request with nothing to update: display_name is %s', async (_kind, change) => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    const body = { project_id: project.id, call_id: 'a', ...change }
    expectRefusal(await server.post('/call/update', body), 400)
  })

  test('of an unknown call is accepted and creates nothing', async () => {
    const project = freshProject(server)
    await project.update('a', 'Named')
    expect(await project.read('a')).toBeNull()
    expect((await project.stats()).count).toBe(0)
  })

  test('of a deleted call does not bring it back', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    await project.delete('a')
    await project.update('a', 'Named')
    expect(await project.read('a')).toBeNull()
  })

  test('requires project_id and call_id', async () => {
    expectInvalid(await server.post('/call/update', { display_name: 'x' }), ['body', 'project_id'], ['body', 'call_id'])
  })
})
