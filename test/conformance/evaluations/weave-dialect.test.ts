import { describe, expect, test } from 'bun:test'
import { createObject } from '../support/evaluation-engine.ts'
import { EvaluationClient, objectRef } from '../support/evaluations.ts'
import { freshProject, ownServer } from '../support/target.ts'

const { client } = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
const fresh = () => new EvaluationClient(freshProject(client), 'weave')

type Members = Record<string, unknown>

describe('evaluations in the weave dialect', () => {
  test('calls written by the server have weave names', async () => {
    const evals = fresh()
    const run = await evals.run()
    const prediction = await evals.predict({ evaluation_run_id: run })
    await evals.score(prediction, objectRef(evals.project, 'exact', 'weave'), 1, run)
    const calls = (await evals.project.query({ filter: { trace_ids: [run] } })) as unknown as { attributes: Members }[]
    for (const { attributes } of calls) expect(Object.keys(attributes)).toEqual(['weave'])
    const { summary } = await evals.read<{ summary: unknown }>('evaluation_runs', run)
    expect(summary).toEqual({ weave: { status: 'running', trace_name: 'Evaluation.evaluate' } })
    const feedback = await client.post<{ result: Members[] }>('/feedback/query', { project_id: evals.project.id })
    expect(feedback.json.result).toMatchObject([
      { feedback_type: 'wandb.runnable.exact', weave_ref: `weave:///${evals.project.id}/call/${prediction}` },
    ])
  })

  test('feedback of built-in scorers has weave refs', async () => {
    const { project } = fresh()
    await project.complete({ id: 'said', inputs: { expected: 'yes' }, output: 'yes' })
    const scorer = await createObject(project, 'exact', 'ExactMatchScorer', {})
    const body = { project_id: project.id, call_ids: ['said'], scorer_refs: [scorer] }
    expect((await client.post('/calls/score', body)).status).toBe(200)
    const given = async () =>
      (await client.post<{ result: Members[] }>('/feedback/query', { project_id: project.id })).json.result
    while ((await given()).length === 0) await Bun.sleep(5)
    const [feedback] = await given()
    const ref = `weave:///${project.id}`
    expect(feedback).toMatchObject({ feedback_type: 'wandb.runnable.exact', weave_ref: `${ref}/call/said` })
    expect(feedback!['call_ref']).toStartWith(`${ref}/call/`)
    expect(feedback!['runnable_ref']).toStartWith(`${ref}/object/exact:`)
  })

  test('predictions and scores are returned with weave names', async () => {
    const evals = fresh()
    const prediction = await evals.predict()
    const score = await evals.score(prediction, 'exact', 1)
    const answers = [
      await evals.read<Members>('predictions', prediction),
      await evals.read<Members>('scores', score),
      ...(await evals.list<Members>('predictions')),
      ...(await evals.list<Members>('scores')),
    ]
    expect(answers).toHaveLength(4)
    for (const answer of answers) {
      expect(answer['wb_user_id']).toBeString()
      expect(Object.hasOwn(answer, 'ext_user_id')).toBe(false)
    }
  })

  test('finds data written in either dialect', async () => {
    const evals = fresh()
    const run = await evals.run()
    const neutral = { ext: { evaluation_run: 'true', evaluation: evals.evaluation, model: 'other' } }
    await evals.project.start({ id: 'neutral', op_name: 'Evaluation.evaluate', attributes: neutral })
    const ids = (await evals.list<{ evaluation_run_id: string }>('evaluation_runs')).map((one) => one.evaluation_run_id)
    expect(ids.toSorted()).toEqual([run, 'neutral'].toSorted())
    const query = `?evaluations=${evals.evaluation.replace('weave:', 'ext:')}`
    expect(await evals.list('evaluation_runs', query)).toHaveLength(2)
    expect(await evals.read<Members>('evaluation_runs', 'neutral')).toMatchObject({ model: 'other' })
  })
})
