import { describe, expect, test } from 'bun:test'
import { askFeedback, callRef, draftOf, feedbackIds, giveFeedback, queryFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { equals, get, literal } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

async function projectWithFeedback(): Promise<Project> {
  const project = freshProject(server)
  await giveFeedback(project, { id: '1', payload: { score: 5, label: 'good', deep: { list: [1, 2] } } })
  await giveFeedback(project, { id: '2', payload: { score: '7', label: '' }, ext_ref: callRef(project, 'b') })
  await giveFeedback(project, { id: '3', feedback_type: 'ext.note.1', payload: { note: 'a note', score: null } })
  return project
}

const where = (expression: unknown) => ({ query: { $expr: expression } })

/** Members added after the release of some clients, which reject unknown ones. */
const young = {
  queue_id: null,
  scorer_tags: ['good'],
  scorer_tag_reasons: { good: 'it is' },
  scorer_tag_confidences: { good: 0.5 },
  scorer_ratings: { quality: 1 },
  scorer_rating_reasons: { quality: 'high' },
  scorer_rating_confidences: { quality: 0 },
  span_agent_name: 'agent',
  span_agent_version: '2',
  span_status_code: 'OK',
  span_conversation_id: 'talk',
  span_trace_id: 'trace',
  scorer_trace_id: 'judge',
}

describe('feedback/query', () => {
  test('omits newer members without a value', async () => {
    const project = freshProject(server)
    const empty = {
      ...Object.fromEntries(Object.keys(young).map((name) => [name, null])),
      scorer_tags: [],
      scorer_ratings: {},
    }
    await giveFeedback(project, { id: 'without' })
    await giveFeedback(project, { id: 'empty', ...empty, span_status_code: 'UNSET', span_agent_name: '' })
    await giveFeedback(project, { id: 'with', ...young })
    const [without, alsoWithout, withAll] = await queryFeedback(project)
    const old = [
      'annotation_ref',
      'call_ref',
      'created_at',
      'creator',
      'ext_ref',
      'ext_user_id',
      'feedback_type',
      'id',
      'payload',
      'project_id',
      'runnable_ref',
      'trigger_ref',
    ]
    expect(Object.keys(without!).sort()).toEqual(old)
    expect(Object.keys(alsoWithout!).sort()).toEqual(old)
    const { queue_id: _, ...held } = young
    expect(withAll).toMatchObject(held)
    expect(Object.keys(withAll!).sort()).toEqual([...old, ...Object.keys(held)].sort())
    const [named] = await queryFeedback(project, { fields: Object.keys(young) })
    expect(named).toMatchObject({
      queue_id: null,
      scorer_tags: [],
      scorer_ratings: {},
      span_agent_name: '',
      span_status_code: 'UNSET',
    })
    expect(Object.keys(named!)).toEqual(Object.keys(young))
  })

  test('returns every column, oldest first', async () => {
    const project = await projectWithFeedback()
    const rows = await queryFeedback(project)
    expect(rows.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(Object.keys(rows[0]!)).toEqual(
      expect.arrayContaining([
        'id',
        'project_id',
        'ext_ref',
        'ext_user_id',
        'creator',
        'created_at',
        'feedback_type',
        'payload',
        'annotation_ref',
        'runnable_ref',
        'call_ref',
        'trigger_ref',
      ]),
    )
    expect(rows[0]).not.toHaveProperty('call_id')
  })

  test('returns the requested fields by name, in their order', async () => {
    const project = await projectWithFeedback()
    const fields = ['payload.deep.list', 'id', 'payload.score', 'payload.missing']
    const { text } = await askFeedback(project, { fields, limit: 2 })
    expect(text).toBe(
      '{"total_count":3,"result":[{"payload.deep.list":[1,2],"id":"1","payload.score":5,"payload.missing":null},' +
        '{"payload.deep.list":null,"id":"2","payload.score":"7","payload.missing":null}]}',
    )
  })

  test('counts all matches, whatever fields are requested', async () => {
    const project = await projectWithFeedback()
    const totalOf = async (request: Record<string, unknown>) =>
      ((await askFeedback(project, request)).json as { total_count: unknown }).total_count
    expect(await totalOf({})).toBe(3)
    expect(await totalOf({ limit: 1, offset: 1, fields: ['id'] })).toBe(3)
    expect(await totalOf({ limit: 0 })).toBe(3)
    expect(await totalOf({ fields: ['count(*)'] })).toBe(3)
    expect(await totalOf(where(equals('id', '2')))).toBe(1)
    expect(await totalOf(where(equals('id', 'none')))).toBe(0)
  })

  test('returns valid JSON, whatever names and texts contain', async () => {
    const project = freshProject(server)
    const hostile = `a"b'c\\ {é}\u0000\n\u2028😀`
    const payload = { [hostile]: hostile }
    await giveFeedback(project, { creator: hostile, feedback_type: hostile, payload, scorer_tags: [hostile, ''] })
    const name = `payload.${hostile}`
    const fields = [name, 'creator', 'feedback_type', 'scorer_tags', 'queue_id', 'payload']
    expect(await queryFeedback(project, { fields })).toEqual([
      {
        [name]: hostile,
        creator: hostile,
        feedback_type: hostile,
        scorer_tags: [hostile, ''],
        queue_id: null,
        payload,
      },
    ])
  })

  test('counts', async () => {
    const project = await projectWithFeedback()
    expect(await queryFeedback(project, { fields: ['count(*)'] })).toEqual([{ 'count(*)': 3 }])
    const request = { fields: ['count(*)'], ...where(equals('feedback_type', 'ext.note.1')) }
    expect(await queryFeedback(project, request)).toEqual([{ 'count(*)': 1 }])
  })

  test.each([
    ['a ref', (project: Project) => equals('ext_ref', callRef(project, 'b')), ['2']],
    ['a ref of the other scheme', (project: Project) => equals('ext_ref', `weave:///${project.id}/call/b`), ['2']],
    ['a type', () => equals('feedback_type', 'ext.note.1'), ['3']],
    ['a type in the vendor’s spelling', () => equals('feedback_type', 'wandb.note.1'), ['3']],
    ['a part of a type', () => ({ $contains: { input: get('feedback_type'), substr: literal('ext.no') } }), ['3']],
    [
      'a part of a type in the vendor’s spelling',
      () => ({ $contains: { input: get('feedback_type'), substr: literal('wandb.note.') } }),
      ['3'],
    ],
    [
      'a part of a ref in the vendor’s scheme',
      (project: Project) => ({
        $contains: { input: get('ext_ref'), substr: literal(`weave:///${project.id}/call/`) },
      }),
      ['1', '2', '3'],
    ],
    ['$containsToken', () => ({ $containsToken: { input: get('payload.note'), substr: literal('note') } }), ['3']],
    ['numbers in the payload', () => ({ $gt: [get('payload.score'), literal(4)] }), ['1', '2']],
    ['text in the payload', () => equals('payload.label', ''), ['2']],
    ['null in the payload', () => equals('payload.score', null), ['3']],
    ['$contains', () => ({ $contains: { input: get('payload.note'), substr: literal('note') } }), ['3']],
    ['times', () => ({ $gt: [get('created_at'), literal('2020-01-01T00:00:00Z')] }), ['1', '2', '3']],
    ['times that are not yet', () => ({ $gt: [get('created_at'), literal('2120-01-01')] }), []],
  ])('filters by %s', async (_what, expression, expected) => {
    const project = await projectWithFeedback()
    expect(await feedbackIds(project, where(expression(project)))).toEqual(expected)
  })

  test('compares integers beyond double precision exactly', async () => {
    const project = freshProject(server)
    const [one, other] = ['1234567890123456789', '1234567890123456788']
    for (const [id, account] of Object.entries({ one, other })) {
      const draft = JSON.stringify(draftOf(project, { id, payload: 'P' })).replace('"P"', `{"account":${account}}`)
      expect((await server.postRaw('/feedback/create', draft)).status).toBe(200)
    }
    const request = `{"project_id":"${project.id}","fields":["id"],"query":{"$expr":{"$eq":[{"$getField":"payload.account"},{"$literal":${one}}]}}}`
    const answer = await server.postRaw('/feedback/query', request)
    expect([answer.status, answer.text]).toEqual([200, '{"total_count":1,"result":[{"id":"one"}]}'])
    expectRefusal(await server.postRaw('/feedback/query', request.replace(one, '1e400')), 400, 'literal')
  })

  test('sorts and pages', async () => {
    const project = await projectWithFeedback()
    expect(await feedbackIds(project, { sort_by: [{ field: 'created_at', direction: 'desc' }] })).toEqual([
      '3',
      '2',
      '1',
    ])
    expect(await feedbackIds(project, { sort_by: [{ field: 'payload.score', direction: 'desc' }] })).toEqual([
      '2',
      '1',
      '3',
    ])
    expect(await feedbackIds(project, { limit: 1, offset: 1 })).toEqual(['2'])
    expect(await feedbackIds(project, { limit: 0 })).toEqual([])
  })

  test('is limited to the project', async () => {
    const [one, other] = [await projectWithFeedback(), freshProject(server)]
    expect(await feedbackIds(other)).toEqual([])
    expect(await feedbackIds(other, where(equals('project_id', one.id)))).toEqual([])
  })

  test('rejects unknown fields, malformed queries and negative pages', async () => {
    const project = freshProject(server)
    expectRefusal(await askFeedback(project, { fields: ['creater'] }), 422, 'creater', 'creator')
    expectRefusal(await askFeedback(project, where(equals('note', 1))), 422, 'note')
    expectInvalid(await askFeedback(project, where({ $near: [] })), ['body', 'query', '$expr', '$near'])
    expectRefusal(await askFeedback(project, { limit: -1 }), 400, 'limit')
    expectRefusal(await askFeedback(project, { offset: -1 }), 400, 'offset')
  })
})

test('feedback keeps its creation order, even within a millisecond', async () => {
  const project = freshProject(server)
  const ids = Array.from({ length: 30 }, (_, index) => `f${99 - index}`)
  for (const id of ids) await giveFeedback(project, { id })
  expect(await feedbackIds(project)).toEqual(ids)
})

test('a large response has every row once and in order', async () => {
  const project = freshProject(server)
  const ids = Array.from({ length: 4200 }, (_, n) => String(n).padStart(4, '0'))
  const batch = ids.map((id) => ({
    id,
    project_id: project.id,
    ext_ref: callRef(project, 'a'),
    feedback_type: 'thought',
    payload: { id },
  }))
  expect((await server.post('/feedback/batch/create', { batch })).status).toBe(200)
  const sort_by = [{ field: 'id', direction: 'desc' }]
  const rows = await queryFeedback(project, { sort_by })
  expect(rows.map(({ payload }) => payload)).toEqual(ids.toReversed().map((id) => ({ id })))
  expect(await feedbackIds(project, { sort_by, limit: 2100, offset: 2090 })).toEqual(ids.toReversed().slice(2090, 4190))
})

test('large payloads are sorted the same with and without paging', async () => {
  const project = freshProject(server)
  const long = 'x'.repeat(800_000)
  const count = 80
  for (let n = 0; n < count; n++) await giveFeedback(project, { payload: { n, rest: n % 7, long } })
  const asked = async (request: Record<string, unknown> = {}) => {
    const found = await queryFeedback(project, { fields: ['payload', 'id'], ...request })
    return found.map(({ payload }) => (payload as { n: number }).n)
  }
  const all = Array.from({ length: count }, (_, n) => n)
  expect(await asked()).toEqual(all)
  const sort_by = [
    { field: 'payload.rest', direction: 'desc' },
    { field: 'created_at', direction: 'desc' },
  ]
  const sorted = all.toSorted((a, b) => (b % 7) - (a % 7) || b - a)
  expect(await asked({ sort_by })).toEqual(sorted)
  expect(await asked({ sort_by, limit: 50, offset: 20 })).toEqual(sorted.slice(20, 70))
})
