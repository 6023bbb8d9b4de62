import { describe, expect, test } from 'bun:test'
import { queryResults, type ScorerStats, traceEvaluation } from '../support/eval-results.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

/** Counts of zero are omitted from the expectation. */
const stats = (members: Partial<ScorerStats>): ScorerStats => ({
  scorer_key: '',
  path: null,
  value_type: null,
  trial_count: 3,
  numeric_count: 0,
  numeric_mean: null,
  pass_true_count: 0,
  pass_known_count: 0,
  pass_rate: null,
  pass_signal_coverage: null,
  ...members,
})

describe('eval_results/query: summary', () => {
  test('has statistics of every scalar in the scores', async () => {
    const project = freshProject(server)
    const usage = { m: { total_tokens: 5 } }
    await traceEvaluation(project, 'e', [
      { row: 'a', scores: { pass: true, judge: { tone: 'kind', deep: { points: 1.5 } }, list: [1, 2] }, usage },
      { row: 'b', scores: { pass: false, judge: { tone: 'rude', deep: { points: 2.5 } }, 'a.b': null } },
      { row: 'b', scores: { judge: 7 }, usage },
    ])
    const { summary } = await queryResults(project, ['e'], { include_summary: true, include_rows: false })
    expect(summary!.row_count).toBe(2)
    const [{ scorer_stats, ...figures }] = summary!.evaluations as [(typeof summary & object)['evaluations'][number]]
    expect(figures).toEqual({
      evaluation_call_id: 'e',
      trial_count: 3,
      predict_total_tokens: 10,
      predict_total_cost: null,
      evaluation_ref: `ext:///${project.id}/object/quiz:q1`,
      model_ref: `ext:///${project.id}/object/Guesser-e:m1`,
      display_name: null,
      trace_id: 'trace-e',
      started_at: '2024-05-01T10:00:00Z',
    })
    expect(scorer_stats).toEqual([
      stats({ scorer_key: 'judge', value_type: 'continuous', numeric_count: 1, numeric_mean: 7 }),
      stats({
        scorer_key: 'pass',
        value_type: 'binary',
        pass_true_count: 1,
        pass_known_count: 2,
        pass_rate: 0.5,
        pass_signal_coverage: 2 / 3,
      }),
      stats({ scorer_key: 'judge', path: 'tone', value_type: 'text' }),
      stats({ scorer_key: 'judge', path: 'deep.points', value_type: 'continuous', numeric_count: 2, numeric_mean: 2 }),
    ])
  })

  test('includes scores that are not yet in trials, and display names of renamed calls', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const run = await evals.run()
    await evals.project.update(run, 'Tuesday')
    const prediction = await evals.predict({ evaluation_run_id: run })
    await evals.score(prediction, 'exact', true, run)
    const { summary } = await queryResults(evals.project, [run], { include_summary: true })
    expect(summary!.evaluations).toMatchObject([
      {
        display_name: 'Tuesday',
        evaluation_ref: evals.evaluation,
        scorer_stats: [{ scorer_key: 'exact', pass_rate: 1 }],
      },
    ])
    const options = { include_summary: true, include_predict_and_score_children: false }
    const without = await queryResults(evals.project, [run], options)
    expect(without.summary!.evaluations).toMatchObject([{ trial_count: 1, scorer_stats: [] }])
  })

  test.each([
    ['of several models', { a: { total_tokens: 5 }, b: { total_tokens: 7 } }, 12],
    ['of none', {}, null],
    ['that say nothing of them', { a: { requests: 1 } }, null],
    ['of nothing', { a: { total_tokens: 0 } }, 0],
  ])('tokens %s', async (_, usage, total) => {
    const project = freshProject(server)
    await traceEvaluation(project, 'e', [{ row: 'a', scores: {}, usage }])
    const { rows, summary } = await queryResults(project, ['e'], { include_summary: true })
    expect(summary!.evaluations[0]).toMatchObject({ predict_total_tokens: total })
    expect(rows[0]!.evaluations[0]!.trials[0]!.total_tokens).toBe(total)
  })

  test('token counts come from the first prediction, else from the trial, of rows common to all', async () => {
    const project = freshProject(server)
    await traceEvaluation(project, 'e', [{ row: 'a', scores: {}, usage: { m: { total_tokens: 5 } } }])
    await traceEvaluation(project, 'f', [{ row: 'a', scores: {} }])
    const start = { trace_id: 'trace-e', started_at: '2024-05-01T10:00:03Z', ended_at: '2024-05-01T10:00:04Z' }
    const usage = (tokens: number) => ({ summary: { usage: { m: { total_tokens: tokens } } } })
    const example = { example: { n: 1 } }
    const trial = 'Evaluation.predict_and_score'
    await project.complete(
      { ...start, id: 'again', parent_id: 'e-0', op_name: 'predict_again', ...usage(100) },
      { ...start, id: 'bare', parent_id: 'e', op_name: trial, inputs: example, ...usage(70) },
    )
    const tokens = async (request: Record<string, unknown>) => {
      const { summary } = await queryResults(project, ['e', 'f'], { include_summary: true, ...request })
      return summary!.evaluations.map((evaluation) => evaluation['predict_total_tokens'])
    }
    expect(await tokens({})).toEqual([75, null])
    expect(await tokens({ summary_require_intersection: true })).toEqual([5, null])
    expect(await tokens({ include_predict_and_score_children: false })).toEqual([70, null])
  })

  test('omits evaluations without trials', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const run = await evals.run()
    const { summary } = await queryResults(evals.project, [run], { include_summary: true })
    expect(summary).toEqual({ row_count: 0, evaluations: [] })
  })
})
