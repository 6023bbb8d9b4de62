import { describe, expect, test } from 'bun:test'
import type { Comparison } from '../../../src/domains/evaluations/model/comparison.ts'
import type { RunList } from '../../../src/domains/evaluations/model/run-list.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

/** Scores of the trials of a row; undefined for a trial that failed. */
type Trials = readonly (Readonly<Record<string, unknown>> | undefined)[]

/** A run with these trials by row. */
async function runOf(evals: EvaluationClient, rows: Readonly<Record<string, Trials>>): Promise<string> {
  const id = await evals.run()
  for (const [question, trials] of Object.entries(rows)) {
    for (const scores of trials) {
      if (scores === undefined) await evals.trial(id, { question }, null, {})
      else await evals.trial(id, { question }, 'said', scores)
    }
  }
  return id
}

/** The same in one request, as a client traces it. */
async function runAtOnce(evals: EvaluationClient, rows: Readonly<Record<string, Trials>>): Promise<string> {
  const id = crypto.randomUUID()
  const inputs = { self: evals.evaluation, model: evals.model }
  const base = { trace_id: id, started_at: '2026-11-20T10:00:00Z', ended_at: '2026-11-20T10:00:01Z' }
  const trials = Object.entries(rows).flatMap(([question, each]) =>
    each.map((scores) => ({
      ...base,
      id: crypto.randomUUID(),
      parent_id: id,
      op_name: 'Evaluation.predict_and_score',
      inputs: { ...inputs, example: { question } },
      output: scores === undefined ? { output: null, scores: {} } : { output: 'said', scores },
    })),
  )
  await evals.project.complete({ ...base, id, op_name: 'Evaluation.evaluate', inputs, output: {} }, ...trials)
  return id
}

/** One trial a row, with one score: the rows are numbered. */
const rowsWith = (score: string, values: readonly unknown[]): Record<string, Trials> =>
  Object.fromEntries(values.map((value, row) => [`q${row}`, [{ [score]: value }]]))

const send = (evals: EvaluationClient, ids: readonly string[], members: object = {}) =>
  server.post<Comparison>('/evaluations/compare', {
    project_id: evals.project.id,
    evaluation_call_ids: ids,
    ...members,
  })

async function compare(evals: EvaluationClient, ids: readonly string[], members: object = {}): Promise<Comparison> {
  const { status, text, json } = await send(evals, ids, members)
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
  return json
}

const evalsIn = () => new EvaluationClient(freshProject(server))
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

