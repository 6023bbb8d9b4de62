import { describe, expect, test } from 'bun:test'
import {
  callRef,
  draftOf,
  type FeedbackReceipt,
  feedbackIds,
  giveFeedback,
  purgeFeedback,
  queryFeedback,
} from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { equals, get, literal } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

async function projectWithThree(): Promise<Project> {
  const project = freshProject(server)
  for (const id of ['x', 'y', 'z']) await giveFeedback(project, { id })
  return project
}

describe('feedback/purge', () => {
  test('deletes the ids named by $eq and $or', async () => {
    const project = await projectWithThree()
    const answer = await purgeFeedback(project, equals('id', 'y'))
    expect([answer.status, answer.json]).toEqual([200, {}])
    expect(await feedbackIds(project)).toEqual(['x', 'z'])
    await purgeFeedback(project, { $or: [equals('id', 'x'), equals('id', 'z')] })
    expect(await feedbackIds(project)).toEqual([])
  })

  test('ignores unknown ids and other projects', async () => {
    const [one, other] = [await projectWithThree(), await projectWithThree()]
    expect((await purgeFeedback(one, equals('id', 'unknown'))).status).toBe(200)
    await purgeFeedback(one, equals('id', 'x'))
    expect(await feedbackIds(other)).toEqual(['x', 'y', 'z'])
  })

  test('allows new feedback with the same id', async () => {
    const project = await projectWithThree()
    await purgeFeedback(project, equals('id', 'x'))
    await giveFeedback(project, { id: 'x', payload: { again: true } })
    expect(await queryFeedback(project, { fields: ['payload'], query: { $expr: equals('id', 'x') } })).toEqual([
      { payload: { again: true } },
    ])
  })

  test.each([
    ['$in', { $in: [get('id'), [literal('x')]] }],
    ['another field', equals('creator', 'x')],
    ['$and', { $and: [equals('id', 'x'), equals('id', 'y')] }],
    ['$and of one id', { $and: [equals('id', 'x')] }],
    ['$and in an alternative', { $or: [{ $and: [equals('id', 'x')] }, equals('id', 'y')] }],
    ['a negation', { $not: [equals('id', 'x')] }],
  ])('rejects %s', async (_what, expression) => {
    const project = await projectWithThree()
    expectRefusal(await purgeFeedback(project, expression), 400, 'ids')
    expect(await feedbackIds(project)).toEqual(['x', 'y', 'z'])
  })

  test('requires a query', async () => {
    const project = await projectWithThree()
    expectInvalid(await server.post('/feedback/purge', { project_id: project.id }), ['body', 'query'])
  })
})

describe('feedback/replace', () => {
  const replace = (project: Project, members: Record<string, unknown>) =>
    server.post<FeedbackReceipt>('/feedback/replace', draftOf(project, members))

  test('replaces the old feedback with new feedback under a new id', async () => {
    const project = await projectWithThree()
    const answer = await replace(project, { feedback_id: 'y', payload: { new: 1 } })
    expect(answer.status).toBe(200)
    expect(answer.json.payload).toEqual({ new: 1 })
    expect(await feedbackIds(project)).toEqual(['x', 'z', answer.json.id])
  })

  test('keeps the id if the request has it', async () => {
    const project = await projectWithThree()
    await replace(project, { feedback_id: 'y', id: 'y', payload: { new: 1 } })
    expect(await feedbackIds(project)).toEqual(['x', 'z', 'y'])
    await replace(project, { feedback_id: 'x', id: 'w' })
    expect(await feedbackIds(project)).toEqual(['z', 'y', 'w'])
  })

  test('leaves one replacement when repeated or concurrent', async () => {
    const project = await projectWithThree()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        replace(project, { feedback_id: 'y', payload: { n }, ...(n % 5 === 0 && { id: `given-${n}` }) }),
      ),
    )
    const one = async () => {
      const ids = (await feedbackIds(project)).filter((id) => id !== 'x' && id !== 'z')
      expect(ids).toHaveLength(1)
      return String(ids[0])
    }
    expect(answers.map(({ json }) => json.id)).toContain(await one())
    const again = await replace(project, { feedback_id: 'y', payload: { again: 1 } })
    expect(await one()).toBe(again.json.id)
    const ofTheFirst = await replace(project, { feedback_id: answers[0]!.json.id, payload: { late: 1 } })
    expect(await one()).toBe(ofTheFirst.json.id)
    await Promise.all([
      replace(project, { feedback_id: ofTheFirst.json.id, id: 'y' }),
      replace(project, { feedback_id: 'y', id: ofTheFirst.json.id }),
    ])
    await one()
  })

  test('replaces feedback that was recreated under its id', async () => {
    const project = await projectWithThree()
    const taken = (await replace(project, { feedback_id: 'y' })).json.id
    await giveFeedback(project, { id: 'y' })
    await replace(project, { feedback_id: 'y', id: 'w' })
    expect(await feedbackIds(project)).toEqual(['x', 'z', taken, 'w'])
  })

  test('of unknown feedback creates it', async () => {
    const project = freshProject(server)
    expect((await replace(project, { feedback_id: 'not there!', id: 'n' })).status).toBe(200)
    expect(await feedbackIds(project)).toEqual(['n'])
  })

  test('deletes nothing if the new feedback is invalid', async () => {
    const project = await projectWithThree()
    const bad = { feedback_id: 'x', feedback_type: 'ext.note.1', payload: {} }
    expectRefusal(await replace(project, bad), 400, 'note')
    expect(await feedbackIds(project)).toEqual(['x', 'y', 'z'])
  })

  test('requires feedback_id', async () => {
    const project = freshProject(server)
    expectInvalid(await replace(project, {}), ['body', 'feedback_id'])
  })
})

