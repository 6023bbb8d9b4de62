import { describe, expect, test } from 'bun:test'
import { giveFeedback, queryFeedback } from '../support/feedback.ts'
import { equals } from '../support/query-expression.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

/** A queue in a project that has the calls `a` to `e`; none of them is in the queue. */
async function queueBesideCalls(): Promise<{ queues: Queues; id: string }> {
  const project = freshProject(server)
  await project.add(
    ...['a', 'b', 'c', 'd', 'e'].map((id, index) => ({
      id,
      op_name: index < 3 ? 'answer' : 'search',
      trace_id: `trace-${id}`,
      started_at: `2024-05-01T10:00:0${9 - index}Z`,
      ended_at: id === 'e' ? null : `2024-05-01T10:01:0${index}Z`,
    })),
  )
  const queues = new Queues(project)
  return { queues, id: (await ok(queues.create())).id }
}

const callsIn = async (queues: Queues, id: string, members: Record<string, unknown> = {}) =>
  (await ok(queues.items(id, members))).items.map(({ call_id }) => call_id)

describe('calls in a queue', () => {
  test('keep the order in which they were added', async () => {
    const { queues, id } = await queueBesideCalls()
    expect(await ok(queues.add(id, ['c', 'a']))).toEqual({ added_count: 2, duplicates: 0 })
    expect(await ok(queues.add(id, ['e', 'b']))).toEqual({ added_count: 2, duplicates: 0 })
    const { items } = await ok(queues.items(id))
    expect(items.map(({ call_id }) => call_id)).toEqual(['c', 'a', 'e', 'b'])
    expect(items[0]).toEqual({
      id: expect.any(String),
      project_id: queues.project.id,
      queue_id: id,
      call_id: 'c',
      call_started_at: '2024-05-01T10:00:07Z',
      call_ended_at: '2024-05-01T10:01:02Z',
      call_op_name: 'answer',
      call_trace_id: 'trace-c',
      display_fields: ['inputs.question'],
      added_by: expect.any(String),
      annotation_state: 'unstarted',
      annotator_user_id: null,
      created_at: expect.any(String),
      created_by: expect.any(String),
      updated_at: expect.any(String),
      deleted_at: null,
      position_in_queue: null,
    } as unknown as (typeof items)[number])
    expect(items[2]).toMatchObject({ call_id: 'e', call_ended_at: null })
  })

  test('are listed once, however often they are added', async () => {
    const { queues, id } = await queueBesideCalls()
    expect(await ok(queues.add(id, ['a', 'a', 'b']))).toEqual({ added_count: 2, duplicates: 0 })
    expect(await ok(queues.add(id, ['a', 'b', 'a', 'c']))).toEqual({ added_count: 1, duplicates: 2 })
    expect(await ok(queues.add(id, ['a']))).toEqual({ added_count: 0, duplicates: 1 })
    expect(await ok(queues.add(id, []))).toEqual({ added_count: 0, duplicates: 0 })
    expect(await callsIn(queues, id)).toEqual(['a', 'b', 'c'])
  })

  test('are listed once if added concurrently', async () => {
    const { queues, id } = await queueBesideCalls()
    const lists = [['a', 'b', 'c'], ['c', 'b', 'a'], ['b', 'd'], ['a', 'b', 'c', 'd', 'e'], ['e']]
    const answers = await Promise.all([...lists, ...lists].map((list) => ok(queues.add(id, list))))
    expect(answers.reduce((sum, { added_count }) => sum + added_count, 0)).toBe(5)
    expect((await callsIn(queues, id)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('that are unknown or of another project are ignored', async () => {
    const { queues, id } = await queueBesideCalls()
    const elsewhere = freshProject(server)
    await elsewhere.add({ id: 'theirs' })
    expect(await ok(queues.add(id, ['a', 'nowhere', 'theirs', 'strange id!']))).toEqual({
      added_count: 1,
      duplicates: 0,
    })
    expect(await callsIn(queues, id)).toEqual(['a'])
  })

  test('that are deleted later stay in the queue, and are not added again', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' }, { id: 'b' })
    const queues = new Queues(project)
    const [{ id }, { id: other }] = [await ok(queues.create()), await ok(queues.create())]
    await ok(queues.add(id, ['a', 'b']))
    await project.delete('a')
    const { items } = await ok(queues.items(id))
    expect(items.map(({ call_id }) => call_id)).toEqual(['a', 'b'])
    expect((await ok(queues.progress(id, items[0]!.id, 'skipped'))).item).toMatchObject({ annotation_state: 'skipped' })
    expect((await ok(queues.stats([id]))).stats).toMatchObject([{ total_items: 2, completed_items: 1 }])
    expect(await ok(queues.add(id, ['a']))).toEqual({ added_count: 0, duplicates: 1 })
    expect(await ok(queues.add(other, ['a']))).toEqual({ added_count: 0, duplicates: 0 })
  })

  test('may be in several queues', async () => {
    const { queues, id } = await queueBesideCalls()
    const { id: other } = await ok(queues.create())
    await ok(queues.add(id, ['a', 'b']))
    expect(await ok(queues.add(other, ['b']))).toEqual({ added_count: 1, duplicates: 0 })
    expect((await ok(queues.stats([other, 'unknown', id, other]))).stats).toEqual([
      { queue_id: other, total_items: 1, completed_items: 0 },
      { queue_id: 'unknown', total_items: 0, completed_items: 0 },
      { queue_id: id, total_items: 2, completed_items: 0 },
      { queue_id: other, total_items: 1, completed_items: 0 },
    ])
    expect((await ok(queues.stats([]))).stats).toEqual([])
  })
})

describe('annotation_queues/items/query', () => {
  test('filters by members of an item', async () => {
    const { queues, id } = await queueBesideCalls()
    await ok(queues.add(id, ['a', 'b', 'd', 'e']))
    const { items } = await ok(queues.items(id))
    const filtered = (filter: Record<string, unknown>) => callsIn(queues, id, { filter })
    expect(await filtered({ call_op_name: 'search' })).toEqual(['d', 'e'])
    expect(await filtered({ call_id: 'b' })).toEqual(['b'])
    expect(await filtered({ id: items[1]!.id })).toEqual(['b'])
    expect(await filtered({ call_trace_id: 'trace-a' })).toEqual(['a'])
    expect(await filtered({ call_trace_id: 'trace-a', call_id: 'b' })).toEqual([])
    expect(await filtered({ added_by: 'nobody' })).toEqual([])
    expect(await filtered({ annotation_states: ['unstarted', 'completed'] })).toHaveLength(4)
    expect(await filtered({ annotation_states: ['completed'] })).toEqual([])
    expect(await filtered({ annotation_states: [] })).toHaveLength(4)
    expectInvalid(await queues.items(id, { filter: { annotation_states: ['done'] } }), [
      'body',
      'filter',
      'annotation_states',
      '0',
    ])
  })

  test('sorts, pages and rejects unknown fields', async () => {
    const { queues, id } = await queueBesideCalls()
    await ok(queues.add(id, ['b', 'a', 'd', 'e']))
    const sort_by = [{ field: 'call_started_at', direction: 'asc' }]
    expect(await callsIn(queues, id, { sort_by })).toEqual(['e', 'd', 'b', 'a'])
    const byOp = [
      { field: 'call_op_name', direction: 'desc' },
      { field: 'created_at', direction: 'asc' },
    ]
    expect(await callsIn(queues, id, { sort_by: byOp })).toEqual(['d', 'e', 'b', 'a'])
    expect(await callsIn(queues, id, { sort_by, limit: 2, offset: 1 })).toEqual(['d', 'b'])
    expect(await callsIn(queues, id, { limit: 0 })).toEqual([])
    expectRefusal(
      await queues.items(id, { sort_by: [{ field: 'call_startd_at', direction: 'asc' }] }),
      422,
      'call_started_at',
    )
    expectRefusal(await queues.items(id, { offset: -1 }), 400, 'offset')
  })

  test('counts positions over the whole queue, regardless of filters', async () => {
    const { queues, id } = await queueBesideCalls()
    await ok(queues.add(id, ['a', 'b', 'd', 'e']))
    const { items } = await ok(queues.items(id))
    await ok(queues.progress(id, items[2]!.id, 'completed'))
    const positions = async (members: Record<string, unknown>) =>
      (await ok(queues.items(id, { include_position: true, ...members }))).items.map((item) => [
        item.call_id,
        item.position_in_queue,
      ])
    expect(await positions({ limit: 2, offset: 1 })).toEqual([
      ['b', 2],
      ['d', 3],
    ])
    expect(await positions({ filter: { call_op_name: 'search' } })).toEqual([
      ['d', 3],
      ['e', 4],
    ])
    expect(await positions({ filter: { annotation_states: ['completed'] } })).toEqual([['d', 3]])
    expect(await positions({ sort_by: [{ field: 'created_at', direction: 'desc' }], limit: 1 })).toEqual([['e', 1]])
  })
})

describe('feedback given in a queue', () => {
  test('has its queue id, and is returned with the item on request', async () => {
    const { queues, id } = await queueBesideCalls()
    const { id: other } = await ok(queues.create())
    await ok(queues.add(id, ['a', 'b']))
    const { project } = queues
    const payload = { note: 'look', score: 1.5 }
    const ours = await giveFeedback(project, { id: 'ours', queue_id: id, feedback_type: 'mark', payload })
    await giveFeedback(project, { id: 'theirs', queue_id: other })
    await giveFeedback(project, { id: 'nobody’s'.replace('’', '-') })
    const rows = await queryFeedback(project, { query: { $expr: equals('queue_id', id) } })
    expect(rows.map((row) => row['id'])).toEqual([ours.id])
    const { items } = await ok(queues.items(id, { include_feedback: true }))
    expect(items.map(({ call_id, feedback }) => [call_id, feedback?.map((entry) => entry['id'])])).toEqual([
      ['a', ['ours']],
      ['b', []],
    ])
    expect(items[0]!.feedback).toMatchObject([{ payload, queue_id: id, feedback_type: 'mark' }])
    expect((await ok(queues.items(id))).items[0]).not.toHaveProperty('feedback')
    const { summary } = await project.readExisting('a')
    expect(summary.ext).not.toHaveProperty('feedback')
  })

  test('is rejected in a deleted queue', async () => {
    const { queues, id } = await queueBesideCalls()
    await giveFeedback(queues.project, { queue_id: id })
    await ok(queues.delete(id))
    const answer = await server.post('/feedback/create', {
      project_id: queues.project.id,
      ext_ref: `ext:///${queues.project.id}/call/a`,
      feedback_type: 'mark',
      payload: {},
      queue_id: id,
    })
    expectRefusal(answer, 400, id)
  })
})
