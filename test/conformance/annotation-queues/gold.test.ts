import { beforeAll, expect, test } from 'bun:test'
import { ok, type Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { reviewedQueue } from '../support/reviewed-queue.ts'
import { ownServer } from '../support/target.ts'

const server = await ownServer()
let keys: string[]
beforeAll(async () => {
  keys = await Promise.all(['ann', 'bob'].map((name) => server.createKey({ name, role: 'write', scope: '*' })))
})

test('gold items count what each person answers right, for admins only', async () => {
  const { queues, id, items, refs, people, answer } = await reviewedQueue(server, keys, 4)
  const [ann, bob] = people as [Queues, Queues]
  const plain = await ok(ann.items(id))
  const known = (ok: unknown, tone?: unknown) => [
    { annotation_ref: refs.ok, value: ok },
    ...(tone === undefined ? [] : [{ annotation_ref: refs.tone, value: tone }]),
  ]
  await ok(queues.setGold(id, items[0]!, known(true, 4)))
  await ok(queues.setGold(id, items[1]!, known(false)))
  await ok(queues.setGold(id, items[2]!, known(true)))
  // Nothing that a reviewer reads tells them from the others.
  expect(await ok(ann.items(id))).toEqual(plain)
  expect(JSON.stringify(await ok(ann.claim(id)))).not.toContain('gold')
  await answer(ann, items[0]!, { ok: true, tone: 4 })
  await answer(ann, items[1]!, { ok: true, tone: 3 })
  await answer(bob, items[0]!, { ok: true, tone: 5 })
  await answer(bob, items[1]!, { ok: false, tone: 1 })
  await answer(bob, items[2]!, { tone: 1 })
  await answer(bob, items[3]!, { ok: true })
  const found = await ok(queues.gold(id))
  expect(found.items).toEqual([
    { item_id: items[0]!, call_id: 'call-0', answers: known(true, 4) },
    { item_id: items[1]!, call_id: 'call-1', answers: known(false) },
    { item_id: items[2]!, call_id: 'call-2', answers: known(true) },
  ])
  expect(found.reviewers).toEqual([
    { user_id: keys[1]!.slice(0, 8), answered: 3, right: 1 },
    { user_id: keys[0]!.slice(0, 8), answered: 2, right: 1 },
  ])
  await ok(queues.setGold(id, items[1]!, []))
  const fewer = await ok(queues.gold(id))
  expect(fewer.items.map(({ item_id }) => item_id)).toEqual([items[0]!, items[2]!])
  expect(fewer.reviewers).toMatchObject([
    { answered: 2, right: 0 },
    { answered: 1, right: 1 },
  ])
  expect((await ok(ann.items(id))).items.map((item) => item.id)).toEqual(plain.items.map((item) => item.id))
})

test('known answers are refused from others, of other items, and if their spec refuses them', async () => {
  const { queues, id, items, refs, people } = await reviewedQueue(server, keys, 1)
  const [ann] = people as [Queues]
  const answers = [{ annotation_ref: refs.ok, value: true }]
  expectRefusal(await ann.setGold(id, items[0]!, answers), 403, 'admin')
  expectRefusal(await ann.gold(id), 403, 'admin')
  expectRefusal(await queues.setGold(id, 'none', answers), 404, 'none')
  expectRefusal(await queues.setGold('none', items[0]!, answers), 404, 'none')
  expectRefusal(await queues.gold('none'), 404, 'none')
  expectRefusal(await queues.setGold(id, items[0]!, [{ annotation_ref: refs.tone, value: 'high' }]), 400, 'tone')
  expectInvalid(await queues.setGold(id, items[0]!, 'true' as never), ['body', 'answers'])
  expect((await ok(queues.gold(id))).items).toEqual([])
})
