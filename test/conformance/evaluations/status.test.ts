import { describe, expect, test } from 'bun:test'
import { traceEvaluation } from '../support/eval-results.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { ProjectObjects } from '../support/objects.ts'
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

  test.each([
    ['scorers inline, which only a client can run', { scorers: [{ _type: 'Judge', score: 'x' }] }, 'ref', 6],
    ['scorers that are ops', { scorers: ['ext:///some/where/op/judge:v0'] }, 'ref', 6],
    ['its rows inline', { dataset: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }] }, 'ref', 8],
    ['its dataset inline', { dataset: { _type: 'Dataset', rows: [{ n: 1 }, { n: 2 }] } }, 'ref', 4],
    ['itself inline in the run', {}, 'inline', 6],
    ['no number of trials', { trials: null }, 'ref', 3],
  ])('counts all rows of an evaluation with %s', async (_, members, form, total_rows) => {
    const evals = fresh()
    const { project } = evals
    const rows = [{ n: 1 }, { n: 2 }, { n: 3 }]
    const dataset = await evals.post<{ digest: string }>('datasets', { name: 'd', rows })
    const val = {
      _type: 'Evaluation',
      _class_name: 'Evaluation',
      _bases: ['Object', 'BaseModel'],
      dataset: `ext:///${project.id}/object/d:${dataset.digest}`,
      scorers: [],
      trials: 2,
      ...members,
    }
    const digest = await new ProjectObjects(server, project.id).create('own', val)
    const self = form === 'ref' ? `ext:///${project.id}/object/own:${digest}` : val
    await project.add(
      { id: 'run', trace_id: 'run', op_name: 'Evaluation.evaluate', inputs: { self }, ended_at: null },
      { id: 'one', trace_id: 'run', parent_id: 'run', op_name: 'Evaluation.predict_and_score' },
      { id: 'two', trace_id: 'run', parent_id: 'run', op_name: 'Evaluation.predict_and_score', ended_at: null },
      { id: 'sum', trace_id: 'run', parent_id: 'run', op_name: 'Evaluation.summarize' },
    )
    expect(await statusOf(evals, 'run')).toEqual({ code: 'running', completed_rows: 1, total_rows })
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
