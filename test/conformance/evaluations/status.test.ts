import { describe, expect, test } from 'bun:test'
import { traceEvaluation } from '../support/eval-results.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('evaluations/status', () => {
  async function statusOf(evals: EvaluationClient, call_id: string): Promise<unknown> {
    const body = { project_id: evals.project.id, call_id }
    return (await server.post<{ status: unknown }>('/evaluations/status', body)).json.status
  }
  const fresh = () => new EvaluationClient(freshProject(server))

  test('tracks a run from start to end', async () => {
    const evals = fresh()
    expect(await statusOf(evals, 'unknown')).toEqual({ code: 'not_found' })
    const rows = [{ n: 1 }, { n: 2 }]
    const dataset = await evals.post<{ digest: string }>('datasets', { name: 'd', rows })
    const made = await evals.post<{ evaluation_ref: string }>('evaluations', {
      name: 'quiz',
      dataset: `ext:///${evals.project.id}/object/d:${dataset.digest}`,
      trials: 2,
    })
    const run = await evals.run({ evaluation: made.evaluation_ref })
    expect(await statusOf(evals, run)).toEqual({ code: 'running', completed_rows: 0, total_rows: 4 })
    await evals.trial(run, rows[0]!, 1, { exact: true })
    await evals.predict({ evaluation_run_id: run })
    expect(await statusOf(evals, run)).toEqual({ code: 'running', completed_rows: 1, total_rows: 4 })
    await evals.finish('evaluation_runs', run)
    expect(await statusOf(evals, run)).toEqual({
      code: 'complete',
      output: { exact: { mean: 1 }, output: { mean: 1 } },
    })
  })

  test('without the dataset, the total is the number of finished rows', async () => {
    const evals = fresh()
    const run = await evals.run()
    await evals.trial(run, { n: 1 }, 'a', {})
    expect(await statusOf(evals, run)).toEqual({ code: 'running', completed_rows: 1, total_rows: 1 })
  })

  test('covers evaluations traced by client packages', async () => {
    const evals = fresh()
    await traceEvaluation(evals.project, 'e', [{ row: 'r', scores: {} }])
    expect(await statusOf(evals, 'e')).toEqual({ code: 'complete', output: {} })
    await evals.project.add({ id: 'f', op_name: 'Evaluation.evaluate', exception: 'it went wrong' })
    expect(await statusOf(evals, 'f')).toEqual({ code: 'failed', error: 'it went wrong' })
  })

  test('rejects calls that are not evaluations', async () => {
    const evals = fresh()
    await evals.project.start({ id: 'a' })
    expectRefusal(await server.post('/evaluations/status', { project_id: evals.project.id, call_id: 'a' }), 400, 'a')
    expectInvalid(await server.post('/evaluations/status', { project_id: evals.project.id }), ['body', 'call_id'])
  })
})
