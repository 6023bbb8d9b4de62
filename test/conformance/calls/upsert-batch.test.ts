import { describe, expect, test } from 'bun:test'
import { type CallDraft, endOf, startOf } from '../support/call-shapes.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const startItem = (project: Project, draft: CallDraft) => ({
  mode: 'start',
  req: { start: startOf(project.id, draft) },
})
const endItem = (project: Project, draft: CallDraft & { id: string }) => ({
  mode: 'end',
  req: { end: endOf(project.id, draft) },
})
const send = (batch: unknown[]) => server.post<{ res: unknown[] }>('/call/upsert_batch', { batch })

describe('call/upsert_batch', () => {
  test('returns one entry per item, in order: ids for a start, an empty object for an end', async () => {
    const project = freshProject(server)
    const answer = await send([
      startItem(project, { id: 'a', trace_id: 't' }),
      endItem(project, { id: 'a' }),
      startItem(project, { id: 'b', trace_id: 't' }),
    ])
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ res: [{ id: 'a', trace_id: 't' }, {}, { id: 'b', trace_id: 't' }] })
  })

  test('accepts an empty batch', async () => {
    const answer = await send([])
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ res: [] })
  })

  test('accepts the end of a call before its start', async () => {
    const project = freshProject(server)
    await send([endItem(project, { id: 'a', output: 5 }), startItem(project, { id: 'a', inputs: { x: 1 } })])
    expect(await project.readExisting('a')).toMatchObject({ inputs: { x: 1 }, output: 5 })
  })

  test('merges a start and an end from different batches', async () => {
    const project = freshProject(server)
    await send([startItem(project, { id: 'a', inputs: { x: 1 } })])
    await send([endItem(project, { id: 'a', output: 5 })])
    expect(await project.readExisting('a')).toMatchObject({ inputs: { x: 1 }, output: 5 })
  })

  test('accepts calls of several projects', async () => {
    const [one, other] = [freshProject(server), freshProject(server)]
    await send([startItem(one, { id: 'a', op_name: 'one' }), startItem(other, { id: 'a', op_name: 'other' })])
    expect((await one.readExisting('a')).op_name).toBe('one')
    expect((await other.readExisting('a')).op_name).toBe('other')
  })

  test('infers a missing mode from the shape of the item', async () => {
    const project = freshProject(server)
    const answer = await send([
      { req: { start: startOf(project.id, { id: 'a', trace_id: 't' }) } },
      { req: { end: endOf(project.id, { id: 'a', output: 5 }) } },
    ])
    expect(answer.json).toEqual({ res: [{ id: 'a', trace_id: 't' }, {}] })
    expect((await project.readExisting('a')).output).toBe(5)
  })

  test('rejects an unknown mode', async () => {
    const project = freshProject(server)
    const answer = await send([{ ...startItem(project, { id: 'a' }), mode: 'begin' }])
    expectInvalid(answer, ['body', 'batch', '0'])
    expect(answer.text).toContain('begin')
  })

  test('rejects an item whose shape does not match its mode', async () => {
    const project = freshProject(server)
    const answer = await send([{ mode: 'end', req: { start: startOf(project.id, { id: 'a' }) } }])
    expect(answer.status).toBe(422)
    expect(await project.read('a')).toBeNull()
  })

  test('gives the location of a missing member', async () => {
    const project = freshProject(server)
    const { op_name: _left, ...start } = startOf(project.id, { id: 'a' })
    expectInvalid(await send([{ mode: 'start', req: { start } }]), ['body', 'batch', '0', 'req', 'start', 'op_name'])
  })

  test('stores nothing if one item has the wrong shape', async () => {
    const project = freshProject(server)
    const { summary: _left, ...end } = endOf(project.id, { id: 'a' })
    const answer = await send([startItem(project, { id: 'a' }), { mode: 'end', req: { end } }])
    expectInvalid(answer, ['body', 'batch', '1', 'req', 'end', 'summary'])
    expect(await project.idsOf()).toEqual([])
  })

  test('stores nothing if one item is invalid', async () => {
    const project = freshProject(server)
    const bad: CallDraft[] = [
      { id: 'not an id' },
      { id: 'b', trace_id: 'a/b' },
      { id: 'b', parent_id: '' },
      { id: 'b', op_name: '' },
      { id: 'b', op_name: 'ext:///cut/short' },
      { id: 'b', display_name: 'n'.repeat(1025) },
      { id: 'b', thread_id: '\u0000' },
      { id: 'b', ext_run_step: -1 },
      { id: 'b', ext_run_id: '' },
    ]
    for (const draft of bad) {
      expectInvalid(await send([startItem(project, { id: 'a' }), startItem(project, draft)]), ['body', 'batch', '1'])
    }
    const ends = [
      endItem(project, { id: 'a b' }),
      { req: { end: { ...endOf(project.id, { id: 'c' }), ext_run_step_end: -1 } } },
    ]
    for (const end of ends) expectInvalid(await send([startItem(project, { id: 'a' }), end]), ['body', 'batch', '1'])
    expect(await project.idsOf()).toEqual([])
  })

  test('rejects a batch with a project outside the scope of the key as a whole', async () => {
    const own = await ownServer()
    const project = freshProject(own.client)
    const key = await own.createKey({ name: 'writer', role: 'write', scope: project.id })
    const batch = [startItem(project, { id: 'a' }), startItem(freshProject(own.client), { id: 'b' })]
    expectRefusal(await own.client.withKey(key).post('/call/upsert_batch', { batch }), 403)
    expect(await project.idsOf()).toEqual([])
  }, 120_000)

  test('sent again changes nothing', async () => {
    const project = freshProject(server)
    const batch = [
      startItem(project, { id: 'a', trace_id: 't', inputs: { x: 1 } }),
      endItem(project, { id: 'a', output: 5 }),
      startItem(project, { id: 'b', trace_id: 't' }),
    ]
    await send(batch)
    const before = await project.query()
    await send(batch)
    expect(await project.query()).toEqual(before)
  })

  test('keeps the order of many calls', async () => {
    const project = freshProject(server)
    const ids = Array.from({ length: 500 }, (_, index) => `call-${String(index).padStart(3, '0')}`)
    const answer = await send(ids.map((id) => startItem(project, { id, trace_id: 't' })))
    expect(answer.json.res).toEqual(ids.map((id) => ({ id, trace_id: 't' })))
    expect(await project.idsOf()).toEqual(ids)
  })
})
