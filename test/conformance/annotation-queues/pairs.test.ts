import { expect, test } from 'bun:test'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

/** A queue beside the calls `a` to `d`. */
async function emptyQueue() {
  const project = freshProject(server)
  await project.add(...['a', 'b', 'c', 'd'].map((id) => ({ id })))
  const queues = new Queues(project)
  return { queues, id: (await ok(queues.create())).id }
}

test('pairs become items of their first calls, each once', async () => {
  const { queues, id } = await emptyQueue()
  const pairs = [
    ['a', 'b'],
    ['a', 'b'],
    ['b', 'a'],
    ['a', 'c'],
    ['c', 'd'],
    ['d', 'd'],
    ['d', 'unknown'],
    ['unknown', 'd'],
  ] as const
  expect(await ok(queues.addPairs(id, pairs))).toEqual({ added_count: 2, duplicates: 3 })
  expect(await ok(queues.addPairs(id, [['d', 'c']]))).toEqual({ added_count: 0, duplicates: 1 })
  expect(await ok(queues.add(id, ['a', 'b']))).toEqual({ added_count: 1, duplicates: 1 })
  const { items } = await ok(queues.items(id))
  expect(items.map(({ call_id, compared_call_id }) => [call_id, compared_call_id])).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['b', undefined],
  ])
  // Clients that know no pairs see nothing new in other items.
  expect(items[2]).not.toHaveProperty('compared_call_id')
  expect((await ok(queues.claim(id))).claim?.item).toMatchObject({ call_id: 'a', compared_call_id: 'b' })
})

test('pairs are refused where they have no place', async () => {
  const { queues, id } = await emptyQueue()
  expectRefusal(await queues.addPairs('none', [['a', 'b']]), 404, 'none')
  expectInvalid(await queues.addPairs(id, [['a', 'b'.repeat(129)]]), ['body', 'pairs', '0', 'compared_call_id'])
  expect((await ok(queues.items(id))).items).toEqual([])
})
