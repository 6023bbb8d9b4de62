import { afterAll, describe, expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import type { CallRecord } from '../support/call-shapes.ts'
import { createEvaluation, createObject, endOf, evaluate, statusOf } from '../support/evaluation-engine.ts'
import { queryFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { freshProject, ownServer } from '../support/target.ts'

const stub = startStubModel({ answers: { 'one?': '1', 'two?': 'two', 'What of 1?': '{"score": 0.9}' } })
afterAll(() => stub.stop())
const server = await ownServer({ env: { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url } })

const rows = [
  { question: 'one?', expected: '1' },
  { question: 'two?', expected: '2' },
]
const modelOf = (project: Project, val: object = {}) =>
  createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: 'gpt-4o', ...val })
const exactMatch = (project: Project) => createObject(project, 'exact', 'ExactMatchScorer', {})

const opNames = (calls: readonly CallRecord[]) => calls.map(({ op_name }) => op_name).sort()

describe('evaluations/evaluate_model', () => {
  test('runs every row through the model and scorers, and summarizes', async () => {
    const project = freshProject(server.client)
    const [model, scorer] = [await modelOf(project), await exactMatch(project)]
    const evaluation = await createEvaluation(project, rows, [scorer])
    const id = await evaluate(project, { evaluation, model })
    const status = await endOf(project, id)
    expect(status).toMatchObject({
      code: 'complete',
      output: { exact: { match: { true_count: 1, true_fraction: 0.5 } } },
    })

    const calls = await project.query({ filter: { trace_ids: [id] } })
    expect(opNames(calls)).toEqual([
      'Evaluation.evaluate',
      ...rows.map(() => 'Evaluation.predict_and_score'),
      'Evaluation.summarize',
      ...rows.map(() => 'exact.score'),
      ...rows.map(() => 'llm.predict'),
    ])
    expect(calls.every(({ ended_at, exception }) => ended_at !== null && exception === null)).toBe(true)
    const trials = calls.filter(({ op_name }) => op_name === 'Evaluation.predict_and_score')
    expect(trials.map(({ output }) => output)).toContainEqual({
      output: '1',
      scores: { exact: { match: true } },
      model_latency: expect.any(Number),
    })
    expect(trials.map(({ inputs }) => inputs['example'])).toSatisfy((refs: unknown[]) =>
      refs.every((ref) => /\/object\/rows:\w{43}\/attr\/rows\/id\/\w{43}$/.test(String(ref))),
    )
    const prediction = calls.find(({ op_name, output }) => op_name === 'llm.predict' && output === '1')!
    expect(prediction.summary).toMatchObject({ usage: { 'gpt-4o': { requests: 1, total_tokens: expect.any(Number) } } })
  })

  test('scores are feedback on the calls of the model', async () => {
    const project = freshProject(server.client)
    const [model, scorer] = [await modelOf(project), await exactMatch(project)]
    const id = await evaluate(project, { evaluation: await createEvaluation(project, rows, [scorer]), model })
    await endOf(project, id)
    const query = {
      $expr: { $eq: [{ $getField: 'feedback.[ext.runnable.exact].payload.output.match' }, { $literal: true }] },
    }
    expect(opNames(await project.query({ query }))).toEqual(['llm.predict'])
    expect(await queryFeedback(project)).toHaveLength(2)
    await project.client.delete(project.v2(`evaluation_runs?evaluation_run_ids=${id}`))
    expect(await queryFeedback(project)).toEqual([])
  })

  test('runs as many trials per row as configured', async () => {
    const project = freshProject(server.client)
    const [model, scorer] = [await modelOf(project), await exactMatch(project)]
    const evaluation = await createEvaluation(project, rows, [scorer], { trials: 3 })
    const id = await evaluate(project, { evaluation, model })
    expect(await endOf(project, id)).toMatchObject({
      output: { exact: { match: { true_count: 3, true_fraction: 0.5 } } },
    })
  })

  test('renders the template of the model with the row, and requests JSON if the model is configured so', async () => {
    const project = freshProject(server.client)
    const messages_template = [
      { role: 'system', content: 'Answer as {{"n": …}}' },
      { role: 'user', content: 'What of {expected}?' },
    ]
    const model = await modelOf(project, {
      default_params: { messages_template, response_format: 'json_object', temperature: 0.5 },
    })
    const evaluation = await createEvaluation(project, rows.slice(0, 1), [])
    await endOf(project, await evaluate(project, { evaluation, model }))
    const [prediction] = (await project.query({})).filter(({ op_name }) => op_name === 'llm.predict')
    expect(prediction?.output).toEqual({ score: 0.9 })
    // Nothing else: providers refuse members that they do not know.
    expect(stub.requests.at(-1)?.body).toEqual({
      model: 'gpt-4o',
      temperature: 0.5,
      response_format: { type: 'json_object' },
      messages: [
        { role: 'system', content: 'Answer as {"n": …}' },
        { role: 'user', content: 'What of 1?' },
      ],
    })
  })

  test('an LLM judge scores with the response of its model', async () => {
    const project = freshProject(server.client)
    const model = await modelOf(project)
    const judge = await createObject(project, 'judge', 'LLMAsAJudgeScorer', {
      model: 'gpt-4o',
      scoring_prompt: 'What of {output}?',
    })
    const id = await evaluate(project, {
      evaluation: await createEvaluation(project, rows.slice(0, 1), [judge]),
      model,
    })
    expect(await endOf(project, id)).toMatchObject({ output: { judge: { score: { mean: 0.9 } } } })
  })

  test('a model that fails on a row fails that row, not the evaluation', async () => {
    const project = freshProject(server.client)
    const [model, scorer] = [await modelOf(project, { llm_model_id: 'stub-forbidden' }), await exactMatch(project)]
    const id = await evaluate(project, { evaluation: await createEvaluation(project, rows, [scorer]), model })
    expect(await endOf(project, id)).toMatchObject({ code: 'complete', output: { exact: null } })
    const calls = await project.query({ filter: { trace_ids: [id] } })
    const failed = calls.filter(({ exception }) => exception !== null)
    expect(opNames(failed)).toEqual(['llm.predict', 'llm.predict'])
    expect(calls.find((call) => call.id === id)?.summary.ext).toMatchObject({ status: 'descendant_error' })
  })

  test('an evaluation that needs user code fails with the reason', async () => {
    const project = freshProject(server.client)
    const val = { _type: 'MyModel', _class_name: 'MyModel', _bases: ['Model', 'Object', 'BaseModel'] }
    const { json } = await project.client.post<{ digest: string }>('/obj/create', {
      obj: { project_id: project.id, object_id: 'mine', val },
    })
    const model = `ext:///${project.id}/object/mine:${json.digest}`
    const id = await evaluate(project, { evaluation: await createEvaluation(project, rows, []), model })
    expect(await endOf(project, id)).toMatchObject({ code: 'failed' })
    const call = await project.readExisting(id)
    expect(call.exception).toContain('not runnable on the server')
  })

  test('an evaluation with a function as scorer fails with the reason', async () => {
    const project = freshProject(server.client)
    const op = `ext:///${project.id}/op/judge:${'a'.repeat(43)}`
    const id = await evaluate(project, {
      evaluation: await createEvaluation(project, rows, [op]),
      model: await modelOf(project),
    })
    expect(await endOf(project, id)).toMatchObject({ code: 'failed', error: expect.stringContaining('not runnable') })
    expect(await project.query({ filter: { trace_ids: [id] } })).toHaveLength(1)
  })

  test('rejects refs to nothing', async () => {
    const project = freshProject(server.client)
    const evaluation = await createEvaluation(project, rows, [])
    const ask = async (evaluation_ref: string, model_ref: string) =>
      (await project.client.post('/evaluations/evaluate_model', { project_id: project.id, evaluation_ref, model_ref }))
        .status
    expect(await ask(evaluation, 'no ref')).toBe(400)
    expect(await ask(`${evaluation}/attr/rows`, evaluation)).toBe(400)
    expect(await ask(evaluation, `ext:///${project.id}/object/none:v0`)).toBe(404)
    expect(await ask(evaluation, evaluation.replace(project.id, 'other/project'))).toBe(400)
  })

  test('a slow evaluation can be cancelled and stops', async () => {
    const project = freshProject(server.client)
    const model = await modelOf(project, { llm_model_id: 'stub-slow' })
    const id = await evaluate(project, { evaluation: await createEvaluation(project, rows, []), model })
    while ((await statusOf(project, id)).code !== 'running') await Bun.sleep(5)
    const cancel = () => project.client.post('/evaluations/cancel', { project_id: project.id, call_id: id })
    expect((await cancel()).status).toBe(200)
    expect(await statusOf(project, id)).toMatchObject({ code: 'failed' })
    const calls = await project.query({ filter: { trace_ids: [id] } })
    expect(calls.every(({ ended_at }) => ended_at !== null)).toBe(true)
    expect((await cancel()).status).toBe(404)
  })
})

