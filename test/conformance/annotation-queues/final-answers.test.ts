import { beforeAll, describe, expect, test } from 'bun:test'
import { queryFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { reviewedQueue } from '../support/reviewed-queue.ts'
import { ownServer } from '../support/target.ts'

const server = await ownServer()
let keys: string[]
let readKey: string
beforeAll(async () => {
  keys = await Promise.all(['ann', 'bob', 'cyd'].map((name) => server.createKey({ name, role: 'write', scope: '*' })))
  readKey = await server.createKey({ name: 'reader', role: 'read', scope: '*' })
})

async function queueOf(count: number) {
  const { people, ...queue } = await reviewedQueue(server, keys, count)
  const [ann, bob, cyd] = people as [Queues, Queues, Queues]
  return { ...queue, ann, bob, cyd }
}

/** Final answers of a project by call and question. */
async function finalsOf(project: Project): Promise<Record<string, unknown>> {
  const rows = await queryFeedback(project, { fields: ['call_id', 'feedback_type', 'payload', 'annotation_ref'] })
  const finals = rows.filter(({ feedback_type }) => String(feedback_type).startsWith('final_answer.'))
  return Object.fromEntries(
    finals.map(({ call_id, feedback_type, payload }) => [`${call_id} ${String(feedback_type)}`, payload]),
  )
}

describe('deciding an item', () => {
  test('stores final answers beside those of the reviewers', async () => {
    const { project, queues, id, items, refs, ann, bob, cyd, answer } = await queueOf(1)
    await answer(ann, items[0]!, { ok: true, tone: 2 })
    await answer(bob, items[0]!, { ok: false, tone: 2 })
    const before = await queryFeedback(project, { fields: ['id', 'payload'] })
    const answers = [
      { annotation_ref: refs.ok, value: false },
      { annotation_ref: refs.tone, value: null },
    ]
    expect((await ok(cyd.decide(id, items[0]!, { answers, reason: 'The write failed' }))).feedback_ids).toHaveLength(2)
    expect(await finalsOf(project)).toEqual({
      'call-0 final_answer.ok': { value: false, by: 'decision', reason: 'The write failed' },
      'call-0 final_answer.tone': { value: null, by: 'decision', reason: 'The write failed' },
    })
    const kept = await queryFeedback(project, { fields: ['id', 'payload'] })
    expect(kept.slice(0, before.length)).toEqual(before)
    const { items: shown } = await ok(queues.items(id, { include_feedback: true }))
    expect(shown[0]!.annotation_state).toBe('completed')
    expect(shown[0]!.feedback).toHaveLength(6)
  })

  test('again replaces one’s own decision, and that of others only if asked to', async () => {
    const { project, id, items, refs, ann, bob, cyd, answer } = await queueOf(1)
    await answer(ann, items[0]!, { ok: true })
    await answer(bob, items[0]!, { ok: false })
    const said = (value: unknown, members = {}) => ({ answers: [{ annotation_ref: refs.ok, value }], ...members })
    await ok(cyd.decide(id, items[0]!, said(true)))
    await ok(cyd.decide(id, items[0]!, said(false)))
    expect(await finalsOf(project)).toEqual({ 'call-0 final_answer.ok': { value: false, by: 'decision' } })
    expectRefusal(await bob.decide(id, items[0]!, said(true)), 409, 'decided')
    expect(await finalsOf(project)).toEqual({ 'call-0 final_answer.ok': { value: false, by: 'decision' } })
    await ok(bob.decide(id, items[0]!, said(true, { replace: true })))
    expect(await finalsOf(project)).toEqual({ 'call-0 final_answer.ok': { value: true, by: 'decision' } })
    expect(await ok(cyd.undecide(id, items[0]!))).toEqual({ removed_count: 1 })
    expect(await ok(cyd.undecide(id, items[0]!))).toEqual({ removed_count: 0 })
    expect(await finalsOf(project)).toEqual({})
  })

  test('refuses values that the spec refuses, items without answers, and strangers', async () => {
    const { project, id, items, refs, ann, answer } = await queueOf(2)
    await answer(ann, items[0]!, { ok: true })
    const answers = [{ annotation_ref: refs.ok, value: true }]
    expectRefusal(await ann.decide(id, items[0]!, { answers: [{ annotation_ref: refs.tone, value: 9 }] }), 400, 'tone')
    expectRefusal(await ann.decide(id, items[0]!, { answers: [] }), 400, 'answers')
    expectRefusal(await ann.decide(id, items[1]!, { answers }), 400, 'no answers')
    expectRefusal(await ann.decide(id, 'none', { answers }), 404, 'none')
    expectRefusal(await ann.decide('none', items[0]!, { answers }), 404, 'none')
    expectRefusal(await ann.undecide('none', items[0]!), 404, 'none')
    expectInvalid(await ann.decide(id, items[0]!, { answers: 'yes' }), ['body', 'answers'])
    const reader = new Queues(project.withKey(readKey))
    expectRefusal(await reader.decide(id, items[0]!, { answers }), 403, 'write')
    expectRefusal(await reader.undecide(id, items[0]!), 403, 'write')
    expectRefusal(await reader.settle(id), 403, 'write')
    expect(await finalsOf(project)).toEqual({})
  })
})

describe('settling a queue', () => {
  test('makes final what all reviewers of an item answered, once', async () => {
    const { project, queues, id, items, refs, ann, bob, answer } = await queueOf(4)
    await answer(ann, items[0]!, { ok: true, tone: 2 })
    await answer(bob, items[0]!, { ok: true, tone: 3 })
    await answer(ann, items[1]!, { ok: false, tone: 5 })
    await answer(bob, items[1]!, { ok: false, tone: 5 })
    // One of two answers is missing.
    await answer(ann, items[2]!, { ok: true, tone: 1 })
    expect(await ok(queues.settle(id))).toEqual({ stored_count: 3, removed_count: 0, final_count: 3 })
    const agreed = { by: 'agreement', answers: 2 }
    expect(await finalsOf(project)).toEqual({
      'call-0 final_answer.ok': { value: true, ...agreed },
      'call-1 final_answer.ok': { value: false, ...agreed },
      'call-1 final_answer.tone': { value: 5, ...agreed },
    })
    expect(await ok(queues.settle(id))).toEqual({ stored_count: 0, removed_count: 0, final_count: 3 })
    await ok(bob.decide(id, items[0]!, { answers: [{ annotation_ref: refs.tone, value: 3 }] }))
    await answer(bob, items[1]!, { ok: true, tone: 5 })
    await answer(bob, items[0]!, { ok: false, tone: 4 })
    expect(await ok(queues.settle(id))).toEqual({ stored_count: 0, removed_count: 2, final_count: 2 })
    expect(await finalsOf(project)).toEqual({
      'call-0 final_answer.tone': { value: 3, by: 'decision' },
      'call-1 final_answer.tone': { value: 5, ...agreed },
    })
    expectRefusal(await queues.settle('none'), 404, 'none')
  })
})
