import { describe, expect, test } from 'bun:test'
import { createCosts, price, purgeCosts, queryCosts } from '../support/costs.ts'
import { equals, get, literal } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

async function threePrices() {
  const project = freshProject(server)
  const { a, b, c } = (await createCosts(project, { a: price(), b: price(), c: price() })) as Record<string, string>
  const left = async () => (await queryCosts(project)).map(({ llm_id }) => llm_id)
  return { project, a: a!, b: b!, c: c!, left }
}

describe('cost/purge', () => {
  test('deletes the price named by $eq', async () => {
    const { project, b, left } = await threePrices()
    const answer = await purgeCosts(project, equals('id', b))
    expect([answer.status, answer.json]).toEqual([200, {}])
    expect(await left()).toEqual(['a', 'c'])
  })

  test('deletes all prices named by $in or $or', async () => {
    const { project, a, b, c, left } = await threePrices()
    expect((await purgeCosts(project, { $or: [equals('id', a), equals('id', b)] })).status).toBe(200)
    expect(await left()).toEqual(['c'])
    expect((await purgeCosts(project, { $in: [get('id'), [literal(c)]] })).status).toBe(200)
    expect(await left()).toEqual([])
  })

  test('removes its costs from calls', async () => {
    const project = freshProject(server)
    const { m } = await createCosts(project, { m: price({ effective_date: '2024-01-01' }) })
    await project.add({ id: 'a', summary: { usage: { m: { prompt_tokens: 3 } } } })
    const costs = async () => (await project.readExisting('a', { include_costs: true })).summary.ext['costs']
    expect(await costs()).toMatchObject({ m: { prompt_tokens_total_cost: 3 } })
    await purgeCosts(project, equals('id', m))
    expect(await costs()).toBeUndefined()
  })

  test('ignores unknown ids and ids of another project', async () => {
    const [one, other] = [await threePrices(), await threePrices()]
    expect((await purgeCosts(one.project, equals('id', 'nothing'))).status).toBe(200)
    expect((await purgeCosts(one.project, equals('id', other.a))).status).toBe(200)
    expect(await one.left()).toEqual(['a', 'b', 'c'])
    expect(await other.left()).toEqual(['a', 'b', 'c'])
  })

  test.each([
    ['another field', equals('llm_id', 'a')],
    ['a comparison', { $gt: [get('id'), literal('')] }],
    ['a negation', { $not: [equals('id', 'x')] }],
    ['ids and another field', { $or: [equals('id', 'x'), equals('llm_id', 'a')] }],
    ['a number', equals('id', 5)],
    ['$and', { $and: [equals('id', 'x'), equals('id', 'y')] }],
    ['$and of one id', { $and: [equals('id', 'x')] }],
  ])('rejects a query by %s', async (_what, expression) => {
    const { project, left } = await threePrices()
    expectRefusal(await purgeCosts(project, expression), 400, 'ids')
    expect(await left()).toEqual(['a', 'b', 'c'])
  })

  test('requires a query', async () => {
    const { project } = await threePrices()
    const answer = await server.post('/cost/purge', { project_id: project.id })
    expectInvalid(answer, ['body', 'query'])
  })
})
