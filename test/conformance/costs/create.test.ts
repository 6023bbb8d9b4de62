import { describe, expect, test } from 'bun:test'
import { createCosts, price, queryCosts } from '../support/costs.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('cost/create', () => {
  test('returns id and model of each price in request order', async () => {
    const project = freshProject(server)
    const costs = { zeta: price(), alpha: price(), 'openai/gpt-4o': price() }
    const answer = await server.post<{ ids: [string, string][] }>('/cost/create', { project_id: project.id, costs })
    expect(answer.status).toBe(200)
    expect(answer.json.ids.map(([, llmId]) => llmId)).toEqual(['zeta', 'alpha', 'openai/gpt-4o'])
    expect(new Set(answer.json.ids.map(([id]) => id)).size).toBe(3)
  })

  test('fills in defaults', async () => {
    const project = freshProject(server)
    const before = Date.now()
    await createCosts(project, { m: price() })
    const [stored] = await queryCosts(project)
    expect(stored).toMatchObject({
      llm_id: 'm',
      prompt_token_cost: 1,
      completion_token_cost: 2,
      cache_read_input_token_cost: 0,
      cache_creation_input_token_cost: 0,
      prompt_token_cost_unit: 'USD',
      completion_token_cost_unit: 'USD',
      provider_id: 'default',
    })
    const effective = Date.parse(String(stored!['effective_date']))
    expect(effective).toBeGreaterThanOrEqual(before - 1000)
    expect(effective).toBeLessThanOrEqual(Date.now() + 1000)
  })

  test('keeps given values', async () => {
    const project = freshProject(server)
    const given = {
      prompt_token_cost: 0.0000025,
      completion_token_cost: 1e-9,
      cache_read_input_token_cost: 0.1,
      cache_creation_input_token_cost: 3,
      prompt_token_cost_unit: 'EUR',
      completion_token_cost_unit: 'CHF',
      effective_date: '2024-02-03T04:05:06.789Z',
      provider_id: 'acme',
    }
    await createCosts(project, { m: given })
    expect(await queryCosts(project)).toMatchObject([{ ...given, effective_date: '2024-02-03T04:05:06.789000Z' }])
  })

  test('does not overwrite earlier prices', async () => {
    const project = freshProject(server)
    await createCosts(project, { m: price() })
    await createCosts(project, { m: price({ prompt_token_cost: 5 }) })
    expect((await queryCosts(project)).map((cost) => cost['prompt_token_cost'])).toEqual([1, 5])
  })

  test('with no prices adds nothing', async () => {
    const project = freshProject(server)
    expect(await createCosts(project, {})).toEqual({})
    expect(await queryCosts(project)).toEqual([])
  })

  test('requires both prices as non-negative numbers', async () => {
    const project = freshProject(server)
    const body = {
      project_id: project.id,
      costs: { m: { prompt_token_cost: 'x' }, n: price({ prompt_token_cost: -1 }) },
    }
    expectInvalid(
      await server.post('/cost/create', body),
      ['body', 'costs', 'm', 'prompt_token_cost'],
      ['body', 'costs', 'm', 'completion_token_cost'],
      ['body', 'costs', 'n', 'prompt_token_cost'],
    )
  })

  test('rejects an empty model name and stores nothing of the request', async () => {
    const project = freshProject(server)
    const costs = { m: price(), ' ': price() }
    expectRefusal(await server.post('/cost/create', { project_id: project.id, costs }), 400, 'model')
    expect(await queryCosts(project)).toEqual([])
  })
})
