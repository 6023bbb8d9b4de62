import { describe, expect, test } from 'bun:test'
import { compareTimes } from '../../../src/lib/time.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const [annKey, bobKey] = await Promise.all(
  ['ann', 'bob'].map((name) => server.createKey({ name, role: 'write', scope: '*' })),
)

async function queueOf(count: number) {
  const project = freshProject(server.client)
  const callIds = Array.from({ length: count }, (_, index) => `call-${index}`)
  await project.add(...callIds.map((id) => ({ id })))
  const queues = new Queues(project)
  const { id } = await ok(queues.create())
  await ok(queues.add(id, callIds))
  const items = (await ok(queues.items(id))).items.map((item) => item.id)
  return {
    project,
    queues,
    id,
    items,
    ann: new Queues(project.withKey(annKey!)),
    bob: new Queues(project.withKey(bobKey!)),
  }
}

describe('the overview of queues', () => {
  test('counts answers once for each person, most answers first', async () => {
    const { queues, id, items, ann, bob } = await queueOf(3)
    const { id: empty } = await ok(queues.create({ name: 'empty' }))
    const annId = (await ok(ann.progress(id, items[0]!, 'completed'))).item.annotator_user_id
    const bobId = (await ok(bob.progress(id, items[0]!, 'completed'))).item.annotator_user_id
    await ok(bob.progress(id, items[1]!, 'completed'))
    const { item } = await ok(ann.progress(id, items[1]!, 'skipped'))
    await ok(ann.progress(id, items[2]!, 'in_progress'))
    const { queues: found } = await ok(queues.overview())
    expect(found.map(({ queue }) => queue.id)).toEqual([empty, id])
    expect(found[0]).toEqual({
      queue: (await ok(queues.read(empty))).queue,
      review: { reviewers_per_item: 1, guidelines: '', lease_seconds: 300, assigned_to: [] },
      assigned_names: [],
      items: 0,
      finished_items: 0,
      answers: 0,
      items_by_answers: [0, 0],
      left: 0,
      claimed_items: 0,
      recent_answers: 0,
      skips: 0,
      skip_reasons: [],
      last_answer_at: null,
      reviewers: [],
    })
    expect(found[1]).toMatchObject({ items: 3, finished_items: 2, answers: 3, skips: 1 })
    expect(compareTimes(found[1]!.last_answer_at!, item.updated_at)).toBeLessThan(0)
    expect(found[1]!.reviewers).toMatchObject([
      { user_id: bobId!, name: 'bob', answers: 2, recent_answers: 2, skips: 0, skip_reasons: [] },
      { user_id: annId!, name: 'ann', answers: 1, skips: 1, skip_reasons: [{ reason: '', count: 1 }] },
    ])
    expect(found[1]!.items_by_answers).toEqual([1, 2])
    const leftFor = async (who: Queues) => (await ok(who.overview([id]))).queues[0]?.left
    expect([await leftFor(queues), await leftFor(ann), await leftFor(bob)]).toEqual([1, 1, 1])
    await ok(queues.setReview(id, { reviewers_per_item: 2 }))
    // Ann skipped the second item, and bob has answered it; both have answered the first.
    expect([await leftFor(queues), await leftFor(ann), await leftFor(bob)]).toEqual([2, 1, 1])
    await ok(ann.progress(id, items[2]!, 'skipped'))
    expect([await leftFor(queues), await leftFor(ann), await leftFor(bob)]).toEqual([2, 0, 1])
    expect((await ok(queues.overview([id]))).queues[0]?.items_by_answers).toEqual([1, 1, 1])
    await ok(queues.setReview(id, { assigned_to: [annId!] }))
    expect([await leftFor(queues), await leftFor(ann), await leftFor(bob)]).toEqual([0, 0, 0])
  })

  test('says how fast each person answers, since when, and why they skip', async () => {
    const { queues, id, items, ann, bob } = await queueOf(7)
    await ok(queues.setReview(id, { reviewers_per_item: 2 }))
    const claimed = async (who: Queues, except: readonly string[] = []) =>
      (await ok(who.claim(id, { except }))).claim!.item.id
    // Loaded ahead: the second item is claimed with the first, and begun when that is answered.
    expect(await claimed(ann)).toBe(items[0]!)
    expect(await claimed(ann, [items[0]!])).toBe(items[1]!)
    await Bun.sleep(1_500)
    await ok(ann.submit(id, items[0]!))
    await ok(ann.submit(id, items[1]!))
    await Bun.sleep(2)
    const between = new Date().toISOString()
    await Bun.sleep(2)
    await ok(ann.submit(id, await claimed(ann)))
    for (const reason of ['too long', 'not my language', 'too long']) await ok(ann.skip(id, await claimed(ann), reason))
    await ok(bob.submit(id, await claimed(bob)))
    expect(await claimed(bob)).toBe(items[1]!)
    const [overview] = (await ok(queues.overview([id], { since: between }))).queues
    const [first, second] = overview!.reviewers
    expect(first).toMatchObject({ name: 'ann', answers: 3, recent_answers: 1, skips: 3 })
    const reasons = [
      { reason: 'too long', count: 2 },
      { reason: 'not my language', count: 1 },
    ]
    expect(first!.skip_reasons).toEqual(reasons)
    expect(second).toMatchObject({ name: 'bob', answers: 1, recent_answers: 1 })
    // One answer took 1.5 s and the others next to nothing, so the median is short.
    expect(first!.median_seconds).toBeLessThan(1.5)
    expect(first!.median_seconds).toBeGreaterThan(0)
    expect(overview).toMatchObject({ recent_answers: 2, skip_reasons: reasons, claimed_items: 1 })
    expect(overview!.items_by_answers).toEqual([4, 2, 1])
    expectInvalid(await queues.overview([id], { since: 'yesterday' }), ['body', 'since'])
  })

  test('is in the order requested, without deleted and unknown queues', async () => {
    const { queues, id } = await queueOf(1)
    const { id: other } = await ok(queues.create())
    const { id: deleted } = await ok(queues.create())
    await ok(queues.delete(deleted))
    const idsOf = async (ids?: string[]) => (await ok(queues.overview(ids))).queues.map(({ queue }) => queue.id)
    expect(await idsOf([id, 'none', other, deleted, id])).toEqual([id, other])
    expect(await idsOf([])).toEqual([])
    expect(await idsOf()).toEqual([other, id])
  })
})

