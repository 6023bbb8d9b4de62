import { afterAll, describe, expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import type { RunList } from '../../../src/domains/evaluations/model/run-list.ts'
import { isInSplit, readSplit } from '../../../src/lib/splits.ts'
import { createObject, endOf, statusOf } from '../support/evaluation-engine.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const stub = startStubModel()
const server = await ownServer({ env: { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url } })
afterAll(() => stub.stop())
const { client } = server

interface Parts {
  readonly project: Project
  readonly dataset: string
  readonly evaluation_ref: string
  readonly model_ref: string
  /** Of the rows, in their order. */
  readonly digests: readonly string[]
}

/** An evaluation over fifty rows. */
async function parts(llm = 'gpt-4o'): Promise<Parts> {
  const project = freshProject(client)
  const rows = Array.from({ length: 50 }, (_, at) => ({ question: `q${at}`, expected: `You said: q${at}` }))
  const { json: made } = await client.post<{ digest: string }>(project.v2('datasets'), { name: 'rows', rows })
  const dataset = `ext:///${project.id}/object/rows:${made.digest}`
  const scorer = await createObject(project, 'exact', 'ExactMatchScorer', {})
  const { json } = await client.post<{ evaluation_ref: string }>(project.v2('evaluations'), {
    name: 'eval',
    dataset,
    scorers: [scorer],
  })
  const read = { project_id: project.id, object_id: 'rows', digest: made.digest }
  const { json: stored } = await client.post<{ obj: { val: { rows: string } } }>('/obj/read', read)
  const digest = stored.obj.val.rows.split('/').at(-1)
  const { json: table } = await client.post<{ rows: { digest: string }[] }>('/table/query', {
    project_id: project.id,
    digest,
  })
  const model_ref = await createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: llm })
  return {
    project,
    dataset,
    evaluation_ref: json.evaluation_ref,
    model_ref,
    digests: table.rows.map((row) => row.digest),
  }
}

const start = ({ project, evaluation_ref, model_ref }: Parts, rows: unknown, members: object = {}) => {
  const body = { project_id: project.id, evaluation_ref, model_ref, rows, ...members }
  return client.post<{ call_id: string }>('/evaluations/evaluate_model', body)
}

async function started(of: Parts, rows: unknown, members: object = {}): Promise<string> {
  const { status, text, json } = await start(of, rows, members)
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
  return json.call_id
}

async function listed({ project }: Parts, id: string) {
  const body = { project_id: project.id, evaluation_call_ids: [id] }
  return (await client.post<RunList>('/evaluations/runs/query', body)).json.runs[0]
}

/** Digests of the rows that a run has. */
async function rowsOf({ project }: Parts, id: string): Promise<readonly string[]> {
  const calls = await project.query({ filter: { parent_ids: [id], op_names: ['Evaluation.predict_and_score'] } })
  return calls.map(({ inputs }) => String(inputs['example']).split('/').at(-1) ?? '').toSorted()
}

const inSplit = (name: string, digests: readonly string[]): string[] => {
  const split = readSplit(name)
  return digests.filter((digest) => split !== undefined && isInSplit(split, digest))
}

