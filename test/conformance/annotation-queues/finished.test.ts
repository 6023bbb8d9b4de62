import { expect, test } from 'bun:test'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()

test('what people answered and skipped is listed with reasons, the latest first', async () => {
  const project = freshProject(server.client)
  await project.add(...['a', 'b', 'c'].map((id) => ({ id, op_name: 'answer' })))
  const [ann, bob] = await Promise.all(
    ['ann', 'bob'].map(
      async (name) => new Queues(project.withKey(await server.createKey({ name, role: 'write', scope: '*' }))),
    ),
  )
  const queues = new Queues(project)
  const { id } = await ok(queues.create())
  await ok(queues.setReview(id, { reviewers_per_item: 2 }))
  await ok(queues.add(id, ['a', 'b', 'c']))
  const [first, second, third] = (await ok(queues.items(id))).items.map((item) => item.id)
  await ok(ann!.claim(id, { item_id: second }))
  await ok(ann!.submit(id, second!))
  await ok(ann!.claim(id, { item_id: third }))
  await ok(ann!.skip(id, third!, 'not my language'))
  await ok(bob!.claim(id, { item_id: first }))
  await ok(bob!.skip(id, first!, ''))

  const { finished } = await ok(queues.finished(id))
  expect(finished).toMatchObject([
    { item_id: first!, call_id: 'a', position_in_queue: 1, state: 'skipped', reason: '' },
    { item_id: third!, call_id: 'c', position_in_queue: 3, state: 'skipped', reason: 'not my language' },
    { item_id: second!, call_id: 'b', position_in_queue: 2, state: 'completed', reason: null },
  ])
  const callsOf = async (queue: Queues, members: object) =>
    (await ok(queue.finished(id, { ...members }))).finished.map(({ call_id }) => call_id)
  expect(await callsOf(ann!, { mine: true })).toEqual(['c', 'b'])
  expect(await callsOf(bob!, { mine: true, state: 'completed' })).toEqual([])
  expect(await callsOf(bob!, { state: 'skipped' })).toEqual(['a', 'c'])
  expect(await callsOf(queues, { limit: 1, offset: 1 })).toEqual(['c'])
  await ok(queues.remove(id, [third!]))
  expect(await callsOf(ann!, { mine: true })).toEqual(['b'])
  expectInvalid(await queues.finished(id, { limit: 10_001 }), ['body', 'limit'])
  expectInvalid(await queues.finished(id, { state: 'unstarted' }), ['body', 'state'])
  expectRefusal(await queues.finished('none'), 404, 'none')
})
