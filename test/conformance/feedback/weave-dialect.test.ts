import { describe, expect, test } from 'bun:test'
import { createCosts, price, queryCosts } from '../support/costs.ts'
import { equals } from '../support/query-expression.ts'
import { freshProject, ownServer } from '../support/target.ts'

const { client } = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })

const draft = (projectId: string) => ({
  project_id: projectId,
  weave_ref: `weave:///${projectId}/call/a`,
  feedback_type: 'wandb.note.1',
  payload: { note: 'n', wb_user_id: 'mine', ext_ref: 'mine too' },
})

describe('feedback in the weave dialect', () => {
  test('is accepted and returned with weave names', async () => {
    const project = freshProject(client)
    const created = await client.post<Record<string, unknown>>('/feedback/create', draft(project.id))
    expect(`${created.status} ${created.text}`).toStartWith('200 ')
    expect(created.json['wb_user_id']).toBeString()
    expect(created.json['payload']).toEqual(draft(project.id).payload)
    const answer = await client.post<{ result: Record<string, unknown>[] }>('/feedback/query', {
      project_id: project.id,
    })
    expect(answer.json.result).toMatchObject([{ ...draft(project.id), wb_user_id: created.json['wb_user_id'] }])
    expect(Object.keys(answer.json.result[0]!).filter((name) => name.startsWith('ext_'))).toEqual([])
  })

  test.each([
    ['weave_ref', (id: string) => `weave:///${id}/call/a`],
    ['ext_ref', (id: string) => `ext:///${id}/call/a`],
    ['feedback_type', () => 'wandb.note.1'],
    ['feedback_type', () => 'ext.note.1'],
  ])('can be queried by %s in either dialect', async (name, value) => {
    const project = freshProject(client)
    await client.post('/feedback/create', draft(project.id))
    const query = { $expr: equals(name, value(project.id)) }
    const request = { project_id: project.id, fields: ['weave_ref', 'feedback_type'], query }
    const answer = await client.post<{ result: unknown[] }>('/feedback/query', request)
    expect(answer.json.result).toEqual([{ weave_ref: `weave:///${project.id}/call/a`, feedback_type: 'wandb.note.1' }])
  })

  test('has its type compared, sorted and searched in the weave spelling', async () => {
    const project = freshProject(client)
    const types = ['wandb.note.1', 'zebra', 'a', 'wandb', 'ext.own', 'wandb.agent_user_feedback']
    for (const feedback_type of types) {
      const members = { feedback_type, scorer_tags: ['good'], payload: { note: 'n' } }
      await client.post('/feedback/create', { ...draft(project.id), ...members })
    }
    const typesOf = async (request: Record<string, unknown>) => {
      const body = { project_id: project.id, fields: ['feedback_type'], ...request }
      const answer = await client.post<{ result: { feedback_type: string }[] }>('/feedback/query', body)
      return answer.json.result.map(({ feedback_type }) => feedback_type)
    }
    const sort_by = [{ field: 'feedback_type', direction: 'asc' }]
    expect(await typesOf({ sort_by })).toEqual(types.toSorted())
    const field = { $getField: 'feedback_type' }
    const where = (expression: unknown) => typesOf({ sort_by, query: { $expr: expression } })
    expect(await where({ $gt: [field, { $literal: 'w' }] })).toEqual(types.toSorted().slice(2))
    expect(await where({ $lt: [field, { $literal: 'w' }] })).toEqual(['a', 'ext.own'])
    expect(await where({ $contains: { input: field, substr: { $literal: 'ext' } } })).toEqual(['ext.own'])
    expect(await where({ $contains: { input: field, substr: { $literal: 'andb' } } })).toHaveLength(3)
    expect(await where({ $in: [field, [{ $literal: 'wandb.note.1' }, { $literal: 'a' }]] })).toEqual([
      'a',
      'wandb.note.1',
    ])
    expect(await where({ $not: [{ $eq: [field, { $literal: 'wandb.note.1' }] }] })).toHaveLength(5)
    expect(await where({ $eq: [{ $convert: { input: field, to: 'string' } }, { $literal: 'wandb.note.1' }] })).toEqual([
      'wandb.note.1',
    ])
    expect(await where({ $eq: [{ $size: field }, { $literal: 12 }] })).toEqual(['wandb.note.1'])
  })

  test('is included in summary.weave.feedback', async () => {
    const project = freshProject(client)
    await project.start({ id: 'a' })
    await client.post('/feedback/create', draft(project.id))
    await client.post('/feedback/create', { ...draft(project.id), feedback_type: 'ext.own', payload: {} })
    const [call] = await project.query({ include_feedback: true })
    const summary = call!.summary as unknown as { weave: { feedback: Record<string, unknown>[] } }
    expect(summary.weave.feedback.map(({ feedback_type }) => feedback_type)).toEqual(['wandb.note.1', 'ext.own'])
    expect(summary.weave.feedback[0]).toMatchObject({ weave_ref: `weave:///${project.id}/call/a` })
    expect(summary.weave.feedback[0]).toHaveProperty('wb_user_id')
  })
})

describe('costs in the weave dialect', () => {
  test('are included in summary.weave.costs', async () => {
    const project = freshProject(client)
    await createCosts(project, { m: price({ effective_date: '2024-01-01' }) })
    expect(await queryCosts(project)).toMatchObject([{ llm_id: 'm' }])
    await project.add({ id: 'a', summary: { usage: { m: { prompt_tokens: 3 } } } })
    const call = await project.readExisting('a', { include_costs: true })
    const { weave } = call.summary as unknown as { weave: { costs: unknown } }
    expect(weave.costs).toMatchObject({ m: { prompt_tokens_total_cost: 3 } })
    const columns = ['summary.weave.costs.m.prompt_tokens_total_cost']
    const { text } = await project.ask({ include_costs: true, columns }, 'text/csv')
    expect(text.split('\r\n')[1]).toBe('3')
  })
})
