import { describe, expect, test } from 'bun:test'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('merging the parts of a call', () => {
  test('start and end give the same call in either order', async () => {
    const [forward, backward] = [freshProject(server), freshProject(server)]
    const draft = { id: 'a', trace_id: 't', inputs: { x: 1 }, output: 2, summary: { note: 'n' }, exception: 'E' }
    await forward.start(draft)
    await forward.end(draft)
    await backward.end(draft)
    await backward.start(draft)
    const [one, other] = [await forward.readExisting('a'), await backward.readExisting('a')]
    expect({ ...other, project_id: '' }).toEqual({ ...one, project_id: '' })
  })

  test('an end is invisible until its start arrives', async () => {
    const project = freshProject(server)
    await project.end({ id: 'a', output: 5 })
    expect(await project.read('a')).toBeNull()
    await project.start({ id: 'a' })
    const call = await project.readExisting('a')
    expect(call.output).toBe(5)
    expect(call.summary.ext['status']).toBe('success')
  })

  test('the last start wins, member by member', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', op_name: 'first', display_name: 'Kept', inputs: { x: 1, y: 1 }, thread_id: 'kept' })
    await project.start({ id: 'a', op_name: 'second', inputs: { x: 2 } })
    expect(await project.readExisting('a')).toMatchObject({
      op_name: 'second',
      display_name: 'Kept',
      thread_id: 'kept',
    })
    expect((await project.readExisting('a')).inputs).toEqual({ x: 2 })
  })

  test('the last end wins, member by member', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a' })
    await project.end({ id: 'a', output: 1, exception: 'Kept', ended_at: '2024-05-01T10:00:05Z' })
    await project.end({ id: 'a', output: 2, ended_at: '2024-05-01T10:00:06Z' })
    expect(await project.readExisting('a')).toMatchObject({
      output: 2,
      exception: 'Kept',
      ended_at: '2024-05-01T10:00:06Z',
    })
  })

  test('null never erases a value', async () => {
    const project = freshProject(server)
    const values = { display_name: 'Named', parent_id: 'p', thread_id: 'h', turn_id: 'u', ext_run_step: 1 }
    await project.start({ id: 'a', ...values })
    await project.end({ id: 'a', output: 5, exception: 'E', ext_run_step_end: 2 })
    await project.start({
      id: 'a',
      display_name: null,
      parent_id: null,
      thread_id: null,
      turn_id: null,
      ext_run_step: null,
    })
    await project.end({ id: 'a', output: null, exception: null, ext_run_step_end: null })
    expect(await project.readExisting('a')).toMatchObject({
      ...values,
      output: 5,
      exception: 'E',
      ext_run_step_end: 2,
    })
  })

  test('a start repeated after the end leaves the call finished', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', trace_id: 't' })
    await project.end({ id: 'a', output: 5 })
    await project.start({ id: 'a', trace_id: 't' })
    expect(await project.readExisting('a')).toMatchObject({ output: 5, summary: { ext: { status: 'success' } } })
    expect((await project.stats()).count).toBe(1)
  })

  test('a start repeated after an update keeps the new name', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', trace_id: 't' })
    await project.update('a', 'Named')
    await project.start({ id: 'a', trace_id: 't' })
    expect((await project.readExisting('a')).display_name).toBe('Named')
  })

  test('a complete call sent twice counts once', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', output: 1 })
    await project.complete({ id: 'a', output: 2 })
    expect((await project.stats()).count).toBe(1)
    expect((await project.readExisting('a')).output).toBe(2)
  })

  test('calls with the same id in different projects are separate', async () => {
    const [one, other] = [freshProject(server), freshProject(server)]
    await one.start({ id: 'a', inputs: { x: 1 } })
    await other.start({ id: 'a', inputs: { x: 2 } })
    await other.end({ id: 'a', output: 3 })
    expect(await one.readExisting('a')).toMatchObject({ inputs: { x: 1 }, output: null, ended_at: null })
  })
})
