import { beforeAll, describe, expect, test } from 'bun:test'
import { queryFeedback } from '../support/feedback.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { annotationSpecOf } from '../support/reviewed-queue.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
let keys: string[]
beforeAll(async () => {
  const names = ['ann', 'bob', 'cyd', 'dan']
  keys = await Promise.all(names.map((name) => server.createKey({ name, role: 'write', scope: '*' })))
})

const itemOf = async (queues: Queues, id: string, members = {}) => (await ok(queues.claim(id, members))).claim?.item.id

/** A queue of so many calls, and the people who review it. */
async function queueOf(count: number, review: Record<string, unknown> = {}) {
  const project = freshProject(server.client)
  const calls = Array.from({ length: count }, (_, index) => ({ id: `call-${index}` }))
  for (let from = 0; from < count; from += 100) await project.add(...calls.slice(from, from + 100))
  const queues = new Queues(project)
  const { id } = await ok(queues.create())
  await ok(queues.setReview(id, review))
  const callIds = calls.map((call) => call.id)
  await ok(queues.add(id, callIds))
  const items = (await ok(queues.items(id))).items.map((item) => item.id)
  const [ann, bob, cyd, dan] = keys.map((key) => new Queues(project.withKey(key))) as [Queues, Queues, Queues, Queues]
  return { project, queues, id, items, ann, bob, cyd, dan }
}

describe('settings of a review', () => {
  test('are kept beside the queue, member by member', async () => {
    const { queues, id } = await queueOf(0)
    const usual = { reviewers_per_item: 1, guidelines: '', lease_seconds: 300, assigned_to: [] }
    expect(await ok(queues.setReview(id, {}))).toEqual({ review: usual })
    await ok(queues.setReview(id, { guidelines: '- Judge the agent' }))
    await ok(queues.update(id, { name: 'renamed' }))
    const changed = { ...usual, guidelines: '- Judge the agent', reviewers_per_item: 3 }
    expect(await ok(queues.setReview(id, { reviewers_per_item: 3, guidelines: null }))).toEqual({ review: changed })
    expect((await ok(queues.overview())).queues).toMatchObject([{ queue: { name: 'renamed' }, review: changed }])
    expect((await ok(queues.read(id))).queue).not.toHaveProperty('guidelines')
    expectInvalid(await queues.setReview(id, { reviewers_per_item: 6 }), ['body', 'reviewers_per_item'])
    expectInvalid(await queues.setReview(id, { lease_seconds: 0 }), ['body', 'lease_seconds'])
    expectRefusal(await queues.setReview('none', {}), 404, 'none')
  })
})

describe('claiming', () => {
  test('keeps an item for as many people as asked for, and gives each their own again', async () => {
    const { id, items, ann, bob, cyd } = await queueOf(2, { reviewers_per_item: 2 })
    const first = { claim: { item: { id: items[0]!, position_in_queue: 1 } }, yours: 0, left: 2 }
    expect(await ok(ann.claim(id))).toMatchObject(first)
    expect(await itemOf(bob, id)).toBe(items[0])
    expect(await itemOf(cyd, id)).toBe(items[1])
    expect(await itemOf(ann, id)).toBe(items[0])
    expect(await itemOf(ann, id, { except: [items[0]] })).toBe(items[1])
    expect(await itemOf(bob, id, { except: [items[0]] })).toBeUndefined()
    await ok(cyd.release(id, items[1]!))
    expect(await itemOf(bob, id, { except: [items[0]] })).toBe(items[1])
  })

  test('passes over what one has answered or skipped', async () => {
    const { id, items, ann, bob } = await queueOf(3, { reviewers_per_item: 2 })
    await ok(ann.claim(id))
    await ok(ann.submit(id, items[0]!))
    expect(await itemOf(ann, id)).toBe(items[1])
    await ok(ann.skip(id, items[1]!, 'not my language'))
    expect(await ok(ann.claim(id))).toMatchObject({ claim: { item: { id: items[2]! } }, yours: 1, left: 1 })
    await ok(ann.submit(id, items[2]!))
    expect(await ok(ann.claim(id))).toEqual({ claim: null, yours: 2, left: 0 })
    // What Ann skipped still lacks two answers.
    expect(await itemOf(bob, id, { except: [items[0]] })).toBe(items[1])
  })

  test('by id lets one answer again what one has answered or skipped', async () => {
    const { id, items, ann, bob } = await queueOf(1)
    await ok(ann.claim(id))
    await ok(ann.submit(id, items[0]!))
    expectRefusal(await bob.claim(id, { item_id: items[0] }), 409, 'has all its answers')
    expectRefusal(await ann.submit(id, items[0]!), 409, 'lease has ended')
    expect(await itemOf(ann, id, { item_id: items[0] })).toBe(items[0])
    await ok(ann.submit(id, items[0]!))
    expectRefusal(await ann.claim(id, { item_id: 'none' }), 404, 'none')
    expectRefusal(await ann.claim('none'), 404, 'none')
  })

  test('counts somebody who changes an answer once', async () => {
    const { id, items, ann, bob, cyd } = await queueOf(1, { reviewers_per_item: 2 })
    await ok(ann.claim(id))
    await ok(ann.submit(id, items[0]!))
    expect(await itemOf(ann, id, { item_id: items[0] })).toBe(items[0])
    expect(await itemOf(bob, id)).toBe(items[0])
    expect(await itemOf(cyd, id)).toBeUndefined()
    expectRefusal(await cyd.claim(id, { item_id: items[0] }), 409, 'others are working on it')
    await ok(bob.submit(id, items[0]!))
    await ok(ann.submit(id, items[0]!))
    expectRefusal(await cyd.claim(id, { item_id: items[0] }), 409, 'has all its answers')
  })

  test('requires write access', async () => {
    const { project, id, items } = await queueOf(1)
    const reader = new Queues(project.withKey(await server.createKey({ name: 'reader', role: 'read', scope: '*' })))
    expectRefusal(await reader.claim(id), 403)
    expectRefusal(await reader.submit(id, items[0]!), 403)
    expectRefusal(await reader.skip(id, items[0]!), 403)
    expectRefusal(await reader.setReview(id, {}), 403)
  })
})