describe('removing items', () => {
  test('takes them out with their answers, and their calls can be added again', async () => {
    const { queues, id, items, ann } = await queueOf(3)
    await ok(ann.progress(id, items[0]!, 'completed'))
    expect(await ok(queues.remove(id, [items[0]!, items[2]!, 'none', items[0]!]))).toEqual({ removed_count: 2 })
    expect((await ok(queues.items(id))).items.map((item) => item.id)).toEqual([items[1]!])
    expect((await ok(queues.overview())).queues).toMatchObject([{ items: 1, answers: 0, reviewers: [] }])
    expect(await ok(queues.remove(id, [items[0]!]))).toEqual({ removed_count: 0 })
    expect(await ok(queues.add(id, ['call-0', 'call-1']))).toEqual({ added_count: 1, duplicates: 1 })
    expect((await ok(queues.items(id))).items.map((item) => item.annotation_state)).toEqual(['unstarted', 'unstarted'])
  })

  test('of another queue changes nothing', async () => {
    const { queues, id, items } = await queueOf(1)
    const { id: other } = await ok(queues.create())
    expect(await ok(queues.remove(other, items))).toEqual({ removed_count: 0 })
    expect((await ok(queues.items(id))).items).toHaveLength(1)
    expectRefusal(await queues.remove('none', items), 404, 'none')
    expectInvalid(await queues.remove(id, [1 as unknown as string]), ['body', 'item_ids', '0'])
  })
})
