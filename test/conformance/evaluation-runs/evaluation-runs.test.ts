import { describe, expect, test } from 'bun:test'
import { EvaluationClient, objectRef, type RunRecord } from '../support/evaluations.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const fresh = () => new EvaluationClient(freshProject(server))

describe('evaluation runs', () => {
  test('a run is a running root call that names its evaluation and model', async () => {
    const evals = fresh()
    const id = await evals.run()
    expect(await evals.project.readExisting(id)).toMatchObject({
      id,
      trace_id: id,
      parent_id: null,
      op_name: 'Evaluation.evaluate',
      inputs: { self: evals.evaluation, model: evals.model },
      attributes: { ext: { evaluation_run: 'true', evaluation: evals.evaluation, model: evals.model } },
      ended_at: null,
    })
    const { started_at, ...run } = await evals.read<RunRecord>('evaluation_runs', id)
    expect(started_at).toBeString()
    expect(run).toEqual({
      evaluation_run_id: id,
      evaluation: evals.evaluation,
      model: evals.model,
      status: 'running',
      finished_at: null,
      summary: { ext: { status: 'running', trace_name: 'Evaluation.evaluate' } },
      source_evaluation_run_id: null,
    })
  })

  test('keeps its source run', async () => {
    const evals = fresh()
    const id = await evals.run({ source_evaluation_run_id: 'earlier' })
    const source = { source_evaluation_run_id: 'earlier' }
    expect(await evals.read<RunRecord>('evaluation_runs', id)).toMatchObject(source)
    expect(await evals.list<RunRecord>('evaluation_runs')).toMatchObject([source])
  })

  test('finish ends it with the means of its trials, and stores the summary', async () => {
    const evals = fresh()
    const id = await evals.run()
    await evals.trial(id, { n: 1 }, 1, { exact: true, judge: { fluency: 4, why: 'short' }, note: 'x' })
    await evals.trial(id, { n: 2 }, 3, { exact: false, judge: { fluency: 2, why: 'long' }, note: 'y' })
    await evals.finish('evaluation_runs', id, { summary: { budget: 1.5 } })
    const means = { exact: { mean: 0.5 }, judge: { fluency: { mean: 3 } }, output: { mean: 2 } }
    const call = await evals.project.readExisting(id)
    expect(call.output).toEqual(means)
    expect(call.summary).toMatchObject({ budget: 1.5, ext: { status: 'success' } })
    const run = await evals.read<RunRecord>('evaluation_runs', id)
    expect(run).toMatchObject({ status: 'completed', summary: call.summary, finished_at: call.ended_at })
    expect(await evals.list<RunRecord>('evaluation_runs')).toMatchObject([{ summary: call.summary }])
    const below = await evals.project.query({ filter: { parent_ids: [id] } })
    const sums = below.filter(({ op_name }) => op_name.includes('Evaluation.summarize'))
    expect(sums).toMatchObject([{ output: means, trace_id: id, summary: { ext: { status: 'success' } } }])
  })

  test('finish works without a body; repeated, it updates the same summary call', async () => {
    const evals = fresh()
    const id = await evals.run()
    const path = evals.project.v2(`evaluation_runs/${id}/finish`)
    expect((await server.postRaw(path, '')).json).toEqual({ success: true })
    expect((await evals.project.readExisting(id)).output).toEqual({})
    await evals.trial(id, { n: 1 }, 'a', { exact: true })
    await evals.finish('evaluation_runs', id)
    expect((await evals.project.readExisting(id)).output).toEqual({ exact: { mean: 1 } })
    const below = await evals.project.query({ filter: { parent_ids: [id] } })
    expect(below.filter(({ op_name }) => op_name.includes('Evaluation.summarize'))).toHaveLength(1)
  })

  test('a run whose call failed is failed', async () => {
    const evals = fresh()
    const id = await evals.run()
    await evals.project.end({ id, exception: 'it went wrong' })
    expect(await evals.read<RunRecord>('evaluation_runs', id)).toMatchObject({ status: 'failed' })
  })

  test('an evaluation traced by a client package reads the same', async () => {
    const evals = fresh()
    const op_name = `ext:///${evals.project.id}/op/Evaluation.evaluate:abc`
    await evals.project.start({
      id: 'a',
      op_name,
      inputs: { self: 'ext:///e/p/object/E:1', model: 'ext:///e/p/object/M:1' },
    })
    await evals.project.start({
      id: 'b',
      op_name,
      inputs: { this: 'ext:///e/p/object/E:2', model: 'ext:///e/p/object/M:1' },
    })
    expect(await evals.read<RunRecord>('evaluation_runs', 'a')).toMatchObject({
      evaluation: 'ext:///e/p/object/E:1',
      model: 'ext:///e/p/object/M:1',
      status: 'running',
    })
    expect(await evals.read<RunRecord>('evaluation_runs', 'b')).toMatchObject({ evaluation: 'ext:///e/p/object/E:2' })
  })

  test('lists runs oldest first, by page, evaluation, model and id', async () => {
    const evals = fresh()
    const other = objectRef(evals.project, 'other')
    const ids: string[] = []
    ids.push(await evals.run())
    ids.push(await evals.run({ model: other }))
    ids.push(await evals.run({ evaluation: other }))
    const listed = async (query: string) =>
      (await evals.list<RunRecord>('evaluation_runs', query)).map((run) => run.evaluation_run_id)
    expect(await listed('')).toEqual(ids)
    expect(await listed('?limit=1&offset=1')).toEqual([ids[1]!])
    expect(await listed('?limit=0')).toEqual([])
    expect(await listed(`?models=${other}`)).toEqual([ids[1]!])
    expect(await listed(`?evaluations=${other.replace('ext:', 'weave:')}`)).toEqual([ids[2]!])
    expect(await listed(`?models=${other}&models=${evals.model}&evaluations=${other}`)).toEqual([ids[2]!])
    expect(await listed(`?evaluation_run_ids=${ids[2]}&evaluation_run_ids=${ids[0]}`)).toEqual([ids[0]!, ids[2]!])
    expect(await listed('?evaluation_run_ids=unknown')).toEqual([])
  })

  test('a list is JSON Lines', async () => {
    const evals = fresh()
    const answer = await server.get(evals.project.v2('evaluation_runs'))
    expect(answer.headers.get('content-type')).toBe('application/jsonl')
    expect(answer.text).toBe('')
  })

  test('delete removes everything in a run, and counts existing runs', async () => {
    const evals = fresh()
    const [gone, stays] = [await evals.run(), await evals.run()]
    const prediction = await evals.trial(gone!, { n: 1 }, 'a', { exact: true })
    expect(await evals.delete('evaluation_runs', 'evaluation_run_ids', gone!, 'unknown', prediction)).toBe(1)
    expect(await evals.project.idsOf()).toEqual([stays!])
    expect(await evals.delete('evaluation_runs', 'evaluation_run_ids', gone!)).toBe(0)
  })

  test('a call that is not a run is not found', async () => {
    const evals = fresh()
    await evals.project.start({ id: 'plain' })
    for (const id of ['unknown', 'plain']) {
      expectRefusal(await server.get(evals.project.v2(`evaluation_runs/${id}`)), 404, id)
      expectRefusal(await server.post(evals.project.v2(`evaluation_runs/${id}/finish`), {}), 404, id)
    }
  })

  test('rejects invalid requests', async () => {
    const evals = fresh()
    const path = evals.project.v2('evaluation_runs')
    expectInvalid(await server.post(path, { evaluation: 'x' }), ['body', 'model'])
    expectInvalid(await server.get(`${path}?limit=many`), ['query', 'limit'])
    expectRefusal(await server.get(`${path}?limit=-1`), 400, 'limit')
    expectInvalid(await server.delete(path), ['query', 'evaluation_run_ids'])
    expect((await server.get(path, { key: null })).status).toBe(401)
  })
})
