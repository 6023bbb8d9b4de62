import { describe, expect, test } from 'bun:test'
import { digestsOf, queryResults, sendResults, traceEvaluation } from '../support/eval-results.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('eval_results/query: rows and trials', () => {
  test('an evaluation traced by a client package', async () => {
    const project = freshProject(server)
    const usage = { m: { total_tokens: 5 }, n: { total_tokens: 7, requests: 1 } }
    await traceEvaluation(project, 'e', [
      { row: 'rowB', output: { answer: 1.5 }, scores: { exact: true, judge: { fluency: 4, why: 'ok' } }, usage },
      { row: 'rowA', output: 'x', scores: { exact: false } },
    ])
    const { rows, ...rest } = await queryResults(project, ['e'])
    expect(rest).toEqual({ total_rows: 2, summary: null, warnings: [] })
    expect(rows.map((row) => row.row_digest)).toEqual(['rowA', 'rowB'])
    expect(rows[1]).toEqual({
      row_digest: 'rowB',
      raw_data_row: null,
      evaluations: [
        {
          evaluation_call_id: 'e',
          trials: [
            {
              predict_and_score_call_id: 'e-0',
              predict_call_id: 'e-0-predict',
              model_output: { answer: 1.5 },
              scores: { exact: true, judge: { fluency: 4, why: 'ok' } },
              model_latency_seconds: 2,
              total_tokens: 12,
              total_cost: null,
              scorer_call_ids: { exact: 'e-0-exact', judge: 'e-0-judge' },
              genai_span_ref: null,
            },
          ],
        },
      ],
    })
    expect(rows[0]!.evaluations[0]!.trials[0]).toMatchObject({ total_tokens: null, model_output: 'x' })
  })

  test.each(['Evaluation.predict_and_score', 'Evaluation.predictAndScore'])('%s in weave refs', async (op) => {
    const project = freshProject(server)
    await traceEvaluation(project, 'e', [{ row: 'r', output: 1, scores: { exact: 1 } }], { scheme: 'weave', op })
    const { rows } = await queryResults(project, [], { evaluation_run_ids: ['e'] })
    expect(rows).toMatchObject([
      { row_digest: 'r', evaluations: [{ trials: [{ predict_call_id: 'e-0-predict', scores: { exact: 1 } }] }] },
    ])
  })

  test('a run of predictions and scores looks the same, finished or not', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const run = await evals.run()
    const spans = [{ trace_id: 't', span_id: 's' }]
    const open = await evals.predict({ inputs: { n: 1 }, output: 'a', evaluation_run_id: run, genai_span_ref: spans })
    const score = await evals.score(open, 'exact', true, run)
    const trialOf = async () => (await queryResults(evals.project, [run])).rows[0]!.evaluations[0]!.trials[0]!
    const expected = {
      predict_call_id: open,
      model_output: 'a',
      scores: { exact: true },
      model_latency_seconds: null,
      scorer_call_ids: { exact: score },
      genai_span_ref: spans,
    }
    expect(await trialOf()).toMatchObject(expected)
    await evals.finish('predictions', open)
    expect(await trialOf()).toMatchObject({ ...expected, model_latency_seconds: expect.any(Number) })
    const late = await evals.score(open, 'late', 3, run)
    expect(await trialOf()).toMatchObject({
      scores: { exact: true, late: 3 },
      scorer_call_ids: { exact: score, late },
    })
  })

  test('scorer names may be in any script, finished or not', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const run = await evals.run()
    const open = await evals.predict({ evaluation_run_id: run })
    const score = await evals.score(open, '評価', 3, run)
    for (const finish of [() => Promise.resolve(), () => evals.finish('predictions', open)]) {
      await finish()
      const { rows, summary } = await queryResults(evals.project, [run], { include_summary: true })
      expect(rows[0]!.evaluations[0]!.trials).toMatchObject([{ scores: { 評価: 3 }, scorer_call_ids: { 評価: score } }])
      expect(summary?.evaluations[0]?.scorer_stats).toMatchObject([{ scorer_key: '評価', numeric_mean: 3 }])
    }
  })

  test('inline rows are matched by content, in any member order', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const runs = [await evals.run(), await evals.run()]
    await evals.trial(runs[0]!, { a: 1, b: { c: 'é', d: [1.5] } }, 'x', {})
    await evals.trial(runs[1]!, { b: { d: [1.5], c: 'é' }, a: 1 }, 'y', {})
    const { rows } = await queryResults(evals.project, runs, { include_raw_data_rows: true })
    expect(rows).toHaveLength(1)
    // SHA-256 of {"a": 1, "b": {"c": "\u00e9", "d": [1.5]}}, as Python prints it.
    expect(rows[0]).toMatchObject({
      row_digest: '7S2gwJo3oOxU6qXdoo0hS6A22qRH5HEtYjOuG1g57XA',
      raw_data_row: { a: 1, b: { c: 'é', d: [1.5] } },
      evaluations: [{ evaluation_call_id: runs[0] }, { evaluation_call_id: runs[1] }],
    })
  })

  test('trials of a row are sorted by time, evaluations in request order', async () => {
    const project = freshProject(server)
    await traceEvaluation(project, 'a', [
      { row: 'r', output: 1, scores: {} },
      { row: 'r', output: 2, scores: {} },
    ])
    await traceEvaluation(project, 'b', [{ row: 'r', output: 3, scores: {} }])
    const { rows } = await queryResults(project, ['b', 'a', 'b'], { evaluation_run_ids: ['a'] })
    const seen = rows[0]!.evaluations.map(({ evaluation_call_id, trials }) => [
      evaluation_call_id,
      ...trials.map((trial) => trial.model_output),
    ])
    expect(seen).toEqual([
      ['b', 3],
      ['a', 1, 2],
    ])
  })

  test('the model output comes from the prediction if the trial lacks it, however the page is sorted', async () => {
    const project = freshProject(server)
    await traceEvaluation(project, 'e', [{ row: 'a', output: 'told', scores: { exact: 1 } }])
    const times = { trace_id: 'trace-e', started_at: '2024-05-01T10:00:05Z', ended_at: '2024-05-01T10:00:09Z' }
    const inputs = { example: { n: 1 } }
    const op = 'Evaluation.predict_and_score'
    await project.complete(
      { ...times, id: 'terse', parent_id: 'e', op_name: op, inputs, output: { scores: { exact: 0 } } },
      { ...times, ended_at: '2024-05-01T10:00:06Z', id: 'said', parent_id: 'terse', op_name: 'predict', output: [1] },
    )
    for (const sort_by of [null, [{ field: 'scores.exact', direction: 'desc' }]]) {
      const { rows } = await queryResults(project, ['e'], { sort_by })
      const said = rows.flatMap((row) => row.evaluations[0]!.trials.map((trial) => trial.model_output))
      expect(said.toSorted()).toEqual([[1], 'told'])
    }
  })

  test('without children nothing is read from them', async () => {
    const project = freshProject(server)
    const usage = { m: { total_tokens: 5 } }
    await traceEvaluation(project, 'e', [{ row: 'r', output: 1, scores: { exact: 1 }, usage }])
    const { rows } = await queryResults(project, ['e'], { include_predict_and_score_children: false })
    expect(rows[0]!.evaluations[0]!.trials).toMatchObject([
      {
        predict_call_id: null,
        scores: { exact: 1 },
        scorer_call_ids: {},
        model_latency_seconds: 0.25,
        total_tokens: null,
      },
    ])
  })

  test('row refs are returned as refs', async () => {
    const project = freshProject(server)
    await traceEvaluation(project, 'e', [{ row: 'r', scores: {} }])
    const { rows } = await queryResults(project, ['e'], { include_raw_data_rows: true })
    expect(rows[0]!.raw_data_row).toBe(`ext:///${project.id}/object/questions:d1/attr/rows/id/r`)
  })

  test('row refs are resolved on request, with warnings for those that cannot be', async () => {
    const project = freshProject(server)
    const rows = [{ q: 1.5 }, { q: 0.5 }]
    const made = await server.post<{ row_digests: string[] }>('/table/create', {
      table: { project_id: project.id, rows },
    })
    const [first, second] = made.json.row_digests as [string, string]
    await traceEvaluation(
      project,
      'e',
      [first, second, 'unknown'].map((row) => ({ row, scores: {} })),
    )
    const request = { include_raw_data_rows: true, resolve_row_refs: true }
    const sorted = await queryResults(project, ['e'], {
      ...request,
      sort_by: [{ field: 'inputs.q', direction: 'asc' }],
    })
    expect(sorted.rows.map((row) => row.row_digest)).toEqual([second, first, 'unknown'])
    expect(sorted.rows.slice(0, 2).map((row) => row.raw_data_row)).toEqual([{ q: 0.5 }, { q: 1.5 }])
    expect(sorted.rows[2]!.raw_data_row).toBeString()
    expect(sorted.warnings).toMatchObject([expect.stringContaining('1 row ref was not resolved')])
    const filters = [{ query: { $expr: { $gt: [{ $getField: 'inputs.q' }, { $literal: 1 }] } } }]
    expect(await digestsOf(project, ['e'], { filters })).toEqual([first])
  })

  test('row refs are resolved in a project whose name has several spellings', async () => {
    const project = new Project(server, freshProject(server).entity, 'all about rows 1.0')
    const table = { project_id: project.id, rows: [{ q: 1 }] }
    const made = await server.post<{ row_digests: string[] }>('/table/create', { table })
    const tail = `object/d:d1/attr/rows/id/${made.json.row_digests[0]}`
    const path = project.id.split('/').map(encodeURIComponent).join('/')
    const evals = new EvaluationClient(project)
    for (const example of [`ext:///${project.id}/${tail}`, `ext:///${path}/${tail}`, `weave:///${path}/${tail}`]) {
      const run = await evals.run()
      const op_name = 'Evaluation.predict_and_score'
      await project.complete({ id: crypto.randomUUID(), trace_id: run, parent_id: run, op_name, inputs: { example } })
      const request = { include_raw_data_rows: true, resolve_row_refs: true }
      const { rows, warnings } = await queryResults(project, [run], request)
      expect({ row: rows[0]?.raw_data_row, warnings }).toEqual({ row: { q: 1 }, warnings: [] })
    }
  })

  test('costs are those of the prediction', async () => {
    const project = freshProject(server)
    const costs = { mine: { prompt_token_cost: 0.5, completion_token_cost: 2, effective_date: '2020-01-01T00:00:00Z' } }
    await server.post('/cost/create', { project_id: project.id, costs })
    const usage = { mine: { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 } }
    await traceEvaluation(project, 'e', [
      { row: 'r', scores: {}, usage },
      { row: 's', scores: {}, usage },
    ])
    const { rows, summary } = await queryResults(project, ['e'], { include_costs: true, include_summary: true })
    expect(rows[0]!.evaluations[0]!.trials).toMatchObject([{ total_cost: 8, total_tokens: 7 }])
    expect(summary!.evaluations).toMatchObject([{ predict_total_cost: 16, predict_total_tokens: 14 }])
  })

  test('pages count rows', async () => {
    const project = freshProject(server)
    const trials = ['a', 'b', 'c', 'd'].flatMap((row) => [
      { row, scores: {} },
      { row, scores: {} },
    ])
    await traceEvaluation(project, 'e', trials)
    const page = await queryResults(project, ['e'], { limit: 2, offset: 1 })
    expect(page.rows.map((row) => row.row_digest)).toEqual(['b', 'c'])
    expect(page.rows[0]!.evaluations[0]!.trials).toHaveLength(2)
    expect(page.total_rows).toBe(4)
    expect(await queryResults(project, ['e'], { limit: 0 })).toMatchObject({ rows: [], total_rows: 4 })
    expect(await queryResults(project, ['e'], { offset: 9 })).toMatchObject({ rows: [], total_rows: 4 })
    expect(await queryResults(project, ['e'], { include_rows: false })).toMatchObject({ rows: [], total_rows: 0 })
  })

  test('an intersection has the rows of every evaluation', async () => {
    const project = freshProject(server)
    await traceEvaluation(project, 'a', [
      { row: 'r', scores: { s: 1 } },
      { row: 'only', scores: { s: 3 } },
    ])
    await traceEvaluation(project, 'b', [{ row: 'r', scores: { s: 2 } }])
    expect(await digestsOf(project, ['a', 'b'])).toEqual(['only', 'r'])
    const request = { require_intersection: true, include_summary: true }
    const shared = await queryResults(project, ['a', 'b'], request)
    expect(shared.rows.map((row) => row.row_digest)).toEqual(['r'])
    expect(shared.total_rows).toBe(1)
    expect(shared.summary).toMatchObject({ row_count: 1, evaluations: [{ trial_count: 1 }, { trial_count: 1 }] })
    const all = await queryResults(project, ['a', 'b'], { ...request, summary_require_intersection: false })
    expect(all.summary).toMatchObject({ row_count: 2, evaluations: [{ trial_count: 2 }, { trial_count: 1 }] })
  })

  test('an unknown evaluation gives a warning', async () => {
    const project = freshProject(server)
    await traceEvaluation(project, 'e', [{ row: 'r', scores: {} }])
    const { rows, warnings } = await queryResults(project, ['e', 'unknown'])
    expect(rows).toHaveLength(1)
    expect(warnings).toMatchObject([expect.stringContaining('unknown')])
    expect(await queryResults(project, ['unknown'], { include_summary: true })).toMatchObject({
      rows: [],
      total_rows: 0,
      summary: { row_count: 0, evaluations: [] },
    })
  })

  test('other projects are not visible', async () => {
    const [mine, other] = [freshProject(server), freshProject(server)]
    await traceEvaluation(other, 'e', [{ row: 'r', scores: {} }])
    expect((await queryResults(mine, ['e'])).rows).toEqual([])
  })

  test('rejects invalid requests', async () => {
    const project = freshProject(server)
    expectInvalid(await sendResults(project, []), ['body', 'evaluation_call_ids'])
    expectRefusal(await sendResults(project, ['e'], { limit: -1 }), 400, 'limit')
    expectRefusal(
      await sendResults(project, ['e'], { sort_by: [{ field: 'score.x', direction: 'asc' }] }),
      422,
      'scores',
    )
    expectRefusal(await sendResults(project, ['e'], { sort_by: [{ field: 'scores', direction: 'asc' }] }), 422, 'path')
    const sort = { field: 'inputs.x', direction: 'asc', mode: 'difference' }
    expectRefusal(await sendResults(project, ['e'], { sort_by: [sort] }), 400, 'difference')
    const filters = [{ query: { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 1 }] } } }]
    expectRefusal(await sendResults(project, ['e'], { filters }), 422, 'op_name')
    expectInvalid(await sendResults(project, ['e'], { filters: [{ query: { $expr: { $foo: [] } } }] }), [
      'body',
      'filters',
      '0',
      'query',
      '$expr',
      '$foo',
    ])
  })
})