describe('evaluations/compare', () => {
  test('pairs the outcomes of rows, and counts what changed', async () => {
    const evals = evalsIn()
    const before = await runOf(evals, rowsWith('match', [...times(11, false), ...times(5, true)]))
    const after = await runOf(evals, rowsWith('match', [...times(9, true), ...times(2, false), ...times(5, true)]))
    const { scores, baseline, row_count, shared_row_count, comparisons } = await compare(evals, [before, after])
    expect({ baseline, row_count, shared_row_count, comparisons }).toEqual({
      baseline: before,
      row_count: 16,
      shared_row_count: 16,
      comparisons: 1,
    })
    expect(scores).toHaveLength(1)
    const [own, other] = scores[0]?.runs ?? []
    // Wilson's interval of 5 of 16.
    expect(own).toMatchObject({ value: 0.3125, interval: 'wilson', difference: null, scored_rows: 16 })
    expect([own?.low?.toFixed(4), own?.high?.toFixed(4)]).toEqual(['0.1416', '0.5560'])
    expect(other?.difference).toMatchObject({
      pairs: 16,
      value: 9 / 16,
      gained: 9,
      lost: 0,
      test: 'mcnemar',
      p_value: expect.closeTo(2 ** -8),
      p_corrected: expect.closeTo(2 ** -8),
      verdict: 'better',
    })
    const backwards = await compare(evals, [before, after], { baseline: after })
    expect(backwards.scores[0]?.runs[0]?.difference).toMatchObject({ gained: 0, lost: 9, verdict: 'worse' })
    const lower = await compare(evals, [before, after], { lower_is_better: ['match'] })
    expect(lower.scores[0]?.runs[1]?.difference?.verdict).toBe('worse')
  })

  test('averages the trials of a row before it pairs rows', async () => {
    const evals = evalsIn()
    const before = await runOf(evals, rowsWith('judge', [1, 2, 3, 4, 5, 6]))
    const twice = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((value, row) => [`q${row}`, [{ judge: value }, { judge: value + 2 }]]),
    )
    const after = await runOf(evals, twice)
    const { scores, runs } = await compare(evals, [before, after])
    expect(runs.map(({ row_count, trial_count }) => [row_count, trial_count])).toEqual([
      [6, 6],
      [6, 12],
    ])
    expect(scores[0]).toMatchObject({ score: 'judge', kind: 'mean' })
    expect(scores[0]?.runs[1]).toMatchObject({ value: 4.5, interval: 'bootstrap', scored_rows: 6 })
    expect(scores[0]?.runs[1]?.difference).toMatchObject({
      pairs: 6,
      value: 1,
      low: 1,
      high: 1,
      gained: null,
      test: 'bootstrap',
      p_value: 1 / 32,
      verdict: 'better',
    })
  })

  test('counts rows that are missing, failed or have no score, and never as 0', async () => {
    const evals = evalsIn()
    const before = await runOf(evals, rowsWith('match', times(8, true)))
    const after = await runOf(evals, {
      ...rowsWith('match', times(6, true)),
      q5: [undefined, undefined],
      q6: [{ other: true }],
      q8: [{ match: true }, undefined],
    })
    const { scores, runs, warnings, row_count, shared_row_count } = await compare(evals, [before, after])
    expect([row_count, shared_row_count]).toEqual([9, 7])
    expect(runs[1]).toMatchObject({ row_count: 8, trial_count: 10, failed_trial_count: 3 })
    const match = scores.find(({ score }) => score === 'match')
    expect(match?.runs).toMatchObject([
      { value: 1, scored_rows: 8, unscored_rows: 0, failed_rows: 0, missing_rows: 1 },
      { value: 1, scored_rows: 6, unscored_rows: 1, failed_rows: 1, missing_rows: 1 },
    ])
    expect(match?.runs[1]?.difference).toMatchObject({ pairs: 5, value: 0, verdict: 'same' })
    expect(scores.find(({ score }) => score === 'other')?.runs[1]?.difference).toMatchObject({
      pairs: 0,
      value: null,
      test: null,
      verdict: 'cannot tell',
    })
    expect(warnings.join('\n')).toContain('Only 7 of 9 rows are in every run')
    expect(warnings.join('\n')).toContain(`3 of 10 trials of run ${after} failed`)
  })

  test('counts rows and trials of runs with failed rows, three trials and other rows', async () => {
    const evals = evalsIn()
    const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `q${from + at}`)
    const passes = { match: true }
    // The first ten rows fail in all trials; the other run has other rows, five of which fail once.
    const before = await runAtOnce(evals, {
      ...Object.fromEntries(names(0, 10).map((row) => [row, times(3, undefined)])),
      ...Object.fromEntries(names(10, 40).map((row) => [row, [passes, { match: false }, passes]])),
    })
    const after = await runAtOnce(evals, {
      ...Object.fromEntries(names(5, 40).map((row) => [row, times(3, passes)])),
      ...Object.fromEntries(names(40, 45).map((row) => [row, [undefined, passes, passes]])),
    })
    const { runs, scores, row_count, shared_row_count } = await compare(evals, [before, after])
    expect({ row_count, shared_row_count }).toEqual({ row_count: 45, shared_row_count: 35 })
    expect(runs).toMatchObject([
      { row_count: 40, trial_count: 120, failed_trial_count: 30 },
      { row_count: 40, trial_count: 120, failed_trial_count: 5 },
    ])
    const [own, other] = scores[0]?.runs ?? []
    expect(own).toMatchObject({ scored_rows: 30, failed_rows: 10, unscored_rows: 0, missing_rows: 5 })
    expect(own?.value).toBeCloseTo(2 / 3)
    expect(other).toMatchObject({ value: 1, scored_rows: 40, failed_rows: 0, unscored_rows: 0, missing_rows: 5 })
    expect(other?.difference).toMatchObject({ pairs: 30, verdict: 'better' })
    expect(other?.difference?.value).toBeCloseTo(1 / 3)
    const { json: list } = await server.post<RunList>('/evaluations/runs/query', { project_id: evals.project.id })
    const figures = new Map(list.runs.map((run) => [run.evaluation_call_id, run]))
    expect(figures.get(before)).toMatchObject({ rows_begun: 40, rows_ended: 40, rows_failed: 10, rows_scored: 30 })
    expect(figures.get(after)).toMatchObject({ rows_begun: 40, rows_ended: 40, rows_failed: 0, rows_scored: 40 })
  })

  test('says "same" within the margin, and "cannot tell" where chance would do', async () => {
    const evals = evalsIn()
    const values = [0.5, 0.6, 0.7, 0.5, 0.6, 0.7, 0.5, 0.6]
    const before = await runOf(evals, rowsWith('judge.fluency', values))
    const after = await runOf(
      evals,
      rowsWith(
        'judge.fluency',
        values.map((value, row) => value + (row % 2 ? 0.02 : -0.01)),
      ),
    )
    const verdict = async (margins: object) =>
      (await compare(evals, [before, after], { margins })).scores[0]?.runs[1]?.difference?.verdict
    expect(await verdict({})).toBe('cannot tell')
    expect(await verdict({ 'judge.fluency': 0.05 })).toBe('same')
    expect(await verdict({ 'judge.fluency': 0.001 })).toBe('cannot tell')
  })

  test('corrects for all tests of the response', async () => {
    const evals = evalsIn()
    const scoresOf = (row: number, isAfter: boolean) => ({
      a: isAfter || row > 5,
      b: isAfter ? row > 1 : row > 5,
      c: row % 2 === 0,
    })
    const rows = (isAfter: boolean) =>
      Object.fromEntries(Array.from({ length: 12 }, (_, row) => [`q${row}`, [scoresOf(row, isAfter)]]))
    const [before, after] = [await runOf(evals, rows(false)), await runOf(evals, rows(true))]
    const { scores, comparisons } = await compare(evals, [before, after])
    expect(comparisons).toBe(3)
    const [a, b, c] = scores.map(({ runs }) => runs[1]?.difference)
    expect(a?.p_value).toBeCloseTo(2 ** -5)
    expect(a?.p_corrected).toBeCloseTo(3 * 2 ** -5)
    expect(b?.p_value).toBeCloseTo(2 ** -3)
    expect(b?.p_corrected).toBeCloseTo(2 * 2 ** -3)
    expect([c?.p_value, c?.p_corrected, c?.verdict]).toEqual([1, 1, 'same'])
    // By itself, the change of a would not be put down to chance.
    expect(a?.verdict).toBe('cannot tell')
    const alone = await compare(evals, [before, after], { scores: ['a'] })
    expect(alone.scores.map(({ runs }) => runs[1]?.difference?.verdict)).toEqual(['better'])
  })

  test('refuses what it cannot compare', async () => {
    const evals = evalsIn()
    const run = await runOf(evals, rowsWith('match', [true]))
    const empty = await evals.run()
    expectInvalid(await send(evals, [run]), ['body', 'evaluation_call_ids'])
    expectRefusal(await send(evals, [run, run]), 400, 'at least two')
    expectRefusal(await send(evals, [run, empty], { baseline: 'else' }), 400, 'else')
    expectRefusal(await send(evals, [run, empty]), 404, empty)
    const other = await runOf(evals, rowsWith('match', [false]))
    expectRefusal(await send(evals, [run, other], { scores: ['mtach'] }), 400, 'use match')
    expectRefusal(await send(evals, [run, other], { margins: { mtach: 1 } }), 400, 'mtach')
    expectInvalid(await send(evals, [run, other], { margins: { match: -1 } }), ['body', 'margins', 'match'])
    const elsewhere = evalsIn()
    expectRefusal(await send(elsewhere, [run, other]), 404, run)
  })
})
