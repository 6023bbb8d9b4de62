import { describe, expect, test } from 'bun:test'
import { endOf } from '../support/call-shapes.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('call/end', () => {
  test('returns an empty object', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a' })
    const answer = await server.post('/call/end', { end: endOf(project.id, { id: 'a' }) })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({})
  })

  test('finishes the running call', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', inputs: { x: 1 } })
    await project.end({
      id: 'a',
      ended_at: '2024-05-01T10:00:02Z',
      output: { text: 'because' },
      summary: { usage: { 'model-x': { prompt_tokens: 3, custom_count: 4 } }, note: 'kept' },
      ext_run_step_end: 9,
    })
    const call = await project.readExisting('a')
    expect(call).toMatchObject({
      inputs: { x: 1 },
      ended_at: '2024-05-01T10:00:02Z',
      output: { text: 'because' },
      exception: null,
      ext_run_step_end: 9,
    })
    expect(call.summary['usage']).toEqual({ 'model-x': { prompt_tokens: 3, custom_count: 4 } })
    expect(call.summary['note']).toBe('kept')
  })

  test.each([
    ['text', 'plain'],
    ['a number', 0],
    ['false', false],
    ['a list', [1, [2]]],
    ['an empty object', {}],
    ['empty text', ''],
  ])('keeps an output that is %s', async (_kind, output) => {
    const project = freshProject(server)
    await project.add({ id: 'a', output })
    expect((await project.readExisting('a')).output).toEqual(output)
  })

  test.each(['project_id', 'id', 'ended_at', 'summary'])('requires %s', async (member) => {
    const { [member]: _left, ...end } = endOf(freshProject(server).id, { id: 'a' })
    expectInvalid(await server.post('/call/end', { end }), ['body', 'end', member])
  })

  test('requires the summary to be an object', async () => {
    const end = { ...endOf(freshProject(server).id, { id: 'a' }), summary: 'fine' }
    expectInvalid(await server.post('/call/end', { end }), ['body', 'end', 'summary'])
  })

  test('rejects a negative last run step', async () => {
    const end = endOf(freshProject(server).id, { id: 'a', ext_run_step_end: -1 })
    expectRefusal(await server.post('/call/end', { end }), 400, 'ext_run_step_end')
  })

  test('of an unknown call is accepted and stays invisible', async () => {
    const project = freshProject(server)
    await project.end({ id: 'a', output: 1 })
    expect(await project.read('a')).toBeNull()
    expect(await project.idsOf()).toEqual([])
    expect((await project.stats()).count).toBe(0)
  })

  test('with started_at does not make an unknown call visible', async () => {
    const project = freshProject(server)
    const end = { ...endOf(project.id, { id: 'a' }), started_at: '2024-05-01T10:00:00Z', trace_id: 't' }
    expect((await server.post('/call/end', { end })).status).toBe(200)
    expect(await project.read('a')).toBeNull()
  })
})
