import { describe, expect, test } from 'bun:test'
import type { JudgeCheck } from '../../../src/domains/evaluations/model/judge-check.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const send = (evals: EvaluationClient, members: object) =>
  server.post<JudgeCheck>('/evaluations/judge_check', { project_id: evals.project.id, ...members })

async function check(evals: EvaluationClient, members: object): Promise<JudgeCheck> {
  const { status, text, json } = await send(evals, members)
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
  return json
}

async function label(evals: EvaluationClient, call: string, feedback_type: string, payload: object): Promise<void> {
  const ext_ref = `ext:///${evals.project.id}/call/${call}`
  const body = { project_id: evals.project.id, ext_ref, feedback_type, payload }
  expect((await server.post('/feedback/create', body)).status).toBe(200)
}

/** How often a person and the judge give which label: as a table, people in rows. */
const table = [
  [20, 5],
  [10, 15],
]

/**
 * A run in which the judge and people label as in the table, then three trials of one side alone.
 */
async function labelledRun(evals: EvaluationClient): Promise<{ run: string; predictions: string[] }> {
  const run = await evals.run()
  const predictions: string[] = []
  const trial = async (human: boolean | undefined, grade: number | undefined) => {
    const row = { question: `q${predictions.length}`, expected: human === true ? 'yes' : 'no' }
    const scores = grade === undefined ? {} : { judge: { grade, reason: `because ${grade}` } }
    const id = await evals.trial(run, row, `answer ${predictions.length}`, scores)
    predictions.push(id)
    if (human !== undefined) await label(evals, id, 'looks_right', { value: human })
  }
  for (const [human, counts] of table.entries())
    for (const [judge, count] of counts.entries())
      for (let each = 0; each < count; each++) await trial(human === 1, judge === 1 ? 4 + (each % 2) : 1 + (each % 3))
  await trial(undefined, 5)
  await trial(undefined, 1)
  await trial(true, undefined)
  await evals.finish('evaluation_runs', run)
  return { run, predictions }
}

const judge = { source: 'score', name: 'judge.grade' }
const human = { source: 'feedback', name: 'looks_right' }