describe('evaluations/rescore', () => {
  test('rescores the predictions of a run without calling the model', async () => {
    const project = freshProject(server.client)
    const [model, exact] = [await modelOf(project), await exactMatch(project)]
    const first = await evaluate(project, { evaluation: await createEvaluation(project, rows, [exact]), model })
    await endOf(project, first)
    const asked = stub.requests.length
    const distance = await createObject(project, 'apart', 'EditDistanceScorer', {})
    const body = { project_id: project.id, source_evaluation_run_id: first, scorer_refs: [distance] }
    const { json } = await project.client.post<{ call_id: string; evaluation_run_id: string }>(
      '/evaluations/rescore',
      body,
    )
    expect(json.evaluation_run_id).toBe(json.call_id)
    expect(await endOf(project, json.call_id)).toMatchObject({ output: { apart: { distance: { mean: 1.5 } } } })
    expect(stub.requests.length).toBe(asked)
    const [run] = await project.query({ filter: { call_ids: [json.call_id] } })
    expect(run?.inputs).toEqual((await project.readExisting(first)).inputs)
  })

  test('requires scorers and a finished run', async () => {
    const project = freshProject(server.client)
    const rescore = async (id: string, scorer_refs: string[]) =>
      (
        await project.client.post('/evaluations/rescore', {
          project_id: project.id,
          source_evaluation_run_id: id,
          scorer_refs,
        })
      ).status
    expect(await rescore('none', [await exactMatch(project)])).toBe(404)
    expect(await rescore('none', [])).toBe(422)
  })
})