describe('include_feedback', () => {
  test('lists the feedback of each call, oldest first', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' }, { id: 'b' }, { id: 'c' })
    const first = await giveFeedback(project, { id: 'first', creator: 'Ada' })
    await giveFeedback(project, { id: 'second', feedback_type: 'ext.reaction.1', payload: { emoji: '👍' } })
    await giveFeedback(project, { id: 'vendor', ext_ref: `weave:///${project.id}/call/b` })
    await giveFeedback(project, { id: 'elsewhere', ext_ref: 'ext:///some/where/call/c' })
    const calls = await project.query({ include_feedback: true, sort_by: [{ field: 'id', direction: 'asc' }] })
    const lists = calls.map(({ summary }) => summary.ext['feedback'] as { id: string }[])
    expect(lists.map((list) => list.map(({ id }) => id))).toEqual([['first', 'second'], ['vendor'], []])
    expect(lists[0]![0]).toEqual({
      id: 'first',
      feedback_type: 'thought',
      ext_ref: callRef(project, 'a'),
      payload: { text: 'hm' },
      creator: 'Ada',
      created_at: first.created_at,
      ext_user_id: first.ext_user_id,
      runnable_ref: null,
      call_ref: null,
      trigger_ref: null,
      annotation_ref: null,
      queue_id: null,
    } as never)
  })

  test('combines with costs, sizes, pages and sorting', async () => {
    const project = freshProject(server)
    const summary = { usage: { 'gpt-4o': { prompt_tokens: 1 } } }
    await project.add({ id: 'a', summary }, { id: 'b', summary, started_at: '2024-05-02T00:00:00Z' })
    await giveFeedback(project, { ext_ref: callRef(project, 'b') })
    const flags = { include_feedback: true, include_costs: true, include_total_storage_size: true }
    const calls = await project.query({ ...flags, sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 2 })
    expect(calls.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(calls[0]!.summary.ext['feedback']).toHaveLength(1)
    expect(calls[0]!.summary.ext).toHaveProperty(['costs', 'gpt-4o'])
    expect(calls[0]!.total_storage_size_bytes).toBePositive()
  })

  test('is included in CSV', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    await giveFeedback(project, { id: 'f' })
    const request = { include_feedback: true, columns: ['id', 'summary.ext.feedback'] }
    const { text } = await project.ask(request, 'text/csv')
    expect(text).toContain('""id"":""f""')
  })

  test('keeps payloads verbatim, and is absent unless requested', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    await server.postRaw(
      '/feedback/create',
      JSON.stringify(draftOf(project, { payload: 'P' })).replace('"P"', '{"n":1.0}'),
    )
    expect((await project.ask({ include_feedback: true })).text).toContain('"payload":{"n":1.0}')
    expect((await project.ask()).text).not.toContain('feedback')
  })
})
