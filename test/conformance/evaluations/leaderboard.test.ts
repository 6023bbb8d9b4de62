import { describe, expect, test } from 'bun:test'
import type { Leaderboard } from '../../../src/domains/evaluations/model/leaderboard.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const send = (evals: EvaluationClient, members: object) =>
  server.post<Leaderboard>('/evaluations/leaderboard', { project_id: evals.project.id, ...members })

async function board(evals: EvaluationClient, members: object): Promise<Leaderboard> {
  const { status, text, json } = await send(evals, members)
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
  return json
}

async function create(evals: EvaluationClient, object_id: string, val: object, builtin_object_class?: string) {
  const obj = { project_id: evals.project.id, object_id, val, builtin_object_class }
  const { status, text, json } = await server.post<{ digest: string }>('/obj/create', { obj })
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
  return `ext:///${evals.project.id}/object/${object_id}:${json.digest}`
}

const rated = (pass: number, count: number) => Array.from({ length: count }, (_, row) => ({ match: row < pass }))

/** A run of a model, finished. */
async function runOf(evals: EvaluationClient, members: object, scores: readonly object[], ends = true) {
  const id = await evals.run({ ...members })
  for (const [row, each] of scores.entries()) await evals.trial(id, { question: `q${row}` }, 'said', { ...each })
  if (ends) await evals.finish('evaluation_runs', id)
  return id
}

/** An evaluation with scorers, of which each test makes its own versions. */
const evaluation = (evals: EvaluationClient, dataset: string, scorers: readonly string[]) =>
  create(evals, 'quiz', {
    _type: 'Evaluation',
    _class_name: 'Evaluation',
    _bases: ['Object', 'BaseModel'],
    name: 'quiz',
    dataset,
    scorers,
  })

const column = (ref: string, scorer_name: string, summary_metric_path: string, should_minimize = false) => ({
  evaluation_object_ref: ref,
  scorer_name,
  summary_metric_path,
  should_minimize,
})

