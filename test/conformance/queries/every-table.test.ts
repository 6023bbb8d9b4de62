import { describe, expect, test } from 'bun:test'
import type { Answer } from '../support/client.ts'
import { askCosts } from '../support/costs.ts'
import { sendResults } from '../support/eval-results.ts'
import { askFeedback, giveFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { contains, eq, get, is, isIn, literal, not, type Operation } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal, type Violation } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

/**
 * An operation with a query: how to send it, the path of the query in its request, and a text field
 * to query.
 */
interface Kind {
  readonly ask: (project: Project, query: unknown) => Promise<Answer<unknown>>
  readonly place: readonly string[]
  readonly field: string
  readonly misspelt: string
}

const inBody = ['body', 'query']
const kinds: Readonly<Record<string, Kind>> = {
  calls: { ask: (project, query) => project.ask({ query }), place: inBody, field: 'op_name', misspelt: 'op_nam' },
  feedback: {
    ask: (project, query) => askFeedback(project, { query }),
    place: inBody,
    field: 'creator',
    misspelt: 'creater',
  },
  prices: {
    ask: (project, query) => askCosts(project, { query }),
    place: inBody,
    field: 'llm_id',
    misspelt: 'llm_idd',
  },
  'rows of evaluations': {
    ask: (project, query) => sendResults(project, ['e'], { filters: [{ query }] }),
    place: ['body', 'filters', '0', 'query'],
    field: 'row_digest',
    misspelt: 'row_digst',
  },
}

describe.each(Object.entries(kinds))('a query over %s', (_kind, { ask, place, field, misspelt }) => {
  const send = (expression: unknown) => ask(freshProject(server), { $expr: expression })
  const one = is(field, '$eq', 'x')
  const reasonsOf = (answer: Answer<unknown>) => (answer.json as { detail: Violation[] }).detail

  test('accepts every operator, in either spelling', async () => {
    const operand = { get_field_: field }
    const expressions: Operation[] = [
      { and_: [{ eq_: [operand, { literal_: 'x' }] }, { or_: [{ not_: [{ gt_: [operand, { literal_: 'a' }] }] }] }] },
      { in_: [operand, [{ literal_: 'x' }]] },
      { contains_: { input: operand, substr: { literal_: 'x' }, case_insensitive: true } },
      { contains_token_: { input: operand, substr: { literal_: 'x' } } },
      { gte_: [{ size_: operand }, { convert_: { input: { literal_: '3' }, to: 'int' } }] },
      { $and: [{ $lt: [get(field), literal('x')] }, { $lte: [get(field), literal('x')] }] },
    ]
    for (const expression of expressions) {
      for (const query of [{ $expr: expression }, { expr_: expression }]) {
        const answer = await ask(freshProject(server), query)
        expect(`${answer.status} ${JSON.stringify(query)}`).toStartWith('200 ')
      }
    }
  })

  test('suggests the intended operator and field', async () => {
    const operator = await send({ $equals: [get(field), literal('x')] })
    expectInvalid(operator, [...place, '$expr', '$equals'])
    expect(reasonsOf(operator)[0]!.msg).toContain('did you mean "$eq')
    expectRefusal(await send(is(misspelt, '$eq', 'x')), 422, misspelt, `did you mean "${field}"`)
  })

  test('rejects malformed queries with the same message', async () => {
    const value = await send(get(field))
    expectInvalid(value, [...place, '$expr', '$getField'])
    expect(reasonsOf(value)[0]!.type).toBe('condition_type')
    const conversion = await send(eq({ $convert: { input: get(field), to: 'date' } }, literal(1)))
    expect(reasonsOf(conversion)[0]).toMatchObject({ type: 'enum' })
    const list = await send({ $and: one })
    expect(reasonsOf(list)[0]).toEqual({
      loc: [...place, '$expr', '$and'],
      msg: 'Expected an array',
      type: 'list_type',
    })
    expect(reasonsOf(await send({ $eq: [get(field), get(field), get(field)] }))[0]!.type).toBe('too_long')
    expectRefusal(await send({ $and: [get(field)] }), 400, 'condition', 'text')
  })

  test('has the same limits', async () => {
    const nested = (depth: number): Operation => (depth === 0 ? one : not(nested(depth - 1)))
    expect((await send(nested(62))).status).toBe(200)
    expectRefusal(await send(nested(63)), 400, '64')
    const terms = (count: number) => ({ $or: Array.from({ length: count }, () => one) })
    expect((await send(terms(666))).status).toBe(200)
    expectRefusal(await send(terms(667)), 400, '2000')
    const values = Array.from({ length: 1000 }, (_, index) => `v${index}`)
    expect((await send(isIn(get(field), ...values))).status).toBe(200)
    expectRefusal(await send(isIn(get(field), ...values, 'more')), 400, '1000')
    expect((await send(contains(get(field), 'x'.repeat(65_536)))).status).toBe(200)
    expectRefusal(await send(contains(get(field), 'x'.repeat(65_537))), 400, '65536')
  })
})

test('feedback: values compare as they do in calls', async () => {
  const project = freshProject(server)
  await giveFeedback(project, { id: '1', payload: { list: ['a', 'b'], ref: `ext:///${project.id}/call/x` } })
  await giveFeedback(project, { id: '2', payload: { list: [] }, scorer_tags: ['good'] })
  const idsOf = async (expression: Operation) => {
    const answer = await askFeedback(project, { fields: ['id'], query: { $expr: expression } })
    return (answer.json as { result: { id: string }[] }).result.map(({ id }) => id)
  }
  expect(await idsOf(is('payload.list.-1', '$eq', 'b'))).toEqual(['1'])
  expect(await idsOf(is('payload.ref', '$eq', `weave:///${project.id}/call/x`))).toEqual(['1'])
  expect(await idsOf(eq({ $size: get('scorer_tags') }, literal(0)))).toEqual(['1'])
  expectRefusal(await askFeedback(project, { query: { $expr: is('scorer_tags', '$eq', 'good') } }), 400, '$contains')
})

test('a purge accepts up to a thousand ids in separate comparisons', async () => {
  const project = freshProject(server)
  await giveFeedback(project, { id: 'x' })
  const ids = (count: number) => ({ $or: Array.from({ length: count }, (_, index) => is('id', '$eq', `id${index}`)) })
  const purge = (expression: unknown) =>
    server.post('/feedback/purge', { project_id: project.id, query: { $expr: expression } })
  expect((await purge(ids(1000))).status).toBe(200)
  expectRefusal(await purge(ids(1001)), 400, '1001', '1000')
})
