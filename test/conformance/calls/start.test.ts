import { describe, expect, test } from 'bun:test'
import { startOf } from '../support/call-shapes.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('call/start', () => {
  test('returns the ids chosen by the client', async () => {
    const started = await freshProject(server).start({ id: 'call-1', trace_id: 'trace-1' })
    expect(started).toEqual({ id: 'call-1', trace_id: 'trace-1' })
  })

  test('generates a UUIDv7 for the call and another for the trace', async () => {
    const { id, trace_id } = await freshProject(server).start()
    expect(id).toMatch(uuidV7)
    expect(trace_id).toMatch(uuidV7)
    expect(trace_id).not.toBe(id)
  })

  test('accepts null for ids to be generated', async () => {
    const project = freshProject(server)
    const start = { ...startOf(project.id), id: null, trace_id: null }
    const answer = await server.post<{ id: string; trace_id: string }>('/call/start', { start })
    expect(answer.status).toBe(200)
    expect(answer.json.id).toMatch(uuidV7)
    expect(answer.json.trace_id).toMatch(uuidV7)
  })

  test('makes the call visible immediately, as running', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', trace_id: 't', op_name: 'answer', inputs: { question: 'why' } })
    const call = await project.readExisting('a')
    expect(call).toMatchObject({
      id: 'a',
      project_id: project.id,
      trace_id: 't',
      op_name: 'answer',
      inputs: { question: 'why' },
      attributes: {},
      ended_at: null,
      exception: null,
      output: null,
    })
    expect(call.summary).toEqual({ ext: { status: 'running', trace_name: 'answer' } })
    expect(await project.idsOf()).toEqual(['a'])
  })

  test('keeps every optional member as sent', async () => {
    const project = freshProject(server)
    const optional = {
      display_name: 'First try',
      parent_id: 'p',
      thread_id: 'thread-1',
      turn_id: 'turn-1',
      ext_run_id: `${project.id}/run-1`,
      ext_run_step: 3,
    }
    await project.start({ id: 'a', ...optional })
    expect(await project.readExisting('a')).toMatchObject(optional)
  })

  test('does not check the parent, which may be missing or in another trace', async () => {
    const project = freshProject(server)
    await project.start({ id: 'elsewhere', trace_id: 't1' })
    await project.start({ id: 'a', trace_id: 't2', parent_id: 'elsewhere' })
    await project.start({ id: 'b', trace_id: 't2', parent_id: 'never-sent' })
    expect((await project.readExisting('a')).parent_id).toBe('elsewhere')
    expect((await project.readExisting('b')).parent_id).toBe('never-sent')
  })

  test('does not derive thread or turn', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', thread_id: 'thread-1' })
    expect(await project.readExisting('a')).toMatchObject({ thread_id: 'thread-1', turn_id: null })
  })

  test('stores otel_dump in attributes.otel_span', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', attributes: { env: 'test' }, otel_dump: { name: 'span', kind: 1 } })
    const { attributes } = await project.readExisting('a')
    expect(attributes).toEqual({ env: 'test', otel_span: { name: 'span', kind: 1 } })
  })

  test.each(['project_id', 'op_name', 'started_at', 'attributes', 'inputs'])('requires %s', async (member) => {
    const { [member]: _left, ...start } = startOf(freshProject(server).id)
    expectInvalid(await server.post('/call/start', { start }), ['body', 'start', member])
  })

  test('requires attributes and inputs to be objects', async () => {
    const start = { ...startOf(freshProject(server).id), attributes: [], inputs: 'text' }
    expectInvalid(
      await server.post('/call/start', { start }),
      ['body', 'start', 'attributes'],
      ['body', 'start', 'inputs'],
    )
  })

  test('ignores unknown members', async () => {
    const project = freshProject(server)
    const start = { ...startOf(project.id, { id: 'a' }), from_the_future: { x: 1 } }
    const answer = await server.post('/call/start', { start, also_unknown: true })
    expect(answer.status).toBe(200)
    expect(await project.readExisting('a')).not.toHaveProperty('from_the_future')
  })

  test('rejects a negative run step', async () => {
    const start = startOf(freshProject(server).id, { ext_run_step: -1 })
    expectRefusal(await server.post('/call/start', { start }), 400, 'ext_run_step')
  })

  test('rejects a fractional run step', async () => {
    const start = startOf(freshProject(server).id, { ext_run_step: 1.5 })
    expectInvalid(await server.post('/call/start', { start }), ['body', 'start', 'ext_run_step'])
  })
})