describe('evaluations/leaderboard', () => {
  test('shows the newest finished run of each model, ranked, with intervals', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `ext:///${evals.project.id}/object/${name}:v1`)
    await runOf(evals, { model: a }, rated(1, 10))
    const newer = await runOf(evals, { model: a }, rated(7, 10))
    await runOf(evals, { model: a }, rated(10, 10), false)
    const other = await runOf(evals, { model: b }, rated(9, 10))
    const graded = await runOf(evals, { model: c }, [{ grade: 4 }, { grade: 2 }])
    const columns = [
      column(evals.evaluation, 'match', 'true_fraction'),
      column(evals.evaluation, 'grade', 'mean'),
      column(evals.evaluation, 'match', 'true_fraction', true),
    ]
    const found = await board(evals, { columns })
    expect(found.object).toBeNull()
    expect(found.columns.map(({ kind, score, run_count }) => [kind, score, run_count])).toEqual([
      ['rate', 'match', 4],
      ['mean', 'grade', 4],
      ['rate', 'match', 4],
    ])
    expect(found.rows.map(({ model, cells }) => [model.name, ...cells.map((cell) => cell?.rank ?? null)])).toEqual([
      ['b', 1, null, 2],
      ['a', 2, null, 1],
      ['c', null, 1, null],
    ])
    const [first, second, third] = found.rows.map(({ cells }) => cells)
    expect(first?.[0]).toMatchObject({ value: 0.9, evaluation_call_id: other, interval: 'wilson', scored_rows: 10 })
    expect(second?.[0]).toMatchObject({ value: 0.7, evaluation_call_id: newer })
    // Wilson's interval of 7 of 10, as in statsmodels.
    expect([second?.[0]?.low?.toFixed(4), second?.[0]?.high?.toFixed(4)]).toEqual(['0.3968', '0.8922'])
    expect(third?.[1]).toMatchObject({ value: 3, evaluation_call_id: graded, interval: 'bootstrap' })
  })

  test('reads a stored leaderboard, also by version, and names versions that differ', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const scorers = [
      await create(evals, 'judge', { scoring_prompt: 'Is it right?', model: 'gpt-4o' }, 'LLMAsAJudgeScorer'),
      await create(evals, 'judge', { scoring_prompt: 'Is it kind?', model: 'gpt-4o' }, 'LLMAsAJudgeScorer'),
    ]
    const dataset = `ext:///${evals.project.id}/object/rows`
    const versions = [
      await evaluation(evals, `${dataset}:v0`, scorers.slice(0, 1)),
      await evaluation(evals, `${dataset}:v1`, scorers.slice(1)),
    ]
    const [a, b] = ['a', 'b'].map((name) => `ext:///${evals.project.id}/object/${name}:v1`)
    await runOf(evals, { model: a, evaluation: versions[0] }, [{ [scorers[0]!]: true }, { [scorers[0]!]: false }])
    await runOf(evals, { model: b, evaluation: versions[1] }, [{ [scorers[1]!]: true }])
    const any = `ext:///${evals.project.id}/object/quiz:*`
    const first = { name: 'Best', description: 'Who is best', columns: [column(any, 'judge', 'true_fraction')] }
    await create(evals, 'best', first, 'Leaderboard')
    await create(evals, 'best', { ...first, columns: [column(versions[0]!, 'judge', 'true_fraction')] }, 'Leaderboard')

    const all = await board(evals, { name: 'best', digest: 'v0' })
    expect(all).toMatchObject({
      name: 'Best',
      description: 'Who is best',
      object: { version_index: 0, is_latest: false },
    })
    expect(all.rows.map(({ model }) => model.name)).toEqual(['b', 'a'])
    expect(all.columns[0]?.differing_versions.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'dataset rows',
      'scorer judge',
    ])
    expect(all.warnings.join('\n')).toContain('different versions of the scorer judge (v0 in 1 run, v1 in 1 run)')

    const one = await board(evals, { name: 'best' })
    expect(one.rows.map(({ model }) => model.name)).toEqual(['a'])
    expect([one.warnings, one.object?.version_index, one.columns[0]?.evaluation.version]).toEqual([[], 1, 0])
    expect([all, one].map(({ columns }) => columns[0]?.all_versions)).toEqual([true, false])

    // A ref that SDKs find runs of, and all versions here.
    const both = { ...column(versions[1]!, 'judge', 'true_fraction'), all_versions: true }
    await create(evals, 'best', { ...first, columns: [both] }, 'Leaderboard')
    const { columns, rows } = await board(evals, { name: 'best' })
    expect(rows.map(({ model }) => model.name)).toEqual(['b', 'a'])
    expect(columns[0]).toMatchObject({ evaluation_object_ref: versions[1], all_versions: true, run_count: 2 })
    expect(columns[0]?.evaluation.version).toBeNull()
    expect((await board(evals, { columns: [both] })).rows).toEqual(rows)
  })

  test('takes other figures from the summary of a run, and leaves out what is missing', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const id = await evals.run()
    await evals.trial(id, { question: 'q' }, 'said', { match: true })
    await evals.finish('evaluation_runs', id, { summary: { match: { f1: 0.25 }, model_latency: { mean: 1.5 } } })
    const columns = [
      column(evals.evaluation, 'match', 'f1'),
      column(evals.evaluation, '', 'model_latency.mean', true),
      column(evals.evaluation, 'nobody', 'true_fraction'),
      column(`ext:///${evals.project.id}/object/gone:v1`, 'match', 'true_fraction'),
    ]
    const { rows, warnings, ...rest } = await board(evals, { columns })
    expect(rows.map(({ cells }) => cells.map((cell) => cell?.value ?? null))).toEqual([[0.25, 1.5, null, null]])
    expect(rest.columns.map(({ kind }) => kind)).toEqual(['summary', 'summary', null, null])
    expect(rows[0]?.cells[0]).toMatchObject({ low: null, high: null, interval: null, scored_rows: null })
    expect(warnings).toEqual(['The evaluation gone does not exist in this project'])
  })

  test('a newer run whose scorer gave nothing leaves the cell empty', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const scorer = await create(evals, 'judge', { scoring_prompt: '?', model: 'gpt-4o' }, 'LLMAsAJudgeScorer')
    const ref = await evaluation(evals, `ext:///${evals.project.id}/object/rows:v0`, [scorer])
    const columns = [column(ref, 'judge', 'true_fraction'), column(ref, 'extra', 'mean')]
    await runOf(evals, { evaluation: ref }, [{ judge: true, extra: 1 }])
    await runOf(evals, { evaluation: ref }, [{}])
    const { rows } = await board(evals, { columns })
    expect(rows.map(({ cells }) => cells.map((cell) => cell?.value ?? null))).toEqual([[null, 1]])
  })

  test('refuses what is no leaderboard', async () => {
    const evals = new EvaluationClient(freshProject(server))
    await create(evals, 'note', { text: 'x' })
    expectRefusal(await send(evals, {}), 400, 'give either its `name` or `columns`')
    expectRefusal(await send(evals, { name: 'none' }), 404, 'none')
    expectRefusal(await send(evals, { name: 'note' }), 400, '"note" is no leaderboard')
    expectInvalid(await send(evals, { columns: [] }))
    expectInvalid(await send(evals, { columns: [{ scorer_name: 'x' }] }))
  })
})
