import { afterAll, beforeEach, expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import type { RunList } from '../../../src/domains/evaluations/model/run-list.ts'
import type { Client } from '../support/client.ts'
import { createEvaluation, createObject, endOf, statusOf } from '../support/evaluation-engine.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'

/** Answers of the model that are let through, and those that wait for it. */
let free = 0
const waiting: (() => void)[] = []
const stub = startStubModel({
  hold: () => (free-- > 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
})
const server = await ownServer({ env: { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url } })
afterAll(() => stub.stop())
const client: Client = server.client

function letThrough(count: number): void {
  free = count
  for (const go of waiting.splice(0, count)) {
    free--
    go()
  }
}
beforeEach(() => {
  waiting.length = 0
  free = 0
})

const rows = Array.from({ length: 12 }, (_, index) => ({ question: `q${index}`, expected: `You said: q${index}` }))

async function start(project: Project, members: object = {}): Promise<string> {
  const model = await createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: 'gpt-4o' })
  const scorer = await createObject(project, 'exact', 'ExactMatchScorer', {})
  const evaluation_ref = await createEvaluation(project, rows, [scorer])
  const body = { project_id: project.id, evaluation_ref, model_ref: model, parallel: 2, ...members }
  return (await client.post<{ call_id: string }>('/evaluations/evaluate_model', body)).json.call_id
}

const change = (verb: 'pause' | 'resume' | 'cancel', project: Project, call_id: string, members: object = {}) =>
  client.post(`/evaluations/${verb}`, { project_id: project.id, call_id, ...members })

async function listed(project: Project, id: string) {
  const body = { project_id: project.id, evaluation_call_ids: [id] }
  return (await client.post<RunList>('/evaluations/runs/query', body)).json.runs[0]!
}

/** A run of which four rows have ended, and two are in progress. */
async function halfWay(project: Project): Promise<{ id: string; before: number }> {
  const before = stub.requests.length
  free = 4
  const id = await start(project)
  await until(async () => (await listed(project, id)).rows_ended === 4 && waiting.length === 2)
  return { id, before }
}

test('a run finishes its rows in progress, keeps the rest, and goes on without paying a row twice', async () => {
  const project = freshProject(client)
  const { id, before } = await halfWay(project)
  expect((await change('pause', project, id)).status).toBe(200)
  expect((await change('pause', project, id)).status).toBe(200)
  expect(await listed(project, id)).toMatchObject({ state: 'running', is_pausing: true, is_resumable: false })
  expect((await statusOf(project, id)).code).toBe('running')
  expectRefusal(await change('resume', project, id), 400, 'is pausing')
  letThrough(2)
  await until(async () => (await listed(project, id)).state === 'paused')
  expect(await listed(project, id)).toMatchObject({
    is_pausing: false,
    is_resumable: true,
    rows_begun: 6,
    rows_ended: 6,
    rows_scored: 6,
    ended_at: null,
  })
  expect(await statusOf(project, id)).toEqual({ code: 'paused', completed_rows: 6, total_rows: 12 })
  expect(stub.requests.length - before).toBe(6)
  expect((await change('pause', project, id)).status).toBe(200)
  // A client cannot finish what the server will go on with.
  const finish = `/v2/${project.id}/evaluation_runs/${id}/finish`
  expectRefusal(await client.post(finish, {}), 400, 'is executed by the server')
  const only = { project_id: project.id, states: ['paused'] }
  expect((await client.post<RunList>('/evaluations/runs/query', only)).json.total).toBe(1)
  letThrough(100)
  expect((await change('resume', project, id, { parallel: 3 })).status).toBe(200)
  expect((await endOf(project, id)).code).toBe('complete')
  expect(await listed(project, id)).toMatchObject({ state: 'done', rows_begun: 12, rows_scored: 12, rows_failed: 0 })
  expect(stub.requests.length - before).toBe(12)
  expectRefusal(await change('pause', project, id), 400, 'is not in progress')
})

test('a run that waits for others is paused before its first row', async () => {
  const project = freshProject(client)
  const others = [await start(project), await start(project)]
  await until(() => waiting.length === 4)
  const id = await start(project)
  expect((await change('pause', project, id)).status).toBe(200)
  expect(await listed(project, id)).toMatchObject({ state: 'paused', rows_begun: 0 })
  letThrough(100)
  for (const other of others) await endOf(project, other)
  expect((await listed(project, id)).state).toBe('paused')
  expect((await change('resume', project, id)).status).toBe(200)
  expect((await endOf(project, id)).code).toBe('complete')
})

test('a paused run can be cancelled, or deleted', async () => {
  const project = freshProject(client)
  const { id } = await halfWay(project)
  await change('pause', project, id)
  letThrough(2)
  await until(async () => (await listed(project, id)).state === 'paused')
  expect((await change('cancel', project, id)).status).toBe(200)
  expect(await listed(project, id)).toMatchObject({ state: 'cancelled', is_resumable: false })
  expectRefusal(await change('resume', project, id), 400, 'was cancelled: start another one')
  expectRefusal(await change('pause', project, id), 400, 'was cancelled')
  const other = await halfWay(project)
  await change('pause', project, other.id)
  letThrough(2)
  await until(async () => (await listed(project, other.id)).state === 'paused')
  await client.post('/calls/delete', { project_id: project.id, call_ids: [other.id] })
  expectRefusal(await change('resume', project, other.id), 404, 'No evaluation run')
})

test('a retry of failed rows can be paused, too', async () => {
  const project = freshProject(client)
  const { id, before } = await halfWay(project)
  await change('pause', project, id)
  letThrough(2)
  await until(async () => (await listed(project, id)).state === 'paused')
  letThrough(3)
  expect((await change('resume', project, id, { retry_failed: true })).status).toBe(200)
  await until(() => waiting.length === 2)
  await change('pause', project, id)
  letThrough(2)
  await until(async () => (await listed(project, id)).state === 'paused')
  expect((await listed(project, id)).rows_ended).toBe(11)
  letThrough(100)
  await change('resume', project, id)
  await endOf(project, id)
  expect(stub.requests.length - before).toBe(12)
  expect(await listed(project, id)).toMatchObject({ state: 'done', rows_scored: 12 })
})

test('runs that the server does not execute, and invalid requests are refused', async () => {
  const project = freshProject(client)
  expectRefusal(await change('pause', project, crypto.randomUUID()), 404, 'No evaluation run')
  expectInvalid(await client.post('/evaluations/pause', { project_id: project.id }), ['body', 'call_id'])
})
