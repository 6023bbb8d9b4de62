import { describe, expect, test } from 'bun:test'
import { basic } from '../support/client.ts'
import { createCosts, price } from '../support/costs.ts'
import { callRef, giveFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { equals } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

interface CallUsage {
  call_usage: Record<string, Record<string, Record<string, number | null>>>
  unfinished_call_ids: string[]
}

const used = (usage: Record<string, unknown>) => ({ summary: { usage } })

/** root ─ child ─ grandchild, root ─ second, root ─ running; other is a separate trace. */
async function projectWithTrace(): Promise<Project> {
  const project = freshProject(server)
  await project.add(
    {
      id: 'root',
      trace_id: 't',
      ...used({ m: { prompt_tokens: 1, completion_tokens: 2, requests: 1, total_tokens: 3 } }),
    },
    { id: 'child', trace_id: 't', parent_id: 'root', ...used({ m: { input_tokens: 10, output_tokens: 20 } }) },
    {
      id: 'grandchild',
      trace_id: 't',
      parent_id: 'child',
      ...used({ m: { prompt_tokens: 100 }, n: { prompt_tokens: 5 } }),
    },
    {
      id: 'second',
      trace_id: 't',
      parent_id: 'root',
      ...used({ m: { input_tokens: 10, output_tokens: 20, requests: 1 } }),
    },
    { id: 'running', trace_id: 't', parent_id: 'root', ended_at: null },
    { id: 'other', trace_id: 'u', ...used({ m: { prompt_tokens: 7 }, nothing: { prompt_tokens: 0 }, odd: 'x' }) },
  )
  return project
}

async function ask(project: Project, path: string, request: Record<string, unknown> = {}): Promise<CallUsage> {
  const answer = await server.post<CallUsage>(path, { project_id: project.id, ...request })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}

const promptTokens = ({ call_usage }: CallUsage) =>
  Object.fromEntries(Object.entries(call_usage).map(([id, models]) => [id, models['m']?.['prompt_tokens'] ?? null]))

describe('trace/usage', () => {
  test('returns what matching calls and their descendants used, once', async () => {
    const project = await projectWithTrace()
    const usage = await ask(project, '/trace/usage')
    expect(promptTokens(usage)).toEqual({
      root: 110,
      child: 100,
      grandchild: 100,
      second: 10,
      running: null,
      other: 7,
    })
    expect(usage.unfinished_call_ids).toEqual(['running'])
    expect(usage.call_usage['root']).toEqual({
      m: {
        requests: 1,
        prompt_tokens: 110,
        completion_tokens: 20,
        total_tokens: 130,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        prompt_tokens_total_cost: null,
        completion_tokens_total_cost: null,
        cache_read_input_tokens_total_cost: null,
        cache_creation_input_tokens_total_cost: null,
      },
      n: expect.objectContaining({ prompt_tokens: 5 }),
    })
    expect(usage.call_usage['other']).not.toHaveProperty('nothing')
    expect(usage.call_usage['other']).not.toHaveProperty('odd')
  })

  test('counts only matching calls', async () => {
    const project = await projectWithTrace()
    const usage = await ask(project, '/trace/usage', { filter: { call_ids: ['root', 'grandchild'] } })
    expect(promptTokens(usage)).toEqual({ root: 1, grandchild: 100 })
    expect(Object.keys((await ask(project, '/trace/usage', { limit: 2 })).call_usage)).toHaveLength(2)
  })

  test('accepts conditions on feedback and queues', async () => {
    const project = await projectWithTrace()
    await giveFeedback(project, { ext_ref: callRef(project, 'child'), payload: { score: 5 } })
    const usageWhere = (name: string, value: unknown) =>
      ask(project, '/trace/usage', { query: { $expr: equals(name, value) } })
    expect(promptTokens(await usageWhere('feedback.[thought].payload.score', 5))).toEqual({ child: 10 })
    expect(Object.keys((await usageWhere('annotation_queue_items.queue_id', null)).call_usage)).toHaveLength(6)
    expect((await usageWhere('annotation_queue_items.queue_id', 'q')).call_usage).toEqual({})
  })

  test('sums up costs, 0 without a price', async () => {
    const project = await projectWithTrace()
    await createCosts(project, { m: price({ effective_date: '2024-01-01' }) })
    const { call_usage } = await ask(project, '/trace/usage', { include_costs: true })
    expect(call_usage['root']!['m']).toMatchObject({ prompt_tokens_total_cost: 110, completion_tokens_total_cost: 40 })
    expect(call_usage['root']!['n']).toMatchObject({ prompt_tokens_total_cost: 0, completion_tokens_total_cost: 0 })
  })

  test('terminates on calls that are each other’s parents', async () => {
    const project = freshProject(server)
    const usage = used({ m: { prompt_tokens: 1 } })
    await project.add(
      { id: 'a', trace_id: 't', parent_id: 'b', ...usage },
      { id: 'b', trace_id: 't', parent_id: 'a', ...usage },
    )
    expect(Object.keys((await ask(project, '/trace/usage')).call_usage).sort()).toEqual(['a', 'b'])
  })
})

test('a large response has every call once', async () => {
  const project = freshProject(server)
  const ids = Array.from({ length: 700 }, (_, n) => `call-${n}`)
  await project.complete(...ids.map((id) => ({ id, ...used({ m: { prompt_tokens: 1 } }) })))
  const usage = await ask(project, '/trace/usage')
  expect(Object.keys(usage.call_usage).sort()).toEqual(ids.sort())
  expect(Object.values(promptTokens(usage))).toEqual(ids.map(() => 1))
})

describe('calls/usage', () => {
  test('returns one entry per id, including all descendants', async () => {
    const project = await projectWithTrace()
    const usage = await ask(project, '/calls/usage', { call_ids: ['child', 'other', 'unknown'] })
    expect(promptTokens(usage)).toEqual({ child: 100, other: 7, unknown: null })
    expect(usage.call_usage['unknown']).toEqual({})
    expect(usage.unfinished_call_ids).toEqual([])
    expect((await ask(project, '/calls/usage', { call_ids: ['root'] })).unfinished_call_ids).toEqual(['running'])
    expect(await ask(project, '/calls/usage', { call_ids: [] })).toEqual({ call_usage: {}, unfinished_call_ids: [] })
  })

  test('reads traces one by one within the limit, and rejects a larger one', async () => {
    const project = await projectWithTrace()
    const call_ids = ['root', 'other']
    expect(promptTokens(await ask(project, '/calls/usage', { call_ids, limit: 5 }))).toEqual({ root: 110, other: 7 })
    const request = { project_id: project.id, call_ids, limit: 4 }
    expectRefusal(await server.post('/calls/usage', request), 413, '5')
  })

  test('is limited to the project, and validates the request', async () => {
    const [project, other] = [await projectWithTrace(), freshProject(server)]
    expect((await ask(other, '/calls/usage', { call_ids: ['root'] })).call_usage).toEqual({ root: {} })
    for (const path of ['/calls/usage', '/trace/usage']) {
      for (const limit of [0, -1, 500_001, 1e300]) {
        const request = { project_id: project.id, call_ids: ['root'], limit }
        expectRefusal(await server.post(path, request), 400, 'limit', '500000')
      }
      expect((await ask(project, path, { call_ids: ['root'], limit: 500_000 })).call_usage).toHaveProperty('root')
    }
    expectInvalid(await server.post('/calls/usage', { project_id: project.id }), ['body', 'call_ids'])
  })
})

test('usage that would take too much memory is rejected with a suggestion', async () => {
  const project = freshProject(server)
  // Every call has the models of all calls below it: half of the square of the depth.
  const depth = 3_000
  const calls = Array.from({ length: depth }, (_, n) => [
    { id: `c${n}`, trace_id: 'deep', parent_id: n === 0 ? null : `c${n - 1}` },
    { id: `leaf${n}`, trace_id: 'deep', parent_id: `c${n}`, ...used({ [`m${n}`]: { prompt_tokens: 1 } }) },
  ]).flat()
  for (let from = 0; from < calls.length; from += 500) await project.add(...calls.slice(from, from + 500))
  const refusal = async (path: string, members: Record<string, unknown>) => {
    const answer = await fetch(`${server.address}${path}`, {
      method: 'POST',
      headers: { authorization: basic('api', server.key), 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: project.id, ...members }),
    })
    if (answer.status === 200) await answer.body?.cancel()
    return answer.status === 200 ? '200' : `${answer.status} ${await answer.text()}`
  }
  expect(await refusal('/trace/usage', {})).toMatch(/^400 .*256 MiB.*`limit`.*InvalidRequest/)
  expect(await refusal('/calls/usage', { call_ids: ['c0'] })).toMatch(/^400 .*256 MiB.*`call_ids`.*InvalidRequest/)
  expect(await refusal('/calls/usage', { call_ids: [`c${depth / 2}`] })).toBe('200')
})