describe('answers', () => {
  test('become feedback on the call; given again, they replace those before', async () => {
    const { project, id, items, ann, bob } = await queueOf(1, { reviewers_per_item: 2 })
    const tone = await annotationSpecOf(project, 'tone', { type: 'integer', minimum: 1, maximum: 5 })
    await ok(ann.claim(id))
    const answer = (value: unknown, note: string | null = null) => ({
      answers: [{ annotation_ref: tone, value }],
      note,
    })
    expectRefusal(await ann.submit(id, items[0]!, answer(9)), 400, 'does not match the annotation spec')
    expectRefusal(await bob.submit(id, items[0]!, answer(2)), 409, 'lease has ended')
    const { feedback_ids } = await ok(ann.submit(id, items[0]!, answer(4, 'Nearly warm')))
    expect(feedback_ids).toHaveLength(2)
    await ok(bob.claim(id))
    await ok(bob.submit(id, items[0]!, answer(2)))
    await ok(ann.claim(id, { item_id: items[0] }))
    await ok(ann.submit(id, items[0]!, answer(5, 'Warm')))
    const found = await queryFeedback(project, { fields: ['feedback_type', 'payload', 'queue_id', 'annotation_ref'] })
    expect(found.map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([{ value: 2 }, { value: 5 }, { note: 'Warm' }]),
    )
    expect(found).toHaveLength(3)
    expect(found.every(({ queue_id }) => queue_id === id)).toBe(true)
    expect((await ok(ann.items(id, { include_feedback: true }))).items[0]!.feedback).toHaveLength(3)
  })

  test('that come after the lease are refused, and somebody else gets the item', async () => {
    const { id, items, ann, bob } = await queueOf(1, { lease_seconds: 1 })
    const { claim } = await ok(ann.claim(id))
    while (Date.now() < Date.parse(claim!.expires_at)) await Bun.sleep(20)
    expectRefusal(await ann.submit(id, items[0]!), 409, 'lease has ended')
    expectRefusal(await ann.renew(id, items[0]!), 409, 'lease has ended')
    expect(await itemOf(bob, id)).toBe(items[0])
  })

  test('on an item that was removed are refused', async () => {
    const { queues, id, items, ann } = await queueOf(1)
    await ok(ann.claim(id))
    const { expires_at } = await ok(ann.renew(id, items[0]!))
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now())
    await ok(queues.remove(id, items))
    expectRefusal(await ann.submit(id, items[0]!), 404, 'was removed')
    expect(await ok(ann.claim(id))).toEqual({ claim: null, yours: 0, left: 0 })
  })
})

test('four people answer 200 items twice: each item has two people, though one of them leaves', async () => {
  const { queues, id, items, ...people } = await queueOf(200, { reviewers_per_item: 2, lease_seconds: 2 })
  const by = new Map<string, Set<string>>()
  const work = async (name: string, person: Queues, most = Number.POSITIVE_INFINITY) => {
    for (let done = 0; done < most; ) {
      const { claim, left } = await ok(person.claim(id))
      if (claim === null) {
        if (left === 0) return
        // What is left is with others, who may not come back.
        await Bun.sleep(50)
        continue
      }
      const { status } = await person.submit(id, claim.item.id)
      // A slow machine may take longer than the lease.
      if (status === 409) continue
      expect(status).toBe(200)
      const names = by.get(claim.item.id) ?? new Set<string>()
      expect(names.has(name)).toBe(false)
      by.set(claim.item.id, names.add(name))
      done++
    }
    // Leaves in the middle of an item.
    await ok(person.claim(id))
  }
  await Promise.all([
    work('ann', people.ann),
    work('bob', people.bob),
    work('cyd', people.cyd),
    work('dan', people.dan, 20),
  ])
  expect(by.size).toBe(200)
  expect([...by.values()].every((names) => names.size === 2)).toBe(true)
  const [found] = (await ok(queues.overview())).queues
  expect(found).toMatchObject({ items: 200, finished_items: 200, answers: 400, skips: 0 })
  expect(items.every((item) => by.has(item))).toBe(true)
}, 300_000)
