import { describe, expect, test } from 'bun:test'
import { compareTimes } from '../../../src/lib/time.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const createKey = (name: string, role: 'read' | 'write') => server.createKey({ name, role, scope: '*' })
const [annKey, bobKey, readerKey] = await Promise.all([
  createKey('ann', 'write'),
  createKey('bob', 'write'),
  createKey('reader', 'read'),
])

/** A queue of the calls `a`, `b` and `c`, as two annotators see it. */
async function queueOfThree() {
  const project = freshProject(server.client)
  await project.add(...['a', 'b', 'c'].map((id) => ({ id })))
  const queues = new Queues(project)
  const { id } = await ok(queues.create())
  await ok(queues.add(id, ['a', 'b', 'c']))
  const { items } = await ok(queues.items(id))
  const [a, b, c] = items.map((item) => item.id) as [string, string, string]
  const ann = new Queues(project.withKey(annKey))
  const bob = new Queues(project.withKey(bobKey))
  const stateOf = async (itemId: string) =>
    (await ok(queues.items(id, { filter: { id: itemId } }))).items[0]!.annotation_state
  const completed = async () => (await ok(queues.stats([id]))).stats[0]!['completed_items']
  return { queues, id, a, b, c, ann, bob, stateOf, completed }
}

describe('progress of one annotator', () => {
  test.each(['in_progress', 'completed', 'skipped'])(
    'starts with %s, and repeating it changes nothing',
    async (state) => {
      const { id, a, ann, queues } = await queueOfThree()
      const { item } = await ok(ann.progress(id, a, state))
      expect(item).toMatchObject({ id: a, annotation_state: state })
      expect(item.annotator_user_id).toBeString()
      expect((await ok(ann.progress(id, a, state))).item).toEqual(item)
      expect((await ok(queues.items(id))).items.map(({ annotation_state }) => annotation_state)).toEqual([
        state,
        'unstarted',
        'unstarted',
      ])
    },
  )

  test.each(['completed', 'skipped'])('goes from in_progress to %s, which is final', async (end) => {
    const { id, a, ann, completed } = await queueOfThree()
    await ok(ann.progress(id, a, 'in_progress'))
    expect(await completed()).toBe(0)
    await ok(ann.progress(id, a, end))
    expect(await completed()).toBe(1)
    expectRefusal(await ann.progress(id, a, 'in_progress'), 400, end)
    expectRefusal(await ann.progress(id, a, end === 'completed' ? 'skipped' : 'completed'), 400, end)
    expect(await completed()).toBe(1)
  })

  test.each(['unstarted', 'done', ''])('cannot be %j', async (state) => {
    const { id, a, ann } = await queueOfThree()
    expectRefusal(await ann.progress(id, a, state), 400, 'in_progress, completed, skipped')
  })

  test('is limited to items of the queue', async () => {
    const { queues, id, ann } = await queueOfThree()
    expectRefusal(await ann.progress(id, 'no-such-item', 'completed'), 400, 'no-such-item')
    const { id: other } = await ok(queues.create())
    await ok(queues.add(other, ['a']))
    const theirs = (await ok(queues.items(other))).items[0]!.id
    expectRefusal(await ann.progress(id, theirs, 'completed'), 400, theirs)
    expectRefusal(await ann.progress('no-such-queue', theirs, 'completed'), 404, 'no-such-queue')
  })

  test('requires write access', async () => {
    const { id, a, queues } = await queueOfThree()
    const reader = new Queues(queues.project.withKey(readerKey))
    expectRefusal(await reader.progress(id, a, 'completed'), 403)
    expectRefusal(await reader.create(), 403)
    expectRefusal(await reader.update(id, { name: 'x' }), 403)
    expectRefusal(await reader.delete(id), 403)
    expectRefusal(await reader.add(id, ['a']), 403)
    expect((await ok(reader.items(id))).items).toHaveLength(3)
    expect((await ok(reader.read(id))).queue.id).toBe(id)
    expect((await ok(reader.stats([id]))).stats).toHaveLength(1)
  })
})

describe('two annotators of one queue', () => {
  test('complete it independently', async () => {
    const { id, a, b, c, ann, bob, stateOf, completed } = await queueOfThree()
    const annId = (await ok(ann.progress(id, a, 'in_progress'))).item.annotator_user_id
    const shown = (await ok(bob.progress(id, a, 'in_progress'))).item
    expect(shown.annotator_user_id).not.toBe(annId)
    expect(await completed()).toBe(0)

    // The item shows the latest state, although Bob has not finished.
    await ok(ann.progress(id, a, 'completed'))
    expect([await stateOf(a), await completed()]).toEqual(['completed', 1])
    await ok(bob.progress(id, a, 'skipped'))
    expect([await stateOf(a), await completed()]).toEqual(['skipped', 1])
    // Ann had completed it; that Bob skipped it does not open it for her again.
    expectRefusal(await ann.progress(id, a, 'skipped'), 400, 'completed')
    expect((await ok(ann.progress(id, a, 'completed'))).item.annotation_state).toBe('skipped')

    await ok(bob.progress(id, b, 'completed'))
    expect([await stateOf(b), await completed()]).toEqual(['completed', 2])
    await ok(ann.progress(id, b, 'in_progress'))
    expect([await stateOf(b), await completed()]).toEqual(['in_progress', 2])
    await ok(ann.progress(id, b, 'completed'))
    await ok(ann.progress(id, c, 'skipped'))
    expect([await stateOf(c), await completed()]).toEqual(['skipped', 3])
    await ok(bob.progress(id, c, 'completed'))
    expect([await stateOf(c), await completed()]).toEqual(['completed', 3])
  })

  test('work concurrently', async () => {
    const { queues, id, a, b, c, ann, bob, completed } = await queueOfThree()
    const work = async (annotator: Queues, itemIds: string[]) => {
      for (const itemId of itemIds) {
        await ok(annotator.progress(id, itemId, 'in_progress'))
        await ok(annotator.progress(id, itemId, 'completed'))
      }
    }
    await Promise.all([work(ann, [a, b, c]), work(bob, [c, a, b])])
    expect((await ok(queues.items(id))).items.map(({ annotation_state }) => annotation_state)).toEqual([
      'completed',
      'completed',
      'completed',
    ])
    expect(await completed()).toBe(3)
  })

  test('send conflicting final states concurrently: one wins', async () => {
    const { id, a, ann } = await queueOfThree()
    const answers = await Promise.all(
      ['completed', 'skipped', 'completed', 'skipped'].map((to) => ann.progress(id, a, to)),
    )
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(2)
    expect(new Set(winners.map(({ json }) => json.item.annotation_state)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(2)
  })

  test('progress changes updated_at of the item', async () => {
    const { queues, id, b, ann } = await queueOfThree()
    const before = (await ok(queues.items(id))).items
    const { item } = await ok(ann.progress(id, b, 'in_progress'))
    expect(compareTimes(item.updated_at, before[2]!.updated_at)).toBeGreaterThan(0)
    const newest = await ok(queues.items(id, { sort_by: [{ field: 'updated_at', direction: 'desc' }], limit: 1 }))
    expect(newest.items[0]!.id).toBe(b)
    const open = await ok(queues.items(id, { filter: { annotation_states: ['unstarted'] } }))
    expect(open.items.map(({ call_id }) => call_id)).toEqual(['a', 'c'])
  })
})
