import { expect, test } from 'bun:test'
import { queryFeedback } from '../conformance/support/feedback.ts'
import { Project } from '../conformance/support/project.ts'
import { ok, Queues } from '../conformance/support/queues.ts'
import { annotationSpecOf } from '../conformance/support/reviewed-queue.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const adminKey = 'c'.repeat(40)
const itemCount = 40
const killsMax = 3

test('decisions, gold items, final answers and calls added by a query outlive kills', async () => {
  const data = await makeTempFolder()
  let server = await startServer({ data, adminKey })
  try {
    const queues = () => new Queues(new Project(server.client, 'crash', 'finals'))
    const annKey = await server.createKey({ name: 'ann', role: 'write', scope: '*' })
    const ann = () => new Queues(queues().project.withKey(annKey))
    const { project } = queues()
    const ids = Array.from({ length: itemCount }, (_, index) => `call-${String(index).padStart(2, '0')}`)
    await project.add(...ids.map((id) => ({ id })))
    const annotation_ref = await annotationSpecOf(project, 'ok', { type: 'boolean' })
    const { id } = await ok(queues().create({ scorer_refs: [annotation_ref] }))
    await ok(queues().setReview(id, { reviewers_per_item: 2 }))

    // Killed while it adds, and asked again: each call is one item.
    const adding = Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => queues().addByQuery(id, { limit: 5 * (index + 1) })),
    )
    await Bun.sleep(20)
    await server.kill()
    await adding
    server = await startServer({ data, adminKey })
    await ok(queues().addByQuery(id))
    const { items } = await ok(queues().items(id))
    expect(items.map(({ call_id }) => call_id).toSorted()).toEqual(ids)

    // The two people agree on every other item.
    const answer = async (who: Queues, itemId: string, value: boolean) => {
      await ok(who.claim(id, { item_id: itemId }))
      await ok(who.submit(id, itemId, { answers: [{ annotation_ref, value }] }))
    }
    for (const [index, item] of items.entries()) {
      await answer(ann(), item.id, true)
      await answer(queues(), item.id, index % 2 === 0)
    }
    const disputed = items.filter((_, index) => index % 2 === 1)
    const decided = new Map<string, boolean>()
    const gold = new Set<string>()
    for (let kills = 0; kills < killsMax; kills++) {
      const until = decided.size + 4
      const work = async () => {
        for (const item of disputed.filter((each) => !decided.has(each.id))) {
          const value = decided.size % 3 === 0
          const { status } = await queues().decide(id, item.id, { answers: [{ annotation_ref, value }] })
          expect(status).toBe(200)
          decided.set(item.id, value)
          expect((await queues().setGold(id, item.id, [{ annotation_ref, value }])).status).toBe(200)
          gold.add(item.id)
          await queues().settle(id)
        }
      }
      const working = work().catch(() => undefined)
      while (decided.size < until) await Bun.sleep(1)
      await server.kill()
      await working
      server = await startServer({ data, adminKey })
    }
    const { final_count } = await ok(queues().settle(id))
    expect(await ok(queues().settle(id))).toEqual({ stored_count: 0, removed_count: 0, final_count })
    const rows = await queryFeedback(queues().project, { fields: ['call_id', 'feedback_type', 'payload'] })
    const finals = rows.filter(({ feedback_type }) => feedback_type === 'final_answer.ok')
    expect(finals).toHaveLength(final_count)
    // Each call has one final answer at most, and what was acknowledged is there.
    const byCall = new Map(finals.map(({ call_id, payload }) => [call_id, payload as { value: boolean; by: string }]))
    expect(byCall.size).toBe(finals.length)
    for (const [index, item] of items.entries())
      if (index % 2 === 0) expect(byCall.get(item.call_id)).toMatchObject({ value: true, by: 'agreement' })
    for (const [itemId, value] of decided) {
      const callId = items.find((item) => item.id === itemId)!.call_id
      expect(byCall.get(callId)).toMatchObject({ value, by: 'decision' })
    }
    const known = new Set((await ok(queues().gold(id))).items.map(({ item_id }) => item_id))
    for (const itemId of gold) expect(known).toContain(itemId)
    expect((await ok(queues().items(id))).items).toHaveLength(itemCount)
  } finally {
    await server.kill()
    await removeFolder(data)
  }
}, 180_000)
