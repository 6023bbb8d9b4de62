import { describe, expect, test } from 'bun:test'
import { EvaluationClient, type PredictionRecord, type ScoreRecord } from '../support/evaluations.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const fresh = () => new EvaluationClient(freshProject(server))

/** One row of an evaluation, as client packages trace it: the trace has another id than the run. */
function addTracedTrial({ project, evaluation, model }: EvaluationClient): Promise<void> {
  const op = (name: string) => `ext:///${project.id}/op/${name}:abc`
  const inTrace = { trace_id: 'trace' }
  const given = { self: evaluation, model }
  const output = { output: 'x', scores: { accuracy: { right: true } }, model_latency: 0.25 }
  const trial = { ...inTrace, id: 'trial', parent_id: 'run', op_name: op('Evaluation.predict_and_score') }
  const below = { ...inTrace, parent_id: 'trial' }
  return project.add(
    { ...inTrace, id: 'run', op_name: op('Evaluation.evaluate'), inputs: given, ended_at: null },
    { ...trial, inputs: { ...given, example: { q: 1 } }, output },
    { ...below, id: 'prediction', op_name: op('Guesser.predict'), inputs: { self: model, q: 1 }, output: 'x' },
    { ...below, id: 'score', op_name: op('accuracy.score'), inputs: { output: 'x' }, output: { right: true } },
  )
}

