import { expect, test } from 'bun:test'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const project = freshProject(server.client)
const queues = new Queues(project)
const keyOf = async (name: string, role: 'read' | 'write' = 'write', scope = '*') =>
  new Queues(project.withKey(await server.createKey({ name, role, scope })))
const [ann, bob] = [await keyOf('ann'), await keyOf('bob')]
await keyOf('reader', 'read')
await keyOf('elsewhere', 'write', 'other/project')
await project.add({ id: 'a' }, { id: 'b' })

const idOf = async (name: string) => {
  const { people } = await ok(queues.assignable())
  return people.find((person) => person.name === name)!.user_id
}

/** A queue of two calls. */
async function queueOfTwo(members = {}) {
  const { id } = await ok(queues.create())
  await ok(queues.setReview(id, members))
  await ok(queues.add(id, ['a', 'b']))
  return id
}

test('those who can write to the project can be assigned, and only admins see who they are', async () => {
  const { people } = await ok(queues.assignable())
  expect(people.map(({ name }) => name)).toEqual(expect.arrayContaining(['ann', 'bob']))
  expect(people.map(({ name }) => name)).not.toContain('reader')
  expect(people.map(({ name }) => name)).not.toContain('elsewhere')
  expectRefusal(await ann.assignable(), 403)
})

test('an assigned queue serves the people it is assigned to, and everyone again when it is not', async () => {
  const id = await queueOfTwo({ assigned_to: [await idOf('ann')] })
  const { claim } = await ok(ann.claim(id))
  expectRefusal(await bob.claim(id), 403, 'assigned to other people')
  // Not even admins, who can assign themselves.
  expectRefusal(await queues.claim(id), 403, 'assigned to other people')
  expectRefusal(await bob.progress(id, claim!.item.id, 'completed'), 403, 'assigned to other people')
  const [overview] = (await ok(bob.overview([id]))).queues
  expect(overview).toMatchObject({ review: { assigned_to: [await idOf('ann')] }, assigned_names: ['ann'] })
  // What somebody has claimed before can still be answered; then they get no more.
  await ok(queues.setReview(id, { assigned_to: [await idOf('bob')] }))
  await ok(ann.submit(id, claim!.item.id, { note: 'done' }))
  expectRefusal(await ann.claim(id), 403)
  const { claim: other } = await ok(bob.claim(id))
  expect(other?.item.call_id).toBe('b')
  await ok(bob.release(id, other!.item.id))
  await ok(queues.setReview(id, { guidelines: 'kept' }))
  expectRefusal(await ann.claim(id), 403)
  await ok(queues.setReview(id, { assigned_to: [] }))
  expect((await ok(ann.claim(id))).claim?.item.call_id).toBe('b')
})

test('an assignment is kept in the data files, also of people who are gone', async () => {
  const ids = [await idOf('ann'), 'somebody-gone']
  const id = await queueOfTwo({ assigned_to: ids })
  await server.client.post('/flush', {})
  const [overview] = (await ok(queues.overview([id]))).queues
  expect(overview).toMatchObject({ review: { assigned_to: ids }, assigned_names: ['ann', null] })
  expectRefusal(await bob.claim(id), 403)
})

test('a list that is too long, empty or repeated is refused', async () => {
  const id = await queueOfTwo()
  expectInvalid(await queues.setReview(id, { assigned_to: Array.from({ length: 101 }, (_, at) => `p-${at}`) }))
  expectInvalid(await queues.setReview(id, { assigned_to: [''] }))
  expectInvalid(await queues.setReview(id, { assigned_to: ['a', 'a'] }))
  expect((await ok(queues.overview([id]))).queues[0]!.review.assigned_to).toEqual([])
})