describe('a run over some rows', () => {
  test('runs those of a split, says so, and its parts add up', async () => {
    const of = await parts()
    const [before, expected] = [stub.requests.length, inSplit('test', of.digests)]
    expect(expected.length).toBeGreaterThan(0)
    const id = await started(of, { split: 'test' })
    await endOf(of.project, id)
    expect(stub.requests.length - before).toBe(expected.length)
    expect(await rowsOf(of, id)).toEqual(expected.toSorted())
    expect(await listed(of, id)).toMatchObject({
      state: 'done',
      rows_chosen: { split: 'test', row_digests: null, limit: null },
      rows_total: expected.length,
      rows_scored: expected.length,
    })
    const rest = await started(of, { split: 'train' })
    await endOf(of.project, rest)
    expect([...(await rowsOf(of, rest)), ...expected].toSorted()).toEqual(of.digests.toSorted())
  })

  test('runs named rows, the first of them with a limit, in the order of the dataset', async () => {
    const of = await parts()
    const named = [9, 3, 30].map((at) => of.digests[at] ?? '')
    const id = await started(of, { row_digests: named, limit: 2 })
    await endOf(of.project, id)
    expect(await rowsOf(of, id)).toEqual([named[0]!, named[1]!].toSorted())
    expect(await listed(of, id)).toMatchObject({
      rows_chosen: { split: null, row_digests: 3, limit: 2 },
      rows_total: 2,
    })
  })

  test('goes on with its own rows after a limit, and keeps them when it is scored again', async () => {
    const of = await parts()
    const expected = inSplit('train:30', of.digests)
    const id = await started(of, { split: 'train:30' }, { cost_limit: 1e-9, parallel: 1 })
    await endOf(of.project, id)
    expect(await listed(of, id)).toMatchObject({ state: 'at_limit', rows_scored: 1, rows_total: expected.length })
    await client.post('/evaluations/resume', { project_id: of.project.id, call_id: id, cost_limit: null })
    await endOf(of.project, id)
    expect(await rowsOf(of, id)).toEqual(expected.toSorted())
    const again = await createObject(of.project, 'near', 'EditDistanceScorer', {})
    const body = { project_id: of.project.id, source_evaluation_run_id: id, scorer_refs: [again] }
    const { json } = await client.post<{ call_id: string }>('/evaluations/rescore', body)
    await endOf(of.project, json.call_id)
    expect(await listed(of, json.call_id)).toMatchObject({
      rows_chosen: { split: 'train:30' },
      rows_total: expected.length,
      rows_scored: expected.length,
    })
  })

  test('counts only its rows while it runs', async () => {
    const of = await parts('openai/stub-slow')
    const id = await started(of, { limit: 7 })
    expect(await statusOf(of.project, id)).toMatchObject({ code: 'running', total_rows: 7 })
    await client.post('/evaluations/cancel', { project_id: of.project.id, call_id: id })
  })

  test('is a run over all rows without a choice', async () => {
    const of = await parts()
    const id = await started(of, { split: null, limit: null })
    await endOf(of.project, id)
    expect(await listed(of, id)).toMatchObject({ rows_chosen: null, rows_total: 50 })
  })

  test('does not start without a row, or with a split or row that there is not', async () => {
    const of = await parts()
    expectRefusal(await start(of, { split: 'half' }), 400, 'Unknown split "half": use train, test')
    expectRefusal(await start(of, { row_digests: ['nobody'] }), 400, 'The dataset has no row "nobody"')
    expectInvalid(await start(of, { limit: 0 }))
    expectInvalid(await start(of, { row_digests: [] }))
    const [outside] = inSplit('train', of.digests)
    expectRefusal(await start(of, { split: 'test', row_digests: [outside] }), 400, 'no row in this choice')
    const { json } = await client.post<RunList>('/evaluations/runs/query', { project_id: of.project.id })
    expect(json.total).toBe(0)
  })
})

describe('evaluations/count_rows', () => {
  test('counts the rows of each choice', async () => {
    const { project, dataset: dataset_ref, digests } = await parts()
    const rows = [{ split: 'test' }, { split: 'train' }, { split: 'train', limit: 3 }, {}]
    const { json } = await client.post('/evaluations/count_rows', { project_id: project.id, dataset_ref, rows })
    const test = inSplit('test', digests).length
    expect(json).toEqual({ total: 50, counts: [test, 50 - test, 3, 50] })
  })

  test('refuses what is no dataset', async () => {
    const { project, evaluation_ref } = await parts()
    const ask = (dataset_ref: string) =>
      client.post('/evaluations/count_rows', { project_id: project.id, dataset_ref, rows: [{ split: 'test' }] })
    expectRefusal(await ask(evaluation_ref), 400, '`rows` must be a ref to a table')
    expectRefusal(await ask(`ext:///${project.id}/object/none:v0`), 404, 'none')
  })
})
