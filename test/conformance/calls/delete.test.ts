import { describe, expect, test } from 'bun:test'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('calls/delete', () => {
  test('removes the call from every response immediately', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' }, { id: 'b' })
    expect(await project.delete('a')).toBe(1)
    expect(await project.read('a')).toBeNull()
    expect(await project.idsOf()).toEqual(['b'])
    expect(await project.idsOf({ filter: { call_ids: ['a'] } })).toEqual([])
    expect((await project.stats()).count).toBe(1)
  })

  test('deletes and counts all descendants', async () => {
    const project = freshProject(server)
    await project.add(
      { id: 'root', trace_id: 't' },
      { id: 'child', trace_id: 't', parent_id: 'root' },
      { id: 'grandchild', trace_id: 't', parent_id: 'child', ended_at: null },
      { id: 'sibling', trace_id: 't' },
      { id: 'other', trace_id: 'u' },
    )
    expect(await project.delete('root')).toBe(3)
    expect((await project.idsOf()).sort()).toEqual(['other', 'sibling'])
  })

  test('keeps ancestors and siblings', async () => {
    const project = freshProject(server)
    await project.add(
      { id: 'root', trace_id: 't' },
      { id: 'a', trace_id: 't', parent_id: 'root' },
      { id: 'b', trace_id: 't', parent_id: 'root' },
    )
    expect(await project.delete('a')).toBe(1)
    expect((await project.idsOf()).sort()).toEqual(['b', 'root'])
  })

  test('deletes descendants only in the traces of the given calls', async () => {
    const project = freshProject(server)
    await project.add({ id: 'root', trace_id: 't' }, { id: 'stranger', trace_id: 'u', parent_id: 'root' })
    expect(await project.delete('root')).toBe(1)
    expect(await project.idsOf()).toEqual(['stranger'])
  })

  test('counts a call once that is both given and a descendant', async () => {
    const project = freshProject(server)
    await project.add({ id: 'root', trace_id: 't' }, { id: 'child', trace_id: 't', parent_id: 'root' })
    expect(await project.delete('root', 'child', 'child')).toBe(2)
  })

  test('terminates on calls that are each other’s parents', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', trace_id: 't', parent_id: 'b' }, { id: 'b', trace_id: 't', parent_id: 'a' })
    expect(await project.delete('a')).toBe(2)
  })

  test('counts only calls that existed', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    expect(await project.delete('a', 'never-sent')).toBe(1)
  })

  test('can be repeated and counts nothing the second time', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    expect(await project.delete('a')).toBe(1)
    expect(await project.delete('a')).toBe(0)
  })

  test('with an empty list deletes nothing', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    expect(await project.delete()).toBe(0)
    expect(await project.idsOf()).toEqual(['a'])
  })

  test('is limited to its project', async () => {
    const [one, other] = [freshProject(server), freshProject(server)]
    await one.add({ id: 'a', trace_id: 't' })
    await other.add({ id: 'a', trace_id: 't' })
    expect(await one.delete('a')).toBe(1)
    expect(await other.idsOf()).toEqual(['a'])
  })

  test('of a running call is final: its late end does not bring it back', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a' })
    await project.delete('a')
    await project.end({ id: 'a' })
    expect(await project.read('a')).toBeNull()
    expect((await project.stats()).count).toBe(0)
  })

  test('accepts 1000 ids and rejects 1001', async () => {
    const project = freshProject(server)
    await project.add({ id: 'call-0' }, { id: 'call-1000' })
    const ids = Array.from({ length: 1001 }, (_, index) => `call-${index}`)
    const answer = await server.post('/calls/delete', { project_id: project.id, call_ids: ids })
    expectRefusal(answer, 413, '1000')
    expect((await project.stats()).count).toBe(2)
    expect(await project.delete(...ids.slice(0, 1000))).toBe(1)
  })

  test('requires project_id and call_ids', async () => {
    expectInvalid(await server.post('/calls/delete', {}), ['body', 'project_id'], ['body', 'call_ids'])
  })
})