describe('evaluations/judge_check', () => {
  test('pairs a judge with people, and lists where they disagree', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const { run, predictions } = await labelledRun(evals)
    const { check: found, choices, trials } = await check(evals, { evaluation_call_ids: [run], judge, human, limit: 4 })
    expect(choices.map(({ source, name, path, kind }) => [source, name, path, kind])).toEqual([
      ['score', 'judge.grade', null, 'number'],
      ['score', 'judge.reason', null, 'text'],
      ['feedback', 'ext.runnable.judge', 'output.grade', 'number'],
      ['feedback', 'ext.runnable.judge', 'output.reason', 'text'],
      ['feedback', 'looks_right', 'value', 'truth'],
      ['column', 'question', null, 'text'],
      ['column', 'expected', null, 'text'],
    ])
    // As in statsmodels: proportion_confint (wilson) and cohens_kappa.
    expect(found).toMatchObject({
      judge: { bins: [4], is_assumed: true },
      human: { path: 'value', is_assumed: false },
      classes: ['false', 'true'],
      matrix: table,
      trial_count: 53,
      pair_count: 50,
      row_count: 50,
      disagreement_count: 15,
      only_judge_count: 2,
      only_human_count: 1,
      unlabelled_count: 0,
      relabelled_count: 0,
      problem: null,
    })
    const rounded = (of: { value: number; low: number | null; high: number | null } | null | undefined) =>
      [of?.value, of?.low, of?.high].map((each) => each?.toFixed(4))
    expect(rounded(found?.agreement)).toEqual(['0.7000', '0.5625', '0.8090'])
    expect(rounded(found?.kappa)).toEqual(['0.4000', '0.1511', '0.6489'])

    // Page by page: every disagreement once, with its calls and the reason of the judge.
    expect(trials.total).toBe(15)
    const [first] = trials.items
    expect(first).toMatchObject({ evaluation_call_id: run, input: 'q20', output: 'answer 20', human_class: 'false' })
    expect(first).toMatchObject({ judge_label: '4', judge_class: 'true', predict_call_id: predictions[20] })
    expect(first?.reasons).toEqual([{ name: 'reason', text: 'because 4' }])
    expect(first?.judge_call_id).toBeString()
    const seen = trials.items.map((each) => each.predict_call_id)
    for (let after = trials.next; after !== null; ) {
      const body = { evaluation_call_ids: [run], judge, human, limit: 4, after }
      const page = (await check(evals, body)).trials
      seen.push(...page.items.map((each) => each.predict_call_id))
      after = page.next
    }
    expect(seen).toEqual(predictions.slice(20, 35))
  })

  test('lists a cell of the matrix, and what one side has not labelled', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const { run, predictions } = await labelledRun(evals)
    const idsOf = async (members: object) => {
      const { trials } = await check(evals, { evaluation_call_ids: [run], judge, human, ...members })
      return trials.items.map((each) => each.predict_call_id)
    }
    expect(await idsOf({ cell: { judge: 'true', human: 'true' } })).toEqual(predictions.slice(35, 50))
    expect(await idsOf({ show: 'only_judge' })).toEqual(predictions.slice(50, 52))
    expect(await idsOf({ show: 'only_human' })).toEqual(predictions.slice(52))
    expect(await idsOf({ show: 'unlabelled' })).toEqual([])
  })

  test('reads labels as they are asked to be: ranges, a column, the newest of several', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const { run, predictions } = await labelledRun(evals)
    const ids = { evaluation_call_ids: [run] }
    const column = { source: 'column', name: 'expected', true_values: ['yes'] }
    const byColumn = await check(evals, { ...ids, judge: { ...judge, bins: [4] }, human: column })
    expect(byColumn.check?.matrix).toEqual([
      [21, 6],
      [10, 15],
    ])
    const ranges = { ...judge, bins: [2, 4] }
    const byRange = await check(evals, { ...ids, judge: ranges, human: ranges })
    expect(byRange.check?.classes).toEqual(['below 2', '2 to below 4', '4 or more'])
    expect(byRange.check?.kappa).toEqual({ value: 1, low: null, high: null })

    await label(evals, predictions[0]!, 'looks_right', { value: true })
    const again = await check(evals, { ...ids, judge, human })
    expect(again.check?.matrix).toEqual([
      [19, 5],
      [11, 15],
    ])
    expect(again.check?.relabelled_count).toBe(1)
    await label(evals, predictions[0]!, 'ext.reaction.1', { emoji: '👎' })
    const reaction = { source: 'feedback', name: 'ext.reaction.1' }
    const few = (await check(evals, { ...ids, judge, human: reaction })).check
    expect([few?.pair_count, few?.agreement, few?.kappa]).toEqual([1, null, null])
    const texts = (await check(evals, { ...ids, judge: { source: 'column', name: 'question' }, human })).check
    expect(texts?.problem).toContain('more than 12')
    expect([texts?.classes, texts?.agreement]).toEqual([[], null])
  })

  test('says what there is before anything is chosen, and refuses what does not fit', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const run = await evals.run()
    await evals.trial(run, { question: 'q' }, 'said', { judge: true })
    const { check: figures, choices } = await check(evals, { evaluation_call_ids: [run] })
    expect([figures, choices.length]).toEqual([null, 3])
    const none = await check(evals, { evaluation_call_ids: [run], judge: { source: 'score', name: 'judge' }, human })
    expect(none.check?.problem).toBe('No trial of these runs has a human label')
    expectRefusal(await send(evals, { evaluation_call_ids: ['none'] }), 404, 'none')
    expectRefusal(
      await send(evals, { evaluation_call_ids: [run], judge, human, after: 'x' }),
      400,
      'Invalid `after` "x"',
    )
    expectInvalid(await send(evals, { evaluation_call_ids: [] }))
    expectInvalid(await send(evals, { evaluation_call_ids: [run], judge: { source: 'guess', name: 'x' } }))
    expectInvalid(await send(evals, { evaluation_call_ids: [run], judge: { ...judge, bins: [] } }))
  })
})
