import { describe, expect, test } from 'bun:test'
import { completeOf } from '../support/call-shapes.ts'
import { expectInvalid } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('calls/complete', () => {
  test('returns an empty object and stores finished calls', async () => {
    const project = freshProject(server)
    const draft = {
      id: 'a',
      trace_id: 't',
      parent_id: 'p',
      thread_id: 'thread-1',
      turn_id: 'turn-1',
      op_name: 'answer',
      display_name: 'Named',
      attributes: { env: 'test' },
      inputs: { x: 1 },
      output: [1, 2],
      exception: 'ValueError: no',
      ext_run_id: `${project.id}/run-1`,
      ext_run_step: 0,
      ext_run_step_end: 1,
    }
    const answer = await server.post(project.v2('calls/complete'), { batch: [completeOf(project.id, draft)] })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({})
    expect(await project.readExisting('a')).toMatchObject({
      ...draft,
      started_at: '2024-05-01T10:00:00Z',
      ended_at: '2024-05-01T10:00:01Z',
    })
  })

  test('returns omitted optional members as null', async () => {
    const project = freshProject(server)
    await project.complete({ id: 'a' })
    expect(await project.readExisting('a')).toMatchObject({
      parent_id: null,
      thread_id: null,
      turn_id: null,
      display_name: null,
      exception: null,
      output: null,
      ext_run_id: null,
      ext_run_step: null,
      ext_run_step_end: null,
    })
  })

  test.each(['id', 'trace_id', 'op_name', 'started_at', 'ended_at', 'attributes', 'inputs', 'summary'])(
    'requires %s, as nothing is generated',
    async (member) => {
      const project = freshProject(server)
      const { [member]: _left, ...call } = completeOf(project.id, { id: 'a' })
      const answer = await server.post(project.v2('calls/complete'), { batch: [call] })
      expectInvalid(answer, ['body', 'batch', '0', member])
    },
  )

  test('stores nothing if one call is invalid', async () => {
    const project = freshProject(server)
    const batch = [completeOf(project.id, { id: 'a' }), completeOf(project.id, { id: 'not an id' })]
    expectInvalid(await server.post(project.v2('calls/complete'), { batch }), ['body', 'batch', '1'])
    const elsewhere = [completeOf(project.id, { id: 'a' }), completeOf('some/where', { id: 'b' })]
    expectInvalid(await server.post(project.v2('calls/complete'), { batch: elsewhere }), ['body', 'batch', '1'])
    expect(await project.idsOf()).toEqual([])
  })

  test('accepts an empty batch', async () => {
    const answer = await server.post(freshProject(server).v2('calls/complete'), { batch: [] })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({})
  })

  test('sent again changes nothing', async () => {
    const project = freshProject(server)
    await project.complete({ id: 'a', output: 1 }, { id: 'b', output: 2 })
    const before = await project.query()
    await project.complete({ id: 'a', output: 1 }, { id: 'b', output: 2 })
    expect(await project.query()).toEqual(before)
  })

  test('allows starts and ends in the same project', async () => {
    const project = freshProject(server)
    await project.complete({ id: 'a' })
    await project.start({ id: 'b' })
    await project.end({ id: 'b', output: 5 })
    expect((await project.readExisting('b')).output).toBe(5)
  })

  test('does not write to a project in the body that differs from the path', async () => {
    const [inPath, inBody] = [freshProject(server), freshProject(server)]
    await server.post(inPath.v2('calls/complete'), { batch: [completeOf(inBody.id, { id: 'a' })] })
    expect(await inBody.read('a')).toBeNull()
  })
})
