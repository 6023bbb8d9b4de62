import { describe, expect, test } from 'bun:test'
import { askCosts, createCosts, price, queryCosts } from '../support/costs.ts'
import type { Project } from '../support/project.ts'
import { equals, get, literal } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

async function projectWithPrices(): Promise<Project> {
  const project = freshProject(server)
  await createCosts(project, {
    a: price({ completion_token_cost: 1.5, provider_id: 'openai', effective_date: '2024-01-01' }),
    b: price({ completion_token_cost: 3, effective_date: '2024-03-01' }),
    c: price({ completion_token_cost: 10, effective_date: '2024-02-01' }),
  })
  return project
}

const modelsOf = async (project: Project, request: Record<string, unknown>) =>
  (await queryCosts(project, request)).map(({ llm_id }) => llm_id)

describe('cost/query', () => {
  test('returns all members of every price', async () => {
    const project = await projectWithPrices()
    const costs = await queryCosts(project)
    expect(costs).toHaveLength(3)
    expect(Object.keys(costs[0]!).sort()).toEqual([
      'cache_creation_input_token_cost',
      'cache_read_input_token_cost',
      'completion_token_cost',
      'completion_token_cost_unit',
      'effective_date',
      'id',
      'llm_id',
      'prompt_token_cost',
      'prompt_token_cost_unit',
      'provider_id',
    ])
  })

  test('returns null for members that were not requested', async () => {
    const project = await projectWithPrices()
    const [cost] = await queryCosts(project, { fields: ['llm_id'], query: { $expr: equals('llm_id', 'b') } })
    expect(cost).toMatchObject({ llm_id: 'b', completion_token_cost: null, effective_date: null })
    expect(cost!.id).toBeNull()
  })

  test('returns the pricing level on request', async () => {
    const project = await projectWithPrices()
    const fields = ['pricing_level', 'pricing_level_id', 'created_by', 'created_at']
    const [cost] = await queryCosts(project, { fields, limit: 1 })
    expect(cost).toMatchObject({ pricing_level: 'project', pricing_level_id: project.id })
    expect(cost!['created_by']).toBeString()
    expect(cost!['created_at']).toBeString()
  })

  test.each([
    ['equality of text', equals('provider_id', 'openai'), ['a']],
    ['numbers as numbers', { $gt: [get('completion_token_cost'), literal(2)] }, ['b', 'c']],
    ['a number in a text', { $gte: [get('completion_token_cost'), literal('3')] }, ['b', 'c']],
    ['the literal first', { $lt: [literal(3), get('completion_token_cost')] }, ['c']],
    ['$lte and $and', { $and: [{ $lte: [get('completion_token_cost'), literal(3)] }, equals('llm_id', 'b')] }, ['b']],
    ['$or', { $or: [equals('llm_id', 'a'), equals('llm_id', 'c')] }, ['a', 'c']],
    ['$not', { $not: [equals('llm_id', 'a')] }, ['b', 'c']],
    ['$in', { $in: [get('llm_id'), [literal('a'), literal('b'), literal('x')]] }, ['a', 'b']],
    ['$in of nothing', { $in: [get('llm_id'), []] }, []],
    ['$contains', { $contains: { input: get('provider_id'), substr: literal('PEN'), case_insensitive: true } }, ['a']],
    ['times', { $gt: [get('effective_date'), literal('2024-01-31T23:00:00Z')] }, ['b', 'c']],
    ['unix seconds', { $lt: [get('effective_date'), literal(Date.parse('2024-02-15') / 1000)] }, ['a', 'c']],
  ])('understands %s', async (_what, expression, expected) => {
    const project = await projectWithPrices()
    expect((await modelsOf(project, { query: { $expr: expression } })).sort()).toEqual(expected)
  })

  test('sorts and pages', async () => {
    const project = await projectWithPrices()
    const sort_by = [{ field: 'effective_date', direction: 'desc' }]
    expect(await modelsOf(project, { sort_by })).toEqual(['b', 'c', 'a'])
    expect(await modelsOf(project, { sort_by, limit: 1, offset: 1 })).toEqual(['c'])
    expect(await modelsOf(project, { sort_by, limit: 0 })).toEqual([])
  })

  test('never returns prices of another project, with or without a query', async () => {
    const [one, other] = [freshProject(server), freshProject(server)]
    await createCosts(one, { shared: price() })
    await createCosts(other, { shared: price({ prompt_token_cost: 9 }) })
    const query = { $expr: equals('llm_id', 'shared') }
    expect((await queryCosts(one, { query })).map((cost) => cost['prompt_token_cost'])).toEqual([1])
    expect((await queryCosts(one)).map((cost) => cost['prompt_token_cost'])).toEqual([1])
  })

  test('never returns built-in prices', async () => {
    const project = freshProject(server)
    expect(await queryCosts(project, { query: { $expr: equals('llm_id', 'gpt-4o') } })).toEqual([])
  })

  test('rejects unknown fields and suggests the nearest known one', async () => {
    const project = freshProject(server)
    expectRefusal(await askCosts(project, { fields: ['llm_idd'] }), 422, 'llm_idd', 'llm_id')
    expectRefusal(await askCosts(project, { query: { $expr: equals('price', 1) } }), 422, 'price')
    expectRefusal(await askCosts(project, { sort_by: [{ field: 'x', direction: 'asc' }] }), 422, '"x"', 'did you mean')
    expectRefusal(await askCosts(project, { fields: ['llm_id.x'] }), 422, 'llm_id.x')
  })

  test('rejects malformed queries with the location', async () => {
    const project = freshProject(server)
    const ask = (query: unknown) => askCosts(project, { query })
    expectInvalid(await ask({ $expr: { $like: [] } }), ['body', 'query', '$expr', '$like'])
    expectInvalid(await ask({ $expr: equals('llm_id', 'a'), more: 1 }), ['body', 'query', 'more'])
    expectInvalid(await ask({ $expr: { $eq: [get('llm_id')] } }), ['body', 'query', '$expr', '$eq'])
    expectInvalid(await ask({ $expr: get('llm_id') }), ['body', 'query', '$expr', '$getField'])
    expectInvalid(await ask('llm_id = a'), ['body', 'query'])
    const convert = { $convert: { input: get('llm_id'), to: 'int', more: 1 } }
    expectInvalid(await ask({ $expr: { $eq: [convert, literal(1)] } }), [
      'body',
      'query',
      '$expr',
      '$eq',
      '0',
      '$convert',
      'more',
    ])
  })

  test('rejects empty lists, object literals, invalid times and negative pages', async () => {
    const project = freshProject(server)
    expectRefusal(await askCosts(project, { query: { $expr: { $and: [] } } }), 400, '$and')
    expectRefusal(await askCosts(project, { query: { $expr: equals('llm_id', { a: 1 }) } }), 400, '$literal')
    expectRefusal(await askCosts(project, { query: { $expr: equals('effective_date', 'soon') } }), 400, 'soon')
    expectRefusal(await askCosts(project, { limit: -1 }), 400, 'limit')
    expectRefusal(await askCosts(project, { offset: -1 }), 400, 'offset')
  })

  test('treats hostile text as text', async () => {
    const project = freshProject(server)
    const hostile = `'; DROP TABLE costs; -- "\\`
    await createCosts(project, { [hostile]: price() })
    expect(await modelsOf(project, { query: { $expr: equals('llm_id', hostile) } })).toEqual([hostile])
    expectRefusal(await askCosts(project, { fields: [`id" FROM x --`] }), 422)
  })
})
