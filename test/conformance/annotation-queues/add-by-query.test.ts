import { describe, expect, test } from 'bun:test'
import type { Project } from '../support/project.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const client = await sharedServer()

const isWanted = { $expr: { $eq: [{ $getField: 'inputs.wanted' }, { $literal: true }] } }

/** A project of calls 0 to 19: even ones are wanted, and every third is in the thread "t". */
async function queueOfProject(): Promise<{ project: Project; queues: Queues; id: string }> {
  const project = freshProject(client)
  const calls = Array.from({ length: 20 }, (_, index) => ({
    id: `call-${String(index).padStart(2, '0')}`,
    started_at: `2026-03-01T10:00:${String(index).padStart(2, '0')}Z`,
    inputs: { wanted: index % 2 === 0 },
    ...(index % 3 === 0 && { thread_id: 't' }),
  }))
  await project.add(...calls)
  const queues = new Queues(project)
  const { id } = await ok(queues.create())
  return { project, queues, id }
}

const callsIn = async (queues: Queues, id: string) => (await ok(queues.items(id))).items.map(({ call_id }) => call_id)

describe('add_by_query', () => {
  test('takes the newest that match, and again only what is new', async () => {
    const { project, queues, id } = await queueOfProject()
    const counted = { matched_count: 10, in_queue_count: 0, chosen_count: 3, added_count: 0, duplicates: 0 }
    expect(await ok(queues.addByQuery(id, { query: isWanted, limit: 3, count_only: true }))).toEqual(counted)
    expect(await callsIn(queues, id)).toEqual([])
    expect(await ok(queues.addByQuery(id, { query: isWanted, limit: 3 }))).toEqual({ ...counted, added_count: 3 })
    expect(await callsIn(queues, id)).toEqual(['call-18', 'call-16', 'call-14'])
    const again = { matched_count: 10, in_queue_count: 3, chosen_count: 3, added_count: 0, duplicates: 3 }
    expect(await ok(queues.addByQuery(id, { query: isWanted, limit: 3 }))).toEqual(again)
    await project.add({ id: 'call-20', started_at: '2026-03-01T10:01:00Z', inputs: { wanted: true } })
    const later = { matched_count: 11, in_queue_count: 3, chosen_count: 3, added_count: 1, duplicates: 2 }
    expect(await ok(queues.addByQuery(id, { query: isWanted, limit: 3 }))).toEqual(later)
    const all = { matched_count: 21, in_queue_count: 4, chosen_count: 21, added_count: 17, duplicates: 4 }
    expect(await ok(queues.addByQuery(id))).toEqual(all)
    expect(new Set(await callsIn(queues, id)).size).toBe(21)
  })

  test('takes the calls of a thread, and none where none match', async () => {
    const { queues, id } = await queueOfProject()
    const none = { matched_count: 0, in_queue_count: 0, chosen_count: 0, added_count: 0, duplicates: 0 }
    expect(await ok(queues.addByQuery(id, { filter: { thread_ids: ['other'] } }))).toEqual(none)
    const found = await ok(queues.addByQuery(id, { filter: { thread_ids: ['t'] }, display_fields: ['inputs.wanted'] }))
    expect(found).toMatchObject({ matched_count: 7, added_count: 7 })
    expect(await callsIn(queues, id)).toContain('call-15')
  })

  test('takes the same random sample for the same seed', async () => {
    const { queues, id } = await queueOfProject()
    const { id: other } = await ok(queues.create())
    const { id: third } = await ok(queues.create())
    expect(await ok(queues.addByQuery(id, { limit: 5, sample_seed: 1 }))).toMatchObject({ added_count: 5 })
    await ok(queues.addByQuery(other, { limit: 5, sample_seed: 1 }))
    await ok(queues.addByQuery(third, { limit: 5, sample_seed: 2 }))
    const [own, same, different] = await Promise.all([id, other, third].map((each) => callsIn(queues, each)))
    expect(own).toEqual(same!)
    expect(own).not.toEqual(different!)
    expect(await ok(queues.addByQuery(id, { limit: 5, sample_seed: 1 }))).toMatchObject({
      added_count: 0,
      duplicates: 5,
    })
  })

  test('refuses unknown fields and queues, limits and types, and adds nothing', async () => {
    const { queues, id } = await queueOfProject()
    expectRefusal(await queues.addByQuery('none'), 404, 'none')
    expectInvalid(await queues.addByQuery(id, { limit: 0 }), ['body', 'limit'])
    expectInvalid(await queues.addByQuery(id, { limit: 10_001 }), ['body', 'limit'])
    expectInvalid(await queues.addByQuery(id, { sample_seed: -1 }), ['body', 'sample_seed'])
    const unknown = { $expr: { $eq: [{ $getField: 'nothing' }, { $literal: 1 }] } }
    expectRefusal(await queues.addByQuery(id, { query: unknown }), 422, 'nothing')
    expect(await callsIn(queues, id)).toEqual([])
  })
})

describe('adding calls on which scorers disagree', () => {
  const say = (project: Project, call: string, type: string, payload: unknown) =>
    project.client.post('/feedback/create', {
      project_id: project.id,
      ext_ref: `ext:///${project.id}/call/${call}`,
      feedback_type: type,
      payload,
    })

  test('compares the newest values: numbers by their distance, others as JSON', async () => {
    const { project, queues, id } = await queueOfProject()
    const both = async (call: string, a: unknown, b: unknown) => {
      await say(project, call, 'judge-a', { output: a })
      await say(project, call, 'judge-b', { output: b })
    }
    await both('call-01', { ok: true, score: 4 }, { ok: true, score: 5 })
    await both('call-02', { ok: true, score: 4 }, { ok: false, score: 2 })
    await both('call-03', { ok: false, score: 2 }, { ok: true, score: 2.0 })
    await say(project, 'call-03', 'judge-a', { output: { ok: true, score: 2 } })
    await say(project, 'call-04', 'judge-a', { output: { ok: true, score: 1 } })
    await both('call-05', { ok: null, score: 1 }, { ok: true, score: 'high' })
    const judges = (path: string, apart?: number) => ({
      disagreement: {
        first: { feedback_type: 'judge-a', path },
        second: { feedback_type: 'judge-b', path },
        ...(apart !== undefined && { apart }),
      },
      count_only: true,
    })
    const matched = async (members: Record<string, unknown>) => (await ok(queues.addByQuery(id, members))).matched_count
    expect(await matched(judges('output.ok'))).toBe(1)
    expect(await matched(judges('output.score'))).toBe(3)
    expect(await matched(judges('output.score', 1))).toBe(2)
    expect(await matched(judges('output.none'))).toBe(0)
    expect(await matched({ ...judges('output.score'), filter: { call_ids: ['call-02'] } })).toBe(1)
    await ok(queues.addByQuery(id, { ...judges('output.score', 1), count_only: false }))
    expect(await callsIn(queues, id)).toEqual(['call-05', 'call-02'])
  })
})
