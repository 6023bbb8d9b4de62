import { describe, expect, test } from 'bun:test'
import { callRef, giveFeedback, purgeFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import {
  and,
  contains,
  containsToken,
  convert,
  eq,
  equals,
  get,
  is,
  isIn,
  literal,
  not,
  type Operation,
  or,
  size,
} from '../support/query-expression.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const give = (project: Project, callId: string, feedback_type: string, members: Record<string, unknown>) =>
  giveFeedback(project, { ext_ref: callRef(project, callId), feedback_type, ...members })

/** Calls `a` to `d`, one second after the other, with feedback on all but `d`. */
async function projectWithFeedback(): Promise<Project> {
  const project = freshProject(server)
  await project.add(
    ...['a', 'b', 'c', 'd'].map((id, second) => ({ id, started_at: `2024-05-01T10:00:0${second}Z`, trace_id: 't' })),
  )
  await give(project, 'a', 'ext.note.1', { payload: { note: 'a fine answer' } })
  await give(project, 'a', 'rating', { payload: { score: 5, by: { name: 'Ada' }, flag: true } })
  await give(project, 'b', 'ext.note.1', { payload: { note: 'Too short' } })
  await give(project, 'b', 'rating', { id: 'rating-1', payload: { score: 9, wanted: 9, tags: ['x', 'y'] } })
  await give(project, 'b', 'rating', { id: 'rating-2', payload: { score: 2, wanted: 3, flag: false } })
  await give(project, 'c', 'other', { payload: { score: 7, 'a.b': null } })
  await give(project, 'c', 'ext.runnable.judge', {
    payload: { output: { passed: true } },
    runnable_ref: `ext:///${project.id}/object/judge:v1`,
    trigger_ref: `ext:///${project.id}/object/monitor:v3`,
  })
  return project
}

const project = await projectWithFeedback()
const score = 'feedback.[rating].payload.score'
const note = 'feedback.[ext.note.1].payload.note'

const cases: [string, Operation, string[]][] = [
  ['a text of the payload', is(note, '$eq', 'Too short'), ['b']],
  ['the vendor’s name of a built-in type', is('feedback.[wandb.note.1].payload.note', '$eq', 'Too short'), ['b']],
  ['a number, in any feedback of the call', is(score, '$gt', 4), ['a', 'b']],
  ['a number, in older feedback', is(score, '$eq', 9), ['b']],
  ['a number in feedback of any type', is('feedback.[*].payload.score', '$gte', 7), ['b', 'c']],
  ['a truth value', and(get('feedback.[rating].payload.flag')), ['a']],
  ['a value inside an object', is('feedback.[rating].payload.by.name', '$eq', 'Ada'), ['a']],
  ['$contains', contains(get(note), 'FINE', true), ['a']],
  ['$containsToken', containsToken(get(note), 'short'), ['b']],
  ['$in', isIn(get(score), 2, 5, 7), ['a', 'b']],
  ['$size', eq(size(get('feedback.[rating].payload.tags')), literal(2)), ['b']],
  ['$convert', eq(convert(get(score), 'string'), literal('5')), ['a']],
  ['exists', eq(convert(get(score), 'exists'), literal(true)), ['a', 'b']],
  ['exists not', eq(convert(get(score), 'exists'), literal(false)), ['c', 'd']],
  ['$eq null: no such feedback has the value', is(score, '$eq', null), ['c', 'd']],
  ['$not is unknown without feedback', not(is(score, '$gt', 4)), []],
  ['$not is known with feedback', not(is(score, '$gt', 6)), ['a']],
  ['two fields of one and the same row', { $lt: [get(score), get('feedback.[rating].payload.wanted')] }, ['b']],
  ['two fields that are equal in one row', eq(get(score), get('feedback.[rating].payload.wanted')), ['b']],
  ['separate conditions in $and', and(is(score, '$eq', 9), is(score, '$eq', 2)), ['b']],
  [
    'conditions on several types',
    or(is(note, '$eq', 'a fine answer'), is('feedback.[other].payload.score', '$eq', 7)),
    ['a', 'c'],
  ],
  ['combined with a field of the call', and(is(score, '$gt', 4), is('id', '$eq', 'a')), ['a']],
  ['compared with a value of the call', { $gt: [get(score), get('inputs.nothing')] }, []],
  ['runnable_ref', is('feedback.[*].runnable_ref', '$eq', `ext:///${project.id}/object/judge:v1`), ['c']],
  [
    'runnable_ref in the vendor’s scheme',
    is('feedback.[*].runnable_ref', '$eq', `weave:///${project.id}/object/judge:v1`),
    ['c'],
  ],
  ['trigger_ref', contains(get('feedback.[ext.runnable.judge].trigger_ref'), 'monitor'), ['c']],
  ['a type that nothing has', is('feedback.[none].payload.score', '$eq', 5), []],
]

const sorted = (field: string, direction: 'asc' | 'desc', request: Record<string, unknown> = {}) =>
  project.idsOf({ sort_by: [{ field, direction }], ...request })

describe('query over feedback', () => {
  test.each(cases)('%s', async (_what, operation, ids) => {
    expect(await project.idsOf({ query: { $expr: operation } })).toEqual(ids)
  })

  test('combines with every other part of a request', async () => {
    const query = { $expr: is(score, '$gt', 4) }
    expect(await project.stats({ query })).toMatchObject({ count: 2, has_more: false })
    expect(await project.stats({ query, include_total_storage_size: true })).toMatchObject({ count: 2 })
    expect(await project.idsOf({ query, limit: 1, offset: 1 })).toEqual(['b'])
    expect(await project.idsOf({ query, filter: { call_ids: ['b', 'c'] } })).toEqual(['b'])
    const flags = { include_feedback: true, include_costs: true, include_total_storage_size: true }
    const calls = await project.query({ query, ...flags })
    expect(calls.map(({ id, summary }) => [id, (summary.ext['feedback'] as unknown[]).length])).toEqual([
      ['a', 2],
      ['b', 3],
    ])
  })

  test.each(['text/csv', 'application/vnd.apache.parquet', 'application/vnd.apache.arrow.stream'])(
    'works with %s',
    async (accept) => {
      const answer = await project.ask({ query: { $expr: is(score, '$gt', 4) }, columns: ['id'] }, accept)
      expect(answer.status).toBe(200)
      if (accept === 'text/csv') expect(answer.text).toBe('id\r\na\r\nb\r\n')
    },
  )

  test('works in the older query', async () => {
    const body = { project_id: project.id, query: { $expr: is(score, '$eq', 9) } }
    const answer = await server.post<{ calls: { id: string }[] }>('/calls/query', body)
    expect(answer.json.calls.map(({ id }) => id)).toEqual(['b'])
  })

  test('does not see feedback of other projects or what was purged', async () => {
    const [mine, other] = [freshProject(server), freshProject(server)]
    for (const each of [mine, other]) await each.add({ id: 'a' })
    const { id } = await give(other, 'a', 'rating', { payload: { score: 1 } })
    const query = { $expr: is(score, '$eq', 1) }
    expect(await mine.idsOf({ query })).toEqual([])
    expect(await other.idsOf({ query })).toEqual(['a'])
    await purgeFeedback(other, equals('id', id))
    expect(await other.idsOf({ query })).toEqual([])
  })
})

describe('sort over feedback', () => {
  test('uses the newest feedback; calls without it are the smallest', async () => {
    expect(await sorted(score, 'asc')).toEqual(['d', 'c', 'b', 'a'])
    expect(await sorted(score, 'desc')).toEqual(['a', 'b', 'd', 'c'])
    expect(await sorted('feedback.[*].payload.wanted', 'desc', { limit: 1 })).toEqual(['b'])
  })

  test('sorts by text, also with weave names', async () => {
    expect((await sorted(note, 'asc')).slice(-2)).toEqual(['b', 'a'])
    expect(await sorted('feedback.[wandb.note.1].payload.note', 'desc', { limit: 2 })).toEqual(['a', 'b'])
    expect(await sorted('feedback.[*].runnable_ref', 'desc', { limit: 1 })).toEqual(['c'])
  })

  test('combines with conditions, columns and included feedback', async () => {
    const query = { $expr: is(score, '$gt', 0) }
    const calls = await project.query({
      query,
      columns: ['id', 'summary'],
      include_feedback: true,
      sort_by: [{ field: score, direction: 'asc' }],
    })
    expect(calls.map(({ id }) => id)).toEqual(['b', 'a'])
  })
})
