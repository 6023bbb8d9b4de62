import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { createEvaluation, createObject, endOf, evaluate, statusOf } from '../support/evaluation-engine.ts'
import type { RunRecord } from '../support/evaluations.ts'
import { Project } from '../support/project.ts'
import { expectRefusal } from '../support/refusals.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const stub = startStubModel()
afterAll(() => stub.stop())
const env = { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url }
const server = await ownServer({ env })

const rows = [{ question: 'one?' }, { question: 'two?' }]
const modelOf = (project: Project, llm_model_id: string, name = 'llm') =>
  createObject(project, name, 'LLMStructuredCompletionModel', { llm_model_id })
const exactMatch = (project: Project) => createObject(project, 'exact', 'ExactMatchScorer', {})

const cancel = (project: Project, call_id: string) =>
  project.client.post('/evaluations/cancel', { project_id: project.id, call_id })

/**
 * Runs that go on until they are cancelled: as many as the server runs at a time, so that whatever
 * is asked for next waits.
 */
const blockers: { project: Project; id: string }[] = []
async function block(project: Project): Promise<void> {
  const evaluation = await createEvaluation(project, rows, [])
  const model = await modelOf(project, 'stub-slow', 'slow')
  for (let at = 0; at < 2; at++) blockers.push({ project, id: await evaluate(project, { evaluation, model }) })
}
async function unblock(): Promise<void> {
  for (const { project, id } of blockers.splice(0)) await cancel(project, id)
}
afterEach(unblock)

describe('evaluations run by the server', () => {
  test('a run is visible when it is accepted, with the name from its evaluation', async () => {
    const project = freshProject(server.client)
    await block(project)
    const evaluation = await createEvaluation(project, rows, [], { evaluation_name: 'nightly' })
    const id = await evaluate(project, { evaluation, model: await modelOf(project, 'gpt-4o') })
    expect(await statusOf(project, id)).toEqual({ code: 'running', completed_rows: 0, total_rows: 2 })
    expect(await project.readExisting(id)).toMatchObject({ display_name: 'nightly', ended_at: null })
    const { json } = await project.client.get<RunRecord>(project.v2(`evaluation_runs/${id}`))
    expect(json).toMatchObject({ status: 'running', evaluation })
  })

  test('a queued run can be cancelled, and its status says so', async () => {
    const project = freshProject(server.client)
    await block(project)
    const evaluation = await createEvaluation(project, rows, [])
    const id = await evaluate(project, { evaluation, model: await modelOf(project, 'gpt-4o') })
    expect((await cancel(project, id)).status).toBe(200)
    expect(await statusOf(project, id)).toEqual({ code: 'failed', error: 'Cancelled' })
    await unblock()
    expect(await project.query({ filter: { trace_ids: [id] } })).toHaveLength(1)
  })

  test('a run of the server cannot be finished by a client', async () => {
    const project = freshProject(server.client)
    await block(project)
    const id = blockers[0]!.id
    const finish = () => project.client.post(project.v2(`evaluation_runs/${id}/finish`), {})
    expectRefusal(await finish(), 400, id)
    expect(await statusOf(project, id)).toMatchObject({ code: 'running' })
    await unblock()
    expect((await finish()).status).toBe(200)
  })

  test('deleting a run stops it, whether running or queued', async () => {
    const project = freshProject(server.client)
    await block(project)
    const [model, evaluation] = [await modelOf(project, 'gpt-4o'), await createEvaluation(project, rows, [])]
    const waiting = [await evaluate(project, { evaluation, model }), await evaluate(project, { evaluation, model })]
    const [first, second] = blockers.map(({ id }) => id)
    while ((await project.stats({ filter: { trace_ids: [first!] } })).count < 3) await Bun.sleep(5)
    const runs = [first, waiting[0]].map((id) => `evaluation_run_ids=${id}`).join('&')
    const { json } = await project.client.delete(project.v2(`evaluation_runs?${runs}`))
    expect(json).toEqual({ num_deleted: 2 })
    expect(await project.delete(second!, waiting[1]!)).toBeGreaterThanOrEqual(2)
    for (const id of [first!, second!, ...waiting]) expect((await cancel(project, id)).status).toBe(404)
    // Those that come now find both places free, and everything before them over.
    await endOf(project, await evaluate(project, { evaluation, model }))
    const left = await project.query({ filter: { trace_ids: [first!, second!, ...waiting] } })
    expect(left.map(({ op_name }) => op_name)).toEqual([])
  })

  test('`latest` is resolved when the run is requested', async () => {
    const project = freshProject(server.client)
    const evaluation = await createEvaluation(project, rows, [])
    const asked = await modelOf(project, 'gpt-4o')
    await block(project)
    const id = await evaluate(project, {
      evaluation: evaluation.replace(/:\w{43}$/, ':v0'),
      model: asked.replace(/:\w{43}$/, ':latest'),
    })
    await modelOf(project, 'stub-forbidden')
    await unblock()
    expect(await endOf(project, id)).toMatchObject({ code: 'complete' })
    const calls = await project.query({ filter: { trace_ids: [id] } })
    expect(calls.filter(({ exception }) => exception !== null)).toEqual([])
    expect((await project.readExisting(id)).inputs).toEqual({ self: evaluation, model: asked })
  })

  test('a queued rescoring run knows its rows, and fails if its source is deleted', async () => {
    const project = freshProject(server.client)
    const evaluation = await createEvaluation(project, rows, [])
    const source = await evaluate(project, { evaluation, model: await modelOf(project, 'gpt-4o') })
    await endOf(project, source)
    await block(project)
    const body = {
      project_id: project.id,
      source_evaluation_run_id: source,
      scorer_refs: [await exactMatch(project)],
    }
    const { json } = await project.client.post<{ call_id: string }>('/evaluations/rescore', body)
    expect(await statusOf(project, json.call_id)).toMatchObject({ code: 'running', total_rows: 2 })
    await project.delete(source)
    await unblock()
    expect(await endOf(project, json.call_id)).toMatchObject({ code: 'failed', error: expect.stringContaining(source) })
  })

  test('an evaluation with a preprocessing function fails with the reason', async () => {
    const project = freshProject(server.client)
    const preprocess_model_input = `ext:///${project.id}/op/shorten:${'a'.repeat(43)}`
    const evaluation = await createEvaluation(project, rows, [], { preprocess_model_input })
    const id = await evaluate(project, { evaluation, model: await modelOf(project, 'gpt-4o') })
    expect(await endOf(project, id)).toMatchObject({
      code: 'failed',
      error: expect.stringContaining('preprocess_model_input'),
    })
  })

  test('a run resumed after a kill keeps its start time', async () => {
    const data = await makeTempFolder()
    const adminKey = 'd'.repeat(40)
    const first = await startServer({ env, data, adminKey })
    const before = freshProject(first.client)
    const evaluation = await createEvaluation(before, rows, [])
    const id = await evaluate(before, { evaluation, model: await modelOf(before, 'stub-slow') })
    const { started_at } = await before.readExisting(id)
    await first.kill()
    const second = await startServer({ env, data, adminKey })
    try {
      const project = new Project(second.client, before.entity, before.name)
      while ((await project.stats({ filter: { trace_ids: [id] } })).count < 3) await Bun.sleep(5)
      expect((await project.readExisting(id)).started_at).toBe(started_at)
    } finally {
      await second.stop()
      await removeFolder(data)
    }
  })
})
