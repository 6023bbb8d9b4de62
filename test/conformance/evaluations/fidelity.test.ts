import { afterAll, describe, expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { createEvaluation, createObject, endOf, evaluate, statusOf } from '../support/evaluation-engine.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import type { Project } from '../support/project.ts'
import { freshProject, ownServer } from '../support/target.ts'

const stub = startStubModel({ answers: { 'Say 12345678901234567890 and 1.10': '1.1' } })
afterAll(() => stub.stop())
const server = await ownServer({ env: { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url } })

const modelOf = (project: Project, llm_model_id: string, template = 'Say {big} and {small}') =>
  createObject(project, 'llm', 'LLMStructuredCompletionModel', {
    llm_model_id,
    default_params: { messages_template: [{ role: 'user', content: template }] },
  })
const exactMatch = (project: Project) => createObject(project, 'exact', 'ExactMatchScorer', {})

async function rescored(project: Project, source_evaluation_run_id: string, scorers: readonly string[]) {
  const body = { project_id: project.id, source_evaluation_run_id, scorer_refs: scorers }
  const answer = await project.client.post<{ call_id: string }>('/evaluations/rescore', body)
  expect(answer.status).toBe(200)
  return answer.json.call_id
}

const cancel = (project: Project, call_id: string) =>
  project.client.post('/evaluations/cancel', { project_id: project.id, call_id })

describe('evaluations run by the server', () => {
  test('rows reach the model and the calls verbatim, also when rescored', async () => {
    const project = freshProject(server.client)
    const row = '{"small":1.10,"big":12345678901234567890,"expected":1.10,"1":1e3}'
    const made = await project.client.postRaw<{ digest: string }>(project.v2('datasets'), `{"rows":[${row}]}`)
    const scorer = await exactMatch(project)
    const { json } = await project.client.post<{ evaluation_ref: string }>(project.v2('evaluations'), {
      name: 'e',
      dataset: `ext:///${project.id}/object/Dataset:${made.json.digest}`,
      scorers: [scorer],
    })
    const model = await modelOf(project, 'gpt-4o')
    const first = await evaluate(project, { evaluation: json.evaluation_ref, model })
    const expected = { code: 'complete', output: { exact: { match: { true_count: 1, true_fraction: 1 } } } }
    expect(await endOf(project, first)).toMatchObject(expected)
    const again = await rescored(project, first, [scorer])
    expect(await endOf(project, again)).toMatchObject(expected)
    for (const run of [first, again]) {
      const { text } = await project.ask({ filter: { trace_ids: [run] } })
      // Of the prediction and of its score.
      expect(text.split(`"inputs":${row}`)).toHaveLength(3)
    }
  })

  test('a failed prediction is not rescored', async () => {
    const project = freshProject(server.client)
    const scorer = await exactMatch(project)
    const rows = [{ q: 'a', expected: 'You said: a' }, { q: 'b', expected: 'no' }, { other: 1 }]
    const model = await modelOf(project, 'gpt-4o', '{q}')
    const first = await evaluate(project, { evaluation: await createEvaluation(project, rows, [scorer]), model })
    const expected = { output: { exact: { match: { true_count: 1, true_fraction: 0.5 } } } }
    expect(await endOf(project, first)).toMatchObject(expected)
    const again = await rescored(project, first, [scorer])
    expect(await endOf(project, again)).toMatchObject(expected)
    const failed = (await project.query({ filter: { trace_ids: [first, again] } })).filter(({ exception }) => exception)
    expect(failed.map(({ op_name, trace_id }) => [op_name, trace_id]).sort()).toEqual(
      [first, again].map((run) => ['llm.predict', run]).sort(),
    )
    expect(new Set(failed.map(({ exception }) => exception)).size).toBe(1)
  })

  test('unfinished predictions are rescored by their output', async () => {
    const evals = new EvaluationClient(freshProject(server.client))
    const { project } = evals
    const run = await evals.run()
    await evals.predict({ evaluation_run_id: run, inputs: { expected: 'yes' }, output: 'yes' })
    await evals.finish('evaluation_runs', run)
    const again = await rescored(project, run, [await exactMatch(project)])
    const expected = { code: 'complete', output: { exact: { match: { true_count: 1, true_fraction: 1 } } } }
    expect(await endOf(project, again)).toMatchObject(expected)
  })

  test('a prediction keeps its latency, whoever traced it and however often it is rescored', async () => {
    const project = freshProject(server.client)
    const op = (name: string) => `ext:///${project.id}/op/${name}:abc`
    const model = `ext:///${project.id}/object/llm:v0`
    const inputs = { self: `ext:///${project.id}/object/eval:v0`, model }
    const output = { output: 'x', scores: {}, model_latency: 0.25 }
    await project.complete(
      { id: 'run', trace_id: 'trace', op_name: op('Evaluation.evaluate'), inputs },
      {
        id: 'trial',
        trace_id: 'trace',
        parent_id: 'run',
        op_name: op('Evaluation.predict_and_score'),
        inputs: { ...inputs, example: { expected: 'x' } },
        output,
      },
    )
    const again = await rescored(project, 'run', [await exactMatch(project)])
    expect(await endOf(project, again)).toMatchObject({ code: 'complete', output: { model_latency: { mean: 0.25 } } })
    for (const include_predict_and_score_children of [true, false]) {
      const { json } = await project.client.post<{ rows: { evaluations: { trials: object[] }[] }[] }>(
        project.v2('eval_results/query'),
        { evaluation_call_ids: ['run', again], include_predict_and_score_children },
      )
      const trials = json.rows[0]!.evaluations.flatMap((evaluation) => evaluation.trials)
      expect(trials).toMatchObject([{ model_latency_seconds: 0.25 }, { model_latency_seconds: 0.25 }])
    }
  })

  test('a queued run knows its number of rows', async () => {
    const project = freshProject(server.client)
    const evaluation = await createEvaluation(project, [{ q: 1 }, { q: 2 }], [], { trials: 3 })
    const model = await modelOf(project, 'stub-slow', '{q}')
    const runs: string[] = []
    for (let count = 0; count < 3; count++) runs.push(await evaluate(project, { evaluation, model }))
    expect(await statusOf(project, runs[2]!)).toEqual({ code: 'running', completed_rows: 0, total_rows: 6 })
    for (const run of runs.toReversed()) expect((await cancel(project, run)).status).toBe(200)
  })

  test('the results of a client’s evaluation are returned verbatim', async () => {
    const project = freshProject(server.client)
    await project.start({ id: 'e', op_name: 'Evaluation.evaluate' })
    const end = `"project_id":"${project.id}","id":"e","ended_at":"2030-01-01T00:00:00Z","summary":{}`
    await project.client.postRaw('/call/end', `{"end":{${end},"output":{"b":1.10,"1":1e3}}}`)
    const { text } = await project.client.post('/evaluations/status', { project_id: project.id, call_id: 'e' })
    expect(text).toContain('"output":{"b":1.10,"1":1e3}')
  })
})
