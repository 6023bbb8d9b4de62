import { beforeAll, describe, expect, test } from 'bun:test'
import { queryFeedback } from '../support/feedback.ts'
import { ok, Queues } from '../support/queues.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
let keys: string[]
beforeAll(async () => {
  const people = ['ann', 'bob', 'cyd'].map((name) => ({ name, role: 'write' }) as const)
  keys = await Promise.all(
    [...people, { name: 'eve', role: 'read' } as const].map((key) => server.createKey({ ...key, scope: '*' })),
  )
})

/** A queue of one call, for two people. */
async function oneItem(createdBy = server.adminKey) {
  const project = freshProject(server.client)
  await project.add({ id: 'a' })
  const [ann, bob, cyd, eve] = keys.map((key) => new Queues(project.withKey(key))) as [Queues, Queues, Queues, Queues]
  const maker = new Queues(project.withKey(createdBy))
  const { id } = await ok(maker.create())
  await ok(maker.setReview(id, { reviewers_per_item: 2 }))
  await ok(maker.add(id, ['a']))
  const item = (await ok(maker.items(id))).items[0]!.id
  const answer = async (person: Queues, note: string | null) => {
    await ok(person.claim(id, { item_id: item }))
    await ok(person.submit(id, item, { note }))
  }
  const seenBy = async (person: Queues): Promise<unknown[]> => {
    const { items } = await ok(person.items(id, { include_feedback: true }))
    return items[0]!.feedback!.map(({ payload }) => (payload as { note: unknown }).note)
  }
  return { project, id, item, ann, bob, cyd, eve, admin: new Queues(project), answer, seenBy }
}

describe('answers of others are hidden from a reviewer', () => {
  test('until the own answer is in', async () => {
    const { ann, bob, answer, seenBy } = await oneItem()
    await answer(ann, 'From Ann')
    expect(await seenBy(ann)).toEqual(['From Ann'])
    expect(await seenBy(bob)).toEqual([])
    await answer(bob, 'From Bob')
    expect(await seenBy(bob)).toEqual(['From Ann', 'From Bob'])
    expect(await seenBy(ann)).toEqual(['From Ann', 'From Bob'])
  })

  test('while the item could be answered, also when it was skipped', async () => {
    const { id, item, ann, bob, cyd, answer, seenBy } = await oneItem()
    await answer(ann, 'From Ann')
    await ok(cyd.claim(id))
    await ok(cyd.skip(id, item))
    expect(await seenBy(cyd)).toEqual([])
    await answer(bob, 'From Bob')
    expect(await seenBy(cyd)).toEqual(['From Ann', 'From Bob'])
  })

  test('and not from admins, who made the queue, and who can only read', async () => {
    const { ann, bob, eve, admin, answer, seenBy } = await oneItem(keys[1])
    await answer(ann, 'From Ann')
    for (const person of [admin, bob, eve]) expect(await seenBy(person)).toEqual(['From Ann'])
  })
})

describe('an answer that is changed', () => {
  test('loses what it no longer says', async () => {
    const { ann, answer, seenBy, project } = await oneItem()
    await answer(ann, 'Too short')
    await answer(ann, null)
    expect(await seenBy(ann)).toEqual([])
    expect(await queryFeedback(project, {})).toEqual([])
  })

  test('to a skip is removed', async () => {
    const { id, item, ann, admin, answer, seenBy } = await oneItem()
    await answer(ann, 'Not sure')
    await ok(ann.claim(id, { item_id: item }))
    await ok(ann.skip(id, item, 'not enough context'))
    expect(await seenBy(ann)).toEqual([])
    expect((await ok(admin.overview())).queues).toMatchObject([{ answers: 0, skips: 1 }])
  })
})
