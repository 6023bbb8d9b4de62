import { describe, expect, test } from 'bun:test'
import { EvaluationClient, objectRef, type ScoreRecord } from '../support/evaluations.ts'
import { callRef, queryFeedback } from '../support/feedback.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const fresh = () => new EvaluationClient(freshProject(server))

describe('scores', () => {
  test('a standalone score is a finished root call', async () => {
    const evals = fresh()
    const prediction = await evals.predict()
    const id = await evals.score(prediction, 'exact', 0.5)
    const scorer = objectRef(evals.project, 'exact')
    expect(await evals.project.readExisting(id)).toMatchObject({
      trace_id: id,
      parent_id: null,
      inputs: { self: scorer, inputs: { question: 'why?' }, output: 'because' },
      attributes: { ext: { score: 'true', prediction_id: prediction, scorer } },
      output: 0.5,
      summary: { ext: { status: 'success', trace_name: 'exact.score' } },
    })
    const { ext_user_id, ...score } = await evals.read<ScoreRecord>('scores', id)
    expect(ext_user_id).toBeString()
    expect(score).toEqual({ score_id: id, scorer, value: 0.5, evaluation_run_id: null })
  })

  test('creates feedback on the prediction', async () => {
    const evals = fresh()
    const prediction = await evals.predict()
    const id = await evals.score(prediction, 'exact', { passed: true })
    expect(await queryFeedback(evals.project)).toMatchObject([
      {
        ext_ref: callRef(evals.project, prediction),
        feedback_type: 'ext.runnable.exact',
        payload: { output: { passed: true } },
        runnable_ref: objectRef(evals.project, 'exact'),
        call_ref: callRef(evals.project, id),
      },
    ])
  })

  test('in a run it is a sibling of the prediction', async () => {
    const evals = fresh()
    const run = await evals.run()
    const prediction = await evals.predict({ evaluation_run_id: run })
    const score = await evals.project.readExisting(await evals.score(prediction, 'exact', 1, run))
    const { parent_id } = await evals.project.readExisting(prediction)
    expect(score).toMatchObject({ trace_id: run, parent_id, attributes: { ext: { evaluation_run_id: run } } })
  })

  test('in a run that rescores another run it is a child of that run', async () => {
    const evals = fresh()
    const prediction = await evals.predict({ evaluation_run_id: await evals.run() })
    const again = await evals.run()
    const score = await evals.project.readExisting(await evals.score(prediction, 'exact', 1, again))
    expect(score).toMatchObject({ trace_id: again, parent_id: again })
  })

  test('an unknown prediction is not an error', async () => {
    const evals = fresh()
    const id = await evals.score('not-yet', 'exact', null)
    expect(await evals.read<ScoreRecord>('scores', id)).toMatchObject({ value: null })
  })

  test('a scorer may be an op', async () => {
    const evals = fresh()
    const op = `ext:///${evals.project.id}/op/exact_match:v1`
    const id = await evals.score(await evals.predict(), op, true)
    expect(await evals.project.readExisting(id)).toMatchObject({ op_name: op })
    expect(await queryFeedback(evals.project)).toMatchObject([{ feedback_type: 'ext.runnable.exact_match' }])
  })

  test('lists them by run and page', async () => {
    const evals = fresh()
    const run = await evals.run()
    const prediction = await evals.predict({ evaluation_run_id: run })
    const ids = [await evals.score(prediction, 'a', 1), await evals.score(prediction, 'b', 2, run)]
    ids.push(await evals.score(prediction, 'c', 3, run))
    const listed = async (query: string) =>
      (await evals.list<ScoreRecord>('scores', query)).map((score) => score.score_id)
    expect(await listed('')).toEqual(ids)
    expect(await listed(`?evaluation_run_id=${run}`)).toEqual(ids.slice(1))
    expect(await listed(`?evaluation_run_id=${run}&limit=1`)).toEqual(ids.slice(1, 2))
  })

  test('delete removes the feedback, and counts existing scores', async () => {
    const evals = fresh()
    const prediction = await evals.predict()
    const [gone, stays] = [await evals.score(prediction, 'a', 1), await evals.score(prediction, 'b', 2)]
    expect(await evals.delete('scores', 'score_ids', gone!, prediction, 'unknown')).toBe(1)
    expect((await evals.list<ScoreRecord>('scores')).map((score) => score.score_id)).toEqual([stays!])
    expect(await queryFeedback(evals.project)).toMatchObject([{ feedback_type: 'ext.runnable.b' }])
  })

  test('deleting their prediction or run removes the feedback too, and nothing else', async () => {
    const evals = fresh()
    const [first, second] = [await evals.run(), await evals.run()]
    const predictions: string[] = []
    for (const run of [first, first, second]) predictions.push(await evals.trial(run, { n: 1 }, 'a', { exact: 1 }))
    const alone = await evals.predict()
    await evals.score(alone, 'exact', 1)
    const rated = async () =>
      (await queryFeedback(evals.project)).map(({ ext_ref }) => String(ext_ref).split('/').at(-1))
    expect(await rated()).toEqual([...predictions, alone])
    await evals.delete('predictions', 'prediction_ids', predictions[0]!)
    expect(await rated()).toEqual([...predictions.slice(1), alone])
    await evals.delete('evaluation_runs', 'evaluation_run_ids', first)
    expect(await rated()).toEqual([predictions[2]!, alone])
  })

  test('scores created outside of runs are deleted with their prediction too', async () => {
    const evals = fresh()
    const run = await evals.run()
    const inRun = await evals.trial(run, { n: 1 }, 'a', { exact: 1 })
    const [alone, stays] = [await evals.predict(), await evals.predict()]
    for (const id of [inRun, alone, stays]) await evals.score(id, 'outside', 0.5)
    const left = async () => (await queryFeedback(evals.project)).map(({ feedback_type }) => feedback_type)
    await evals.delete('predictions', 'prediction_ids', alone)
    expect(await left()).toEqual(['ext.runnable.exact', 'ext.runnable.outside', 'ext.runnable.outside'])
    await evals.delete('evaluation_runs', 'evaluation_run_ids', run)
    expect(await left()).toEqual(['ext.runnable.outside'])
    const [score] = await evals.list<ScoreRecord>('scores')
    expect(await evals.project.idsOf()).toEqual([stays, score!.score_id])
    await evals.delete('predictions', 'prediction_ids', stays)
    expect([await left(), await evals.project.idsOf()]).toEqual([[], []])
  })

  test('a score traced by a client package can be deleted', async () => {
    const evals = fresh()
    await evals.project.complete({ id: 'traced', op_name: 'exact.score', output: true })
    expect(await evals.read<ScoreRecord>('scores', 'traced')).toMatchObject({ value: true })
    expect(await evals.delete('scores', 'score_ids', 'traced')).toBe(1)
    expect(await evals.project.idsOf()).toEqual([])
  })

  test('a call that is not a score is not found', async () => {
    const evals = fresh()
    const prediction = await evals.predict()
    for (const id of ['unknown', prediction]) {
      expectRefusal(await server.get(evals.project.v2(`scores/${id}`)), 404, id)
    }
  })

  test('an invalid prediction id is rejected, and nothing is stored', async () => {
    const evals = fresh()
    for (const prediction_id of ['', 'a b']) {
      const body = { prediction_id, scorer: objectRef(evals.project, 'exact'), value: 1 }
      expectRefusal(await server.post(evals.project.v2('scores'), body), 422, 'prediction_id')
    }
    expect(await evals.project.idsOf()).toEqual([])
  })

  test('a scorer that is not a ref is rejected, and nothing is stored', async () => {
    const evals = fresh()
    const path = evals.project.v2('scores')
    for (const scorer of ['exact', callRef(evals.project, 'a'), 'ext:///x']) {
      expectRefusal(await server.post(path, { prediction_id: 'p', scorer, value: 1 }), 400, scorer)
    }
    const tooLarge = { output: 'x'.repeat(1024 * 1024) }
    const body = { prediction_id: 'p', scorer: objectRef(evals.project, 's'), value: tooLarge }
    expectRefusal(await server.post(path, body), 400, 'payload')
    expectInvalid(await server.post(path, { scorer: 'x', value: 1 }), ['body', 'prediction_id'])
    expect(await evals.project.idsOf()).toEqual([])
  })
})
