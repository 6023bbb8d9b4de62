import { afterAll, expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { createEvaluation, createObject, evaluate, statusOf } from '../support/evaluation-engine.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const stub = startStubModel()
afterAll(() => stub.stop())
const server = await ownServer({ env: { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url } })

interface Job {
  id: string
  state: string
  updated_at: string
}
const cancel = (id: string) => server.client.post<Job>('/jobs/cancel', { id })

test('cancels a running job once, and its run ends', async () => {
  const project = freshProject(server.client)
  const model = await createObject(project, 'slow', 'LLMStructuredCompletionModel', { llm_model_id: 'stub-slow' })
  const evaluation = await createEvaluation(project, [{ question: 'one?' }], [])
  const id = await evaluate(project, { evaluation, model })
  const { json } = await cancel(id)
  expect(json).toMatchObject({ id, state: 'cancelled', kind: 'evaluate_model', project_id: project.id })
  expect(json.updated_at).toBeString()
  expect(await statusOf(project, id)).toEqual({ code: 'failed', error: 'Cancelled' })
  expectRefusal(await cancel(id), 400, 'cancelled')
  const { jobs } = (await server.client.post<{ jobs: Job[] }>('/jobs/query', { states: ['cancelled'] })).json
  expect(jobs).toMatchObject([{ id, updated_at: json.updated_at }])
})

test('an unknown job and an erasure are not cancelled', async () => {
  expectRefusal(await cancel('none'), 404, 'none')
  const project = freshProject(server.client)
  await project.complete({ id: 'a' })
  const { json } = await server.client.post<Job>('/projects/erase', { project_id: project.id })
  // It may have ended by now: either way it is left alone.
  expectRefusal(await cancel(json.id), 400, json.id)
  const call_id = json.id
  expect((await server.client.post('/evaluations/cancel', { project_id: project.id, call_id })).status).toBe(404)
})