describe('predictions', () => {
  test('a standalone prediction is a finished root call', async () => {
    const evals = fresh()
    const id = await evals.predict()
    expect(await evals.project.readExisting(id)).toMatchObject({
      trace_id: id,
      parent_id: null,
      inputs: { self: evals.model, inputs: { question: 'why?' } },
      attributes: { ext: { prediction: 'true', model: evals.model } },
      output: 'because',
      summary: { ext: { status: 'success', trace_name: 'Guesser.predict' } },
    })
    const { ext_user_id, ...prediction } = await evals.read<PredictionRecord>('predictions', id)
    expect(ext_user_id).toBeString()
    expect(prediction).toEqual({
      prediction_id: id,
      model: evals.model,
      inputs: { question: 'why?' },
      output: 'because',
      evaluation_run_id: null,
    })
  })

  test('in a run it is a child of a trial that runs until it is finished', async () => {
    const evals = fresh()
    const run = await evals.run()
    const spans = [{ trace_id: 't', span_id: 's' }]
    const id = await evals.predict({ evaluation_run_id: run, genai_span_ref: spans })
    const call = await evals.project.readExisting(id)
    expect(call).toMatchObject({ trace_id: run, attributes: { ext: { evaluation_run_id: run } } })
    expect(await evals.project.readExisting(call.parent_id!)).toMatchObject({
      trace_id: run,
      parent_id: run,
      inputs: { self: evals.evaluation, model: evals.model, example: { question: 'why?' } },
      attributes: { ext: { predict_call_id: id, genai_span_ref: spans } },
      summary: { ext: { status: 'running', trace_name: 'Evaluation.predict_and_score' } },
    })
    expect(await evals.read<PredictionRecord>('predictions', id)).toMatchObject({ evaluation_run_id: run })
  })

  test('finish stores prediction and scores in the trial, and keeps the output', async () => {
    const evals = fresh()
    const run = await evals.run()
    const id = await evals.predict({ evaluation_run_id: run, output: { answer: 42 } })
    await evals.score(id, 'exact', true, run)
    await evals.score(id, 'judge', { fluency: 4 }, run)
    expect((await server.postRaw(evals.project.v2(`predictions/${id}/finish`), '')).json).toEqual({ success: true })
    const call = await evals.project.readExisting(id)
    expect(call.output).toEqual({ answer: 42 })
    const expected = {
      output: { answer: 42 },
      scores: { exact: true, judge: { fluency: 4 } },
      model_latency: { mean: 0 },
    }
    const trial = await evals.project.readExisting(call.parent_id!)
    expect(trial).toMatchObject({ output: expected, summary: { ext: { status: 'success' } } })
    await evals.score(id, 'late', 1, run)
    await evals.finish('predictions', id)
    expect((await evals.project.readExisting(call.parent_id!)).output).toEqual({
      ...expected,
      scores: { ...expected.scores, late: 1 },
    })
  })

  test('finish ends a running one, and sets its latency', async () => {
    const evals = fresh()
    const inRun = { trace_id: 't', op_name: 'Evaluation.predict_and_score', started_at: '2024-05-01T10:00:00Z' }
    await evals.project.start({ ...inRun, id: 'trial', parent_id: 'run' })
    const attributes = { ext: { prediction: 'true', model: 'm' } }
    await evals.project.start({ ...inRun, id: 'p', parent_id: 'trial', op_name: 'm.predict', attributes })
    await evals.finish('predictions', 'p')
    expect((await evals.project.readExisting('p')).summary.ext['status']).toBe('success')
    const { output } = (await evals.project.readExisting('trial')) as { output: { model_latency: { mean: number } } }
    expect(output.model_latency.mean).toBeGreaterThan(1)
  })

  test('numbers are returned verbatim', async () => {
    const evals = fresh()
    const body = `{"model": "${evals.model}", "inputs": {"2": 1.0, "1": 1e5}, "output": [12345678901234567890, 1.10]}`
    const created = await server.postRaw<{ prediction_id: string }>(evals.project.v2('predictions'), body)
    const path = evals.project.v2('predictions')
    const read = await server.get(`${path}/${created.json.prediction_id}`)
    for (const text of [read.text, (await server.get(path)).text]) {
      expect(text).toContain('"inputs":{"2":1.0,"1":1e5}')
      expect(text).toContain('"output":[12345678901234567890,1.10]')
    }
  })

  test('lists them by run and page', async () => {
    const evals = fresh()
    const run = await evals.run()
    const ids = [await evals.predict(), await evals.predict({ evaluation_run_id: run })]
    ids.push(await evals.predict({ evaluation_run_id: run }))
    const listed = async (query: string) =>
      (await evals.list<PredictionRecord>('predictions', query)).map((prediction) => prediction.prediction_id)
    expect(await listed('')).toEqual(ids)
    expect(await listed(`?evaluation_run_id=${run}`)).toEqual(ids.slice(1))
    expect(await listed(`?evaluation_run_id=${run}&limit=5&offset=1`)).toEqual(ids.slice(2))
    expect(await listed('?evaluation_run_id=unknown')).toEqual([])
  })

  test('delete removes the trial and its scores, and counts existing predictions', async () => {
    const evals = fresh()
    const run = await evals.run()
    const id = await evals.trial(run, { n: 1 }, 'a', { exact: true })
    const alone = await evals.predict()
    expect(await evals.delete('predictions', 'prediction_ids', id, alone, run, 'unknown')).toBe(2)
    expect(await evals.project.idsOf()).toEqual([run])
  })

  test('in a run traced by a client package it is in the trace of the run', async () => {
    const evals = fresh()
    await addTracedTrial(evals)
    const id = await evals.predict({ evaluation_run_id: 'run' })
    const score = await evals.score(id, 'late', true, 'run')
    const calls = await evals.project.query({ filter: { call_ids: [id, score] } })
    expect(calls.map(({ trace_id }) => trace_id)).toEqual(['trace', 'trace'])
    expect(new Set(calls.map(({ parent_id }) => parent_id)).size).toBe(1)
    const inRun = '?evaluation_run_id=run'
    expect((await evals.list<PredictionRecord>('predictions', inRun)).map((one) => one.prediction_id)).toEqual([id])
    expect((await evals.list<ScoreRecord>('scores', inRun)).map((one) => one.score_id)).toEqual([score])
  })

  test('finish includes the results of plain scorer calls below the trial', async () => {
    const evals = fresh()
    const run = await evals.run()
    const id = await evals.predict({ evaluation_run_id: run })
    const trial = (await evals.project.readExisting(id)).parent_id!
    const below = { parent_id: trial, trace_id: run }
    const op = (name: string) => `ext:///${evals.project.id}/op/${name}:abc`
    await evals.project.add(
      { ...below, id: 'plain', op_name: op('exact_match'), output: true },
      {
        ...below,
        id: 'marked',
        op_name: 'TokenDistance.score',
        attributes: { ext: { score: 'true', scorer: `ext:///${evals.project.id}/object/token_distance:abc` } },
        output: { passed: true },
      },
      { ...below, id: 'method', op_name: op('Judge.score'), output: { fluency: 3 } },
      { ...below, id: 'running', op_name: op('slow'), ended_at: null },
      { ...below, id: 'deeper', parent_id: 'plain', op_name: op('helper'), output: 1 },
    )
    await evals.finish('predictions', id)
    expect((await evals.project.readExisting(trial)).output).toEqual({
      output: 'because',
      scores: { exact_match: true, Judge: { fluency: 3 }, token_distance: { passed: true } },
      model_latency: { mean: 0 },
    })
  })

  test('finish keeps the output of a trial traced by a client package', async () => {
    const evals = fresh()
    await addTracedTrial(evals)
    await evals.score('prediction', 'late', 0.5, 'run')
    await evals.finish('predictions', 'prediction')
    expect((await evals.project.readExisting('trial')).output).toEqual({
      output: 'x',
      scores: { accuracy: { right: true }, late: 0.5 },
      model_latency: 0.25,
    })
  })

  test('a score traced by a client package is not a prediction', async () => {
    const evals = fresh()
    await addTracedTrial(evals)
    expectRefusal(await server.get(evals.project.v2('predictions/score')), 404, 'score')
    expect(await evals.read<PredictionRecord>('predictions', 'prediction')).toMatchObject({ output: 'x' })
  })

  test('a prediction traced by a client package can be deleted, with its trial', async () => {
    const evals = fresh()
    await addTracedTrial(evals)
    expect(await evals.delete('predictions', 'prediction_ids', 'score')).toBe(0)
    expect(await evals.delete('predictions', 'prediction_ids', 'prediction')).toBe(1)
    expect(await evals.project.idsOf()).toEqual(['run'])
  })

  test('a call that is not a prediction or run is not found', async () => {
    const evals = fresh()
    const run = await evals.run()
    for (const id of ['unknown', run]) {
      expectRefusal(await server.get(evals.project.v2(`predictions/${id}`)), 404, id)
      expectRefusal(await server.postRaw(evals.project.v2(`predictions/${id}/finish`), ''), 404, id)
    }
    const body = { model: evals.model, inputs: {}, output: null, evaluation_run_id: 'unknown' }
    expectRefusal(await server.post(evals.project.v2('predictions'), body), 404, 'unknown')
    expect(await evals.project.idsOf()).toEqual([run])
  })

  test('rejects invalid requests', async () => {
    const evals = fresh()
    const path = evals.project.v2('predictions')
    expectInvalid(await server.post(path, { model: 'm', inputs: [] }), ['body', 'inputs'], ['body', 'output'])
    expectInvalid(await server.delete(path), ['query', 'prediction_ids'])
  })
})
