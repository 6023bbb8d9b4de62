import { describe, expect, test } from 'bun:test'
import { findProvider } from '@pydantic/genai-prices'
import type { Project } from '../support/project.ts'
import { expectInvalid } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

interface BuiltinPrice {
  effective_date: string | null
  time_of_day: { start: string; end: string } | null
  prompt_token_cost: number
  completion_token_cost: number
  cache_read_input_token_cost: number
  cache_creation_input_token_cost: number
  tiers: { above: number; prompt_token_cost: number; completion_token_cost: number }[]
}
interface BuiltinModel {
  llm_id: string
  provider_id: string
  provider_name: string
  prices: BuiltinPrice[]
}

const ask = (project: Project, request: Record<string, unknown> = {}) =>
  project.client.post<{ models: BuiltinModel[]; total: number }>('/cost/builtin/query', {
    project_id: project.id,
    ...request,
  })

async function found(request: Record<string, unknown>) {
  const { status, json } = await ask(freshProject(server), request)
  expect(status).toBe(200)
  return json
}

describe('cost/builtin/query', () => {
  test('has a price as calls are charged by it', async () => {
    const { models, total } = await found({ search: 'OpenAI/gpt-4o-mini' })
    expect(total).toBeGreaterThanOrEqual(models.length)
    const model = models.find(({ llm_id }) => llm_id === 'openai/gpt-4o-mini')
    expect(model).toMatchObject({ provider_id: 'openai', provider_name: 'OpenAI' })
    expect(model?.prices).toEqual([
      {
        effective_date: null,
        time_of_day: null,
        prompt_token_cost: 0.15e-6,
        completion_token_cost: 0.6e-6,
        cache_read_input_token_cost: 0.075e-6,
        cache_creation_input_token_cost: 0.15e-6,
        tiers: [],
      },
    ])
  })

  test('has the history of a price, the latest first, and its tiers and times of day', async () => {
    const { models } = await found({ search: 'openai/o3' })
    const history = models.find(({ llm_id }) => llm_id === 'openai/o3')!.prices
    expect(history.map(({ effective_date, prompt_token_cost }) => [effective_date, prompt_token_cost])).toEqual([
      ['2025-06-10T00:00:00Z', 2e-6],
      [null, 10e-6],
    ])
    const { models: tiered } = await found({ search: 'google/gemini-2.5-pro' })
    expect(tiered.find(({ llm_id }) => llm_id === 'google/gemini-2.5-pro')!.prices[0]).toMatchObject({
      prompt_token_cost: 1.25e-6,
      tiers: [{ above: 200_000, prompt_token_cost: 2.5e-6, completion_token_cost: 15e-6 }],
    })
    const { models: daily } = await found({ search: 'deepseek/deepseek-chat' })
    const times = daily.find(({ llm_id }) => llm_id === 'deepseek/deepseek-chat')!.prices
    expect(times.map(({ time_of_day }) => time_of_day)).toEqual([{ start: '00:30:00Z', end: '16:30:00Z' }, null])
  })

  test('finds every word in any case, in pages', async () => {
    const all = await found({ search: 'CLAUDE anthropic/' })
    expect(all.total).toBeGreaterThan(5)
    for (const { llm_id } of all.models) expect(llm_id).toMatch(/anthropic\/.*claude/)
    const first = await found({ search: 'claude anthropic/', limit: 2 })
    const second = await found({ search: 'claude anthropic/', limit: 2, offset: 2 })
    expect([...first.models, ...second.models]).toEqual(all.models.slice(0, 4))
    expect(first.total).toBe(all.total)
    expect(await found({ search: 'no such model at all' })).toEqual({ models: [], total: 0 })
  })

  test('has every model of the list that is billed by token', async () => {
    const whole = await Bun.file(Bun.resolveSync('@pydantic/genai-prices', import.meta.dir)).text()
    const ids = [...whole.matchAll(/^ {2}\{\n {4}id: "([^"]+)",\n {4}name:/gm)].map(([, id]) => id!)
    expect(ids.length).toBeGreaterThan(40)
    const priced = ids.flatMap((id) =>
      (findProvider({ providerId: id })?.models ?? [])
        .filter(({ prices }) =>
          (Array.isArray(prices) ? prices.map((one) => one.prices) : [prices]).some(
            (one) => one['input_mtok'] !== undefined || one['output_mtok'] !== undefined,
          ),
        )
        .map((model) => `${id}/${model.id}`),
    )
    const listed: string[] = []
    for (let offset = 0; ; offset += 500) {
      const { models } = await found({ limit: 500, offset })
      if (models.length === 0) break
      listed.push(...models.map(({ llm_id }) => llm_id))
    }
    expect(listed.toSorted()).toEqual([...new Set(priced)].sort())
  })

  test('refuses what is no request', async () => {
    const project = freshProject(server)
    expectInvalid(await ask(project, { limit: 0 }), ['body', 'limit'])
    expectInvalid(await ask(project, { limit: 501 }), ['body', 'limit'])
    expectInvalid(await ask(project, { search: 'x'.repeat(1_001) }), ['body', 'search'])
    expectInvalid(await server.post('/cost/builtin/query', {}), ['body', 'project_id'])
  })
})
