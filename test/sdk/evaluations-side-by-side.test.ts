import { afterAll, expect, test } from 'bun:test'
import { startStubModel } from '../../scripts/stub-model/server.ts'
import { createObject, endOf, evaluate } from '../conformance/support/evaluation-engine.ts'
import { freshProject, ownServer } from '../conformance/support/target.ts'
import { runProgram } from './vendor/run-program.ts'

const stub = startStubModel({ answers: { '1+1': '2', '2+2': '4', '3+3': 'six' } })
afterAll(() => stub.stop())
const { client } = await ownServer({
  env: { TRACELAKE_DIALECT: 'weave', OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url },
})

test('evaluations run by the weave client and by the server on the same dataset are comparable', async () => {
  const project = freshProject(client)
  await runProgram('evaluation-program', client, project.id)
  const evaluations = (await project.query({})).filter(({ op_name }) =>
    /\/op\/Evaluation\.evaluate:/.test(op_name as string),
  )
  const theirs = evaluations.find(({ inputs }) => JSON.stringify(inputs).includes('/arithmetic:'))!
  const refs = [`${String(theirs.inputs['self'] ?? theirs.inputs['this'])}/attr/dataset`]
  const dataset = (await client.post<{ vals: [string] }>('/refs/read_batch', { refs })).json.vals[0]

  const scorer = await createObject(project, 'near', 'NumericDistanceScorer', { expected_column: 'expected' })
  const created = await client.post<{ evaluation_ref: string }>(project.v2('evaluations'), {
    name: 'by-the-server',
    dataset,
    scorers: [scorer],
  })
  const model = await createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: 'gpt-4o' })
  const ours = await evaluate(project, { evaluation: created.json.evaluation_ref, model })
  expect(await endOf(project, ours)).toMatchObject({
    code: 'complete',
    output: { near: { within: { true_count: 2 } } },
  })

  const results = await client.post<{
    rows: {
      raw_data_row: { question: string }
      evaluations: { evaluation_call_id: string; trials: { model_output: unknown }[] }[]
    }[]
  }>(project.v2('eval_results/query'), {
    evaluation_call_ids: [theirs.id, ours],
    require_intersection: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
  })
  const outputs = results.json.rows.map(({ raw_data_row, evaluations: both }) => [
    raw_data_row.question,
    ...[theirs.id, ours].map(
      (id) => both.find(({ evaluation_call_id }) => evaluation_call_id === id)?.trials[0]?.model_output,
    ),
  ])
  expect(outputs.toSorted()).toEqual([
    ['1+1', 2, '2'],
    ['2+2', 4, '4'],
    ['3+3', 6, 'six'],
  ])
}, 120_000)
