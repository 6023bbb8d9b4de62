import { afterAll, describe, expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { createEvaluation, createObject, endOf, evaluate } from '../support/evaluation-engine.ts'
import { queryFeedback } from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const deep = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`
const answers = {
  'huge?': JSON.stringify({ score: 1, why: 'x'.repeat(2 ** 21) }),
  'half?': '{"text": "half \\ud83d", "score": 1}',
  'deep?': deep,
  'halved?': 'a \ud83d',
}
const stub = startStubModel({ answers })
afterAll(() => stub.stop())
const server = await ownServer({ env: { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url } })

const rows = [{ question: 'one?', expected: 'You said: one?' }]
const modelOf = (project: Project, name = 'llm') =>
  createObject(project, name, 'LLMStructuredCompletionModel', { llm_model_id: 'gpt-4o' })
const exactMatch = (project: Project, name = 'exact') => createObject(project, name, 'ExactMatchScorer', {})
const judge = (project: Project, scoring_prompt: string) =>
  createObject(project, 'judge', 'LLMAsAJudgeScorer', { model: 'gpt-4o', scoring_prompt })

const callsOf = (project: Project, id: string) => project.query({ filter: { trace_ids: [id] } })

describe('evaluations run by the server', () => {
  test('a score too large for feedback fails alone', async () => {
    const project = freshProject(server.client)
    const evaluation = await createEvaluation(project, rows, [await judge(project, 'huge?'), await exactMatch(project)])
    const id = await evaluate(project, { evaluation, model: await modelOf(project) })
    expect(await endOf(project, id)).toMatchObject({
      code: 'complete',
      output: { judge: null, exact: { match: { true_count: 1 } } },
    })
    const failed = (await callsOf(project, id)).filter(({ exception }) => exception !== null)
    expect(failed.map(({ op_name }) => op_name)).toEqual(['judge.score'])
    expect(failed[0]?.exception).toContain('1048576 bytes')
    expect(await queryFeedback(project)).toHaveLength(1)
  })

  test('a row without the expected value is not scored, with a reason', async () => {
    const project = freshProject(server.client)
    const evaluation = await createEvaluation(project, [...rows, { question: 'two?' }], [await exactMatch(project)])
    const id = await evaluate(project, { evaluation, model: await modelOf(project) })
    expect(await endOf(project, id)).toMatchObject({
      output: { exact: { match: { true_count: 1, true_fraction: 1 } } },
    })
    const failed = (await callsOf(project, id)).filter(({ exception }) => exception !== null)
    expect(failed).toMatchObject([{ op_name: 'exact.score', exception: expect.stringContaining('"expected"') }])
  })

  test('a judge whose prompt says so has its variables in double braces, and may contain JSON', async () => {
    const project = freshProject(server.client)
    const val = {
      _type: 'LLMAsAJudgeScorer',
      _class_name: 'LLMAsAJudgeScorer',
      _bases: ['Scorer', 'Object', 'BaseModel'],
      model: 'gpt-4o',
      template_format: 'mustache',
      scoring_prompt: 'Grade {{ output }} for {{question}} as {"pass": true}, not {question}.',
    }
    const obj = { project_id: project.id, object_id: 'judge', val }
    const { json } = await server.client.post<{ digest: string }>('/obj/create', { obj })
    const scorer = `ext:///${project.id}/object/judge:${json.digest}`
    const evaluation = await createEvaluation(project, rows, [scorer])
    const id = await evaluate(project, { evaluation, model: await modelOf(project) })
    expect(await endOf(project, id)).toMatchObject({ code: 'complete' })
    expect(stub.requests.at(-1)?.body).toMatchObject({
      messages: [{ role: 'user', content: 'Grade You said: one? for one? as {"pass": true}, not {question}.' }],
    })
  })

  test('a judge response nested beyond the limit is kept as text', async () => {
    const project = freshProject(server.client)
    const evaluation = await createEvaluation(project, rows, [await judge(project, 'deep?')])
    const id = await evaluate(project, { evaluation, model: await modelOf(project) })
    expect(await endOf(project, id)).toMatchObject({ code: 'complete' })
    const score = (await callsOf(project, id)).find(({ op_name }) => op_name === 'judge.score')
    expect(score?.output).toEqual({ text: deep })
  })

  test('a lone surrogate in a response does not break queries', async () => {
    const project = freshProject(server.client)
    const evaluation = await createEvaluation(
      project,
      [{ question: 'halved?' }],
      [await judge(project, 'half?'), await exactMatch(project)],
    )
    const id = await evaluate(project, { evaluation, model: await modelOf(project) })
    await endOf(project, id)
    const calls = await project.query({ sort_by: [{ field: 'output.text', direction: 'asc' }] })
    expect(calls.find(({ op_name }) => op_name === 'llm.predict')?.output).toBe('a \ufffd')
    expect(calls.find(({ op_name }) => op_name === 'judge.score')?.output).toEqual({ text: 'half \ufffd', score: 1 })
    const payloads = (await queryFeedback(project)).map(({ payload }) => payload)
    expect(payloads).toContainEqual({ output: { text: 'half \ufffd', score: 1 } })
    const answer = await server.client.post(project.v2('eval_results/query'), {
      evaluation_call_ids: [id],
      include_summary: true,
      sort_by: [{ field: 'scores.judge.text', direction: 'asc' }],
    })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ rows: [{ evaluations: [{ trials: [{ model_output: 'a \ufffd' }] }] }] })
  })

  test('models and scorers get rows verbatim, whatever is stored of them', async () => {
    const project = freshProject(server.client)
    const picture = `data:image/png;base64,${'B'.repeat(12_000)}`
    const row = { question: picture, api_key: 'a key', expected: `You said: ${picture} a key` }
    const messages_template = [{ role: 'user', content: '{question} {api_key}' }]
    const model = await createObject(project, 'llm', 'LLMStructuredCompletionModel', {
      llm_model_id: 'gpt-4o',
      default_params: { messages_template },
    })
    const second = await createObject(project, 'second', 'ContainsScorer', { expected_column: 'api_key' })
    const scorers = [await exactMatch(project), second]
    const id = await evaluate(project, { evaluation: await createEvaluation(project, [row], scorers), model })
    expect(await endOf(project, id)).toMatchObject({
      output: { exact: { match: { true_count: 1 } }, second: { contains: { true_count: 1 } } },
    })
    expect(stub.requests.at(-1)?.body).toMatchObject({ messages: [{ content: `${picture} a key` }] })
    const prediction = (await callsOf(project, id)).find(({ op_name }) => op_name === 'llm.predict')
    expect(prediction?.inputs['inputs']).toMatchObject({ question: { files: {} }, api_key: 'REDACTED' })
  })

  test('names may be as long as those of any object', async () => {
    const project = freshProject(server.client)
    const evaluation = await createEvaluation(project, rows, [await exactMatch(project, 's'.repeat(128))])
    const id = await evaluate(project, { evaluation, model: await modelOf(project, 'm'.repeat(128)) })
    expect(await endOf(project, id)).toMatchObject({ code: 'complete' })
    const names = (await callsOf(project, id)).map(({ op_name }) => op_name)
    expect(names).toEqual(expect.arrayContaining(['Model.predict', 'Scorer.score']))
  })

  test('a scorer listed twice runs once', async () => {
    const project = freshProject(server.client)
    const scorer = await exactMatch(project)
    const evaluation = await createEvaluation(project, rows, [scorer, scorer])
    const id = await evaluate(project, { evaluation, model: await modelOf(project) })
    expect(await endOf(project, id)).toMatchObject({
      code: 'complete',
      output: { exact: { match: { true_count: 1 } } },
    })
    expect((await callsOf(project, id)).filter(({ op_name }) => op_name === 'exact.score')).toHaveLength(1)
  })

  test('no scorer uses a row that was deleted', async () => {
    const project = freshProject(server.client)
    const scorer = await exactMatch(project)
    const source = await evaluate(project, {
      evaluation: await createEvaluation(project, rows, []),
      model: await modelOf(project),
    })
    await endOf(project, source)
    await server.client.post('/obj/delete', { project_id: project.id, object_id: 'rows' })
    const body = { project_id: project.id, source_evaluation_run_id: source, scorer_refs: [scorer] }
    const { json } = await server.client.post<{ call_id: string }>('/evaluations/rescore', body)
    expect(await endOf(project, json.call_id)).toMatchObject({ code: 'complete', output: { exact: null } })
    const score = (await callsOf(project, json.call_id)).find(({ op_name }) => op_name === 'exact.score')
    expect(score?.exception).toContain('/attr/rows/id/')
  })
})

describe('calls/score', () => {
  test('a running call is not scored, with a reason', async () => {
    const project = freshProject(server.client)
    await project.start({ id: 'running', inputs: { expected: 'yes' } })
    const body = { project_id: project.id, call_ids: ['running'], scorer_refs: [await exactMatch(project)] }
    expect((await server.client.post('/calls/score', body)).status).toBe(200)
    const scores = () => project.query({ filter: { op_names: ['exact.score'] } })
    while ((await scores()).length === 0) await Bun.sleep(5)
    expect(await scores()).toMatchObject([{ output: null, exception: expect.stringContaining('has not ended') }])
    expect(await queryFeedback(project)).toEqual([])
  })

  test('rejects scorers that the server cannot run', async () => {
    const project = freshProject(server.client)
    const { json } = await server.client.post<{ scorer: string }>(project.v2('scorers'), {
      name: 'mine',
      op_source_code: 'def score(output): return True',
    })
    const body = { project_id: project.id, call_ids: ['a'], scorer_refs: [json.scorer] }
    expectRefusal(await server.client.post('/calls/score', body), 400, 'not runnable on the server')
  })
})