describe('calls/score', () => {
  test('runs scorers on calls: a call and feedback for each score', async () => {
    const project = freshProject(server.client)
    await project.complete({ id: 'right', inputs: { expected: 'yes' }, output: 'yes' })
    await project.complete({ id: 'wrong', inputs: { expected: 'yes' }, output: 'no' })
    const body = {
      project_id: project.id,
      call_ids: ['right', 'wrong', 'missing'],
      scorer_refs: [await exactMatch(project)],
    }
    const { status, json } = await project.client.post('/calls/score', body)
    expect({ status, json }).toEqual({ status: 200, json: {} })
    const scored = async () =>
      (await project.query({ filter: { op_names: ['exact.score'] } })).map(({ output }) => output)
    while ((await scored()).length < 2) await Bun.sleep(5)
    expect(await scored()).toEqual(expect.arrayContaining([{ match: true }, { match: false }]))
    type WithFeedback = CallRecord & { summary: { ext: { feedback?: { payload: unknown; call_ref: string }[] } } }
    const feedbackOf = async (id: string) =>
      ((await project.query({ filter: { call_ids: [id] }, include_feedback: true })) as WithFeedback[])[0]?.summary.ext
        .feedback
    while ((await feedbackOf('wrong')) === undefined) await Bun.sleep(5)
    expect(await feedbackOf('wrong')).toMatchObject([{ payload: { output: { match: false } } }])
  })

  test('runs a scorer once, however often it is listed', async () => {
    const project = freshProject(server.client)
    await project.complete({ id: 'a', inputs: { expected: 'yes' }, output: 'yes' })
    const ref = await exactMatch(project)
    const body = { project_id: project.id, call_ids: ['a', 'a'], scorer_refs: [ref, ref] }
    expect((await project.client.post('/calls/score', body)).status).toBe(200)
    const scored = () => project.idsOf({ filter: { op_names: ['exact.score'] } })
    while ((await scored()).length === 0) await Bun.sleep(5)
    expect(await scored()).toHaveLength(1)
  })

  test('rejects unknown scorers', async () => {
    const project = freshProject(server.client)
    const body = { project_id: project.id, call_ids: ['a'], scorer_refs: [`ext:///${project.id}/object/none:latest`] }
    expect((await project.client.post('/calls/score', body)).status).toBe(404)
  })
})
