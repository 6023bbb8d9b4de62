import { describe, expect, test } from 'bun:test'
import { compareTimes } from '../../../src/lib/time.ts'
import { linesOf, ok, type Queue, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const fresh = () => new Queues(freshProject(server))
const namesOf = async (queues: Queues, members: Record<string, unknown> = {}) =>
  linesOf<Queue>(await queues.query(members)).map(({ name }) => name)

describe('annotation queues', () => {
  test('are created, read, updated and deleted', async () => {
    const queues = fresh()
    const scorer_refs = [`ext:///${queues.project.id}/object/stars:v1`, 'weave:///other/spelling/object/x:v1']
    const { id } = await ok(queues.create({ name: 'Hard cases', description: 'look twice', scorer_refs }))
    const { queue } = await ok(queues.read(id))
    expect(queue).toEqual({
      id,
      project_id: queues.project.id,
      name: 'Hard cases',
      description: 'look twice',
      scorer_refs,
      created_at: expect.any(String),
      created_by: expect.any(String),
      updated_at: queue.created_at,
      deleted_at: null,
    } as unknown as Queue)
    const { queue: changed } = await ok(queues.update(id, { name: 'Harder', description: null }))
    expect(changed).toEqual({ ...queue, name: 'Harder', updated_at: changed.updated_at })
    expect(compareTimes(changed.updated_at, queue.updated_at)).toBeGreaterThan(0)
    expect((await ok(queues.update(id, { scorer_refs: [], description: '' }))).queue).toMatchObject({
      name: 'Harder',
      description: '',
      scorer_refs: [],
    })
    const { queue: deleted } = await ok(queues.delete(id))
    expect(deleted.deleted_at).toBe(deleted.updated_at)
    expect(deleted).toMatchObject({ id, name: 'Harder' })
  })

  test('are unchanged by an empty update', async () => {
    const queues = fresh()
    const { id } = await ok(queues.create())
    const { queue } = await ok(queues.read(id))
    expect(queue.description).toBe('')
    expect((await ok(queues.update(id, {}))).queue).toEqual(queue)
    expect((await ok(queues.update(id, { name: null, scorer_refs: null }))).queue).toEqual(queue)
  })

  test('may share a name', async () => {
    const queues = fresh()
    const ids = [await ok(queues.create()), await ok(queues.create())].map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    expect(await namesOf(queues)).toEqual(['to check', 'to check'])
  })

  test('that are unknown, deleted or of another project are 404', async () => {
    const queues = fresh()
    const { id: deleted } = await ok(queues.create())
    await ok(queues.delete(deleted))
    const { id: elsewhere } = await ok(fresh().create())
    for (const id of ['no-such-queue', deleted, elsewhere]) {
      expectRefusal(await queues.read(id), 404, id)
      expectRefusal(await queues.update(id, { name: 'x' }), 404, id)
      expectRefusal(await queues.delete(id), 404, id)
      expectRefusal(await queues.add(id, ['a']), 404, id)
      expectRefusal(await queues.items(id), 404, id)
      expectRefusal(await queues.progress(id, 'x', 'completed'), 404, id)
    }
    expect((await ok(queues.stats([deleted]))).stats).toEqual([
      { queue_id: deleted, total_items: 0, completed_items: 0 },
    ])
  })

  test('concurrent updates do not overwrite each other', async () => {
    const queues = fresh()
    const { id } = await ok(queues.create({ name: 'a', description: 'a' }))
    await Promise.all([
      ok(queues.update(id, { name: 'b' })),
      ok(queues.update(id, { description: 'b' })),
      ok(queues.update(id, { scorer_refs: ['b'] })),
    ])
    expect((await ok(queues.read(id))).queue).toMatchObject({ name: 'b', description: 'b', scorer_refs: ['b'] })
  })

  test('with invalid members are rejected', async () => {
    const queues = fresh()
    expectInvalid(await queues.create({ name: 5 }), ['body', 'name'])
    expectInvalid(await queues.create({ scorer_refs: null }), ['body', 'scorer_refs'])
    expectInvalid(await queues.create({ name: 'x'.repeat(2000) }), ['body', 'name'])
    const { id } = await ok(queues.create())
    expectInvalid(await server.get(`/annotation_queues/${id}`), ['query', 'project_id'])
  })
})

describe('annotation_queues/query', () => {
  test('returns one queue per line, newest first, without deleted ones', async () => {
    const queues = fresh()
    for (const name of ['one', 'two', 'three']) await ok(queues.create({ name }))
    const { id } = await ok(queues.create({ name: 'gone' }))
    await ok(queues.delete(id))
    const answer = await queues.query()
    expect(answer.headers.get('content-type')).toStartWith('application/jsonl')
    expect(await namesOf(queues)).toEqual(['three', 'two', 'one'])
    expect(await namesOf(queues, { limit: 1, offset: 1 })).toEqual(['two'])
    expect(await namesOf(queues, { sort_by: [{ field: 'name', direction: 'asc' }] })).toEqual(['one', 'three', 'two'])
    expect((await fresh().query()).text).toBe('')
  })

  test('matches part of the name literally', async () => {
    const queues = fresh()
    for (const name of ['Hard 100%', 'hard_ones', 'easy']) await ok(queues.create({ name }))
    expect(await namesOf(queues, { name: 'HARD' })).toEqual(['hard_ones', 'Hard 100%'])
    expect(await namesOf(queues, { name: '%' })).toEqual(['Hard 100%'])
    expect(await namesOf(queues, { name: '_' })).toEqual(['hard_ones'])
    expect(await namesOf(queues, { name: '' })).toHaveLength(3)
  })

  test('rejects unknown fields', async () => {
    expectRefusal(await fresh().query({ sort_by: [{ field: 'nme', direction: 'asc' }] }), 422, 'nme', 'name')
    expectRefusal(await fresh().query({ limit: -1 }), 400, 'limit')
  })
})
