import { afterAll, describe, expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import type { RunList } from '../../../src/domains/evaluations/model/run-list.ts'
import type { Client } from '../support/client.ts'
import { createEvaluation, createObject, endOf, statusOf } from '../support/evaluation-engine.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const stub = startStubModel()
const server = await ownServer({ env: { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url } })
afterAll(() => stub.stop())
const client: Client = server.client

const rows = Array.from({ length: 12 }, (_, index) => ({ question: `q${index}`, expected: `You said: q${index}` }))

async function start(project: Project, llm: string, members: object = {}, more: object = {}): Promise<string> {
  const model = await createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: llm })
  const scorer = await createObject(project, 'exact', 'ExactMatchScorer', {})
  const evaluation_ref = await createEvaluation(project, rows, [scorer], more)
  const body = { project_id: project.id, evaluation_ref, model_ref: model, ...members }
  const { status, text, json } = await client.post<{ call_id: string }>('/evaluations/evaluate_model', body)
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
  return json.call_id
}

const resume = (project: Project, call_id: string, members: object = {}) =>
  client.post('/evaluations/resume', { project_id: project.id, call_id, ...members })

async function listed(project: Project, id: string) {
  const body = { project_id: project.id, evaluation_call_ids: [id] }
  const { json } = await client.post<RunList>('/evaluations/runs/query', body)
  return json.runs[0]!
}

describe('a run with a spending limit', () => {
  test('stops there, and goes on with a higher one without paying a row twice', async () => {
    const project = freshProject(client)
    const before = stub.requests.length
    const id = await start(project, 'gpt-4o', { cost_limit: 1e-9, parallel: 1 })
    await endOf(project, id)
    const stopped = await listed(project, id)
    expect(stopped).toMatchObject({
      state: 'at_limit',
      rows_total: 12,
      rows_scored: 1,
      cost_limit: 1e-9,
      is_on_server: true,
      is_resumable: true,
    })
    expect(stub.requests.length - before).toBe(1)
    expect((await resume(project, id, { cost_limit: 100, parallel: 3 })).status).toBe(200)
    await endOf(project, id)
    expect(await listed(project, id)).toMatchObject({ state: 'done', rows_scored: 12, rows_begun: 12, cost_limit: 100 })
    expect(stub.requests.length - before).toBe(12)
    expect((await listed(project, id)).scores[0]).toMatchObject({ score: 'exact.match', value: 1, scored_rows: 12 })
  })

  test('runs its trials and keeps the scored ones', async () => {
    const project = freshProject(client)
    const before = stub.requests.length
    const id = await start(project, 'gpt-4o', { cost_limit: 1e-9, parallel: 1 }, { trials: 3 })
    await endOf(project, id)
    expect((await resume(project, id, { cost_limit: null })).status).toBe(200)
    await endOf(project, id)
    expect(stub.requests.length - before).toBe(36)
    expect(await listed(project, id)).toMatchObject({ state: 'done', trials: 3, rows_scored: 12, rows_failed: 0 })
  })
})

describe('failed rows', () => {
  test('run again, and replace the failed ones', async () => {
    const project = freshProject(client)
    const id = await start(project, 'openai/stub-forbidden')
    await endOf(project, id)
    const before = stub.requests.length
    expect(await listed(project, id)).toMatchObject({ state: 'done', rows_failed: 12, rows_scored: 0 })
    expect((await resume(project, id)).status).toBe(200)
    await endOf(project, id)
    expect(stub.requests.length).toBe(before)
    expect((await resume(project, id, { retry_failed: true })).status).toBe(200)
    await endOf(project, id)
    expect(stub.requests.length).toBeGreaterThanOrEqual(before + 12)
    expect(await listed(project, id)).toMatchObject({ state: 'done', rows_failed: 12, rows_begun: 12 })
    const calls = await project.query({ filter: { parent_ids: [id] } })
    expect(calls.filter(({ op_name }) => op_name === 'Evaluation.predict_and_score')).toHaveLength(12)
  })
})

describe('evaluations/resume refuses', () => {
  test('a run that it did not start, that is in progress, or that was cancelled', async () => {
    const project = freshProject(client)
    expectRefusal(await resume(project, crypto.randomUUID()), 404, 'No evaluation run')
    const id = await start(project, 'openai/stub-slow')
    expectRefusal(await resume(project, id), 400, 'is in progress')
    await client.post('/evaluations/cancel', { project_id: project.id, call_id: id })
    expect((await statusOf(project, id)).code).toBe('failed')
    expectRefusal(await resume(project, id), 400, 'was cancelled: start another one')
    expect((await listed(project, id)).state).toBe('cancelled')
  })

  test('a pace or limit out of range', async () => {
    const project = freshProject(client)
    const body = { project_id: project.id, evaluation_ref: 'x', model_ref: 'y' }
    expectInvalid(await client.post('/evaluations/evaluate_model', { ...body, parallel: 17 }))
    expectInvalid(await client.post('/evaluations/evaluate_model', { ...body, cost_limit: 0 }))
    expectInvalid(await resume(project, 'z', { parallel: 0 }))
  })
})
