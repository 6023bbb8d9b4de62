import { describe, expect, test } from 'bun:test'
import { endOf, startOf } from '../support/call-shapes.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('v2 call/start and call/end', () => {
  test('start returns the ids and makes the call visible', async () => {
    const project = freshProject(server)
    const answer = await server.post(project.v2('call/start'), {
      start: startOf(project.id, { id: 'a', trace_id: 't' }),
    })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ id: 'a', trace_id: 't' })
    expect((await project.readExisting('a')).summary.ext['status']).toBe('running')
  })

  test('end returns an empty object and finishes the call', async () => {
    const project = freshProject(server)
    await server.post(project.v2('call/start'), { start: startOf(project.id, { id: 'a' }) })
    const answer = await server.post(project.v2('call/end'), { end: endOf(project.id, { id: 'a', output: 5 }) })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({})
    expect(await project.readExisting('a')).toMatchObject({ output: 5, ended_at: '2024-05-01T10:00:01Z' })
  })

  test('an end before its start is stored and completes the call later', async () => {
    const project = freshProject(server)
    const end = await server.post(project.v2('call/end'), { end: endOf(project.id, { id: 'a', output: 5 }) })
    expect(end.status).toBe(200)
    expect(await project.read('a')).toBeNull()
    await server.post(project.v2('call/start'), { start: startOf(project.id, { id: 'a' }) })
    expect((await project.readExisting('a')).output).toBe(5)
  })

  test('a start and an end of different API versions are merged', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a' })
    await server.post(project.v2('call/end'), { end: endOf(project.id, { id: 'a', output: 5 }) })
    expect((await project.readExisting('a')).output).toBe(5)
  })

  test('a project name with a space is percent-encoded in the path', async () => {
    const spaced = freshProject(server)
    const id = `${spaced.entity}/my traces`
    const path = `/v2/${spaced.entity}/my%20traces/call/start`
    expect((await server.post(path, { start: startOf(id, { id: 'a' }) })).status).toBe(200)
    const read = await server.post('/call/read', { project_id: id, id: 'a' })
    expect(read.json).toMatchObject({ call: { id: 'a', project_id: id } })
  })

  test('does not write to a project in the body that differs from the path', async () => {
    const [inPath, inBody] = [freshProject(server), freshProject(server)]
    await server.post(inPath.v2('call/start'), { start: startOf(inBody.id, { id: 'a' }) })
    expect(await inBody.read('a')).toBeNull()
  })

  test('names a missing member', async () => {
    const project = freshProject(server)
    const { op_name: _left, ...start } = startOf(project.id)
    expectInvalid(await server.post(project.v2('call/start'), { start }), ['body', 'start', 'op_name'])
    const { ended_at: _other, ...end } = endOf(project.id, { id: 'a' })
    expectInvalid(await server.post(project.v2('call/end'), { end }), ['body', 'end', 'ended_at'])
  })

  test('rejects a malformed id', async () => {
    const project = freshProject(server)
    const start = startOf(project.id, { id: 'not an id' })
    expectRefusal(await server.post(project.v2('call/start'), { start }), 422)
  })
})
