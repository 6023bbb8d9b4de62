import { describe, expect, test } from 'bun:test'
import { giveFeedback } from '../support/feedback.ts'
import { and, convert, eq, get, is, isIn, literal, not, type Operation, or } from '../support/query-expression.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const path = 'annotation_queue_items.queue_id'

/** Calls `a` to `d`; `first` holds a and b, `second` b and c, a deleted queue c and d. */
const project = freshProject(server)
await project.add(
  ...['a', 'b', 'c', 'd'].map((id, second) => ({ id, trace_id: 't', started_at: `2024-05-01T10:00:0${second}Z` })),
)
const queues = new Queues(project)
const [first, second, deleted] = (await Promise.all([queues.create(), queues.create(), queues.create()])).map(
  ({ json }) => json.id,
) as [string, string, string]
await ok(queues.add(first, ['a', 'b']))
await ok(queues.add(second, ['b', 'c']))
await ok(queues.add(deleted, ['c', 'd']))
await ok(queues.delete(deleted))
await giveFeedback(project, { feedback_type: 'mark', payload: { queue: first } })

const cases: [string, Operation, string[]][] = [
  ['in a queue', is(path, '$eq', first), ['a', 'b']],
  ['in another one', is(path, '$eq', second), ['b', 'c']],
  ['in either', isIn(get(path), first, second), ['a', 'b', 'c']],
  ['in both', and(is(path, '$eq', first), is(path, '$eq', second)), ['b']],
  ['in one or called d', or(is(path, '$eq', first), is('id', '$eq', 'd')), ['a', 'b', 'd']],
  ['not in a queue, which no call leaves open', not(is(path, '$eq', first)), ['c', 'd']],
  ['in no queue', is(path, '$eq', null), ['d']],
  ['in any queue', eq(convert(get(path), 'exists'), literal(true)), ['a', 'b', 'c']],
  ['in a queue that was deleted', is(path, '$eq', deleted), []],
  ['in a queue that never was', is(path, '$eq', 'no-such-queue'), []],
]

describe('annotation_queue_items.queue_id', () => {
  test.each(cases)('%s', async (_rule, operation, ids) => {
    const query = { $expr: operation }
    expect(await project.idsOf({ query })).toEqual(ids)
    expect((await project.stats({ query })).count).toBe(ids.length)
  })

  test('sorts by the queue a call was added to last', async () => {
    const sort_by = [
      { field: path, direction: 'asc' },
      { field: 'id', direction: 'asc' },
    ]
    const expected = first < second ? ['d', 'a', 'b', 'c'] : ['d', 'b', 'c', 'a']
    expect(await project.idsOf({ sort_by })).toEqual(expected)
  })

  test('is limited to the project', async () => {
    const other = freshProject(server)
    await other.add({ id: 'a' })
    expect(await other.idsOf({ query: { $expr: is(path, '$eq', first) } })).toEqual([])
  })

  test('cannot be compared with feedback', async () => {
    const query = { $expr: eq(get(path), get('feedback.[mark].payload.queue')) }
    expectRefusal(await project.ask({ query }), 400, 'queues')
  })
})
