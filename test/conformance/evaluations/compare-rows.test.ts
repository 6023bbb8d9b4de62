import { describe, expect, test } from 'bun:test'
import type { ComparedRows, Comparison } from '../../../src/domains/evaluations/model/comparison.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

interface Scored {
  /** Undefined for a row whose trial failed, null for a row without the score. */
  readonly match: boolean | null | undefined
  readonly judge: number
  readonly tag?: string
}

async function runOf(evals: EvaluationClient, rows: readonly Scored[]): Promise<string> {
  const id = await evals.run()
  for (const [row, { match, judge, tag = 'none' }] of rows.entries()) {
    const example = { question: `q${row}`, tag }
    if (match === undefined) await evals.trial(id, example, null, {})
    else await evals.trial(id, example, `a${row}`, { judge, ...(match !== null && { match }) })
  }
  return id
}

/** Three runs of six rows: what the second and third change is named in the tests. */
async function threeRuns(evals: EvaluationClient): Promise<readonly string[]> {
  const base = [true, true, false, false, true, true].map((match, row) => ({
    match,
    judge: row,
    tag: row % 2 ? 'odd' : 'even',
  }))
  const changed = (changes: Readonly<Record<number, Partial<Scored>>>) =>
    base.map((row, index): Scored => ({ ...row, ...changes[index] }))
  return [
    await runOf(evals, base),
    await runOf(evals, changed({ 0: { match: false, judge: 3 }, 2: { match: true }, 4: { match: undefined } })),
    await runOf(evals, changed({ 0: { match: false, judge: 1 }, 5: { match: null } })),
  ]
}

const send = (evals: EvaluationClient, ids: readonly string[], members: object = {}) =>
  server.post<ComparedRows>('/evaluations/compare_rows', {
    project_id: evals.project.id,
    evaluation_call_ids: ids,
    ...members,
  })

async function rowsOf(evals: EvaluationClient, ids: readonly string[], members: object = {}): Promise<ComparedRows> {
  const { status, text, json } = await send(evals, ids, members)
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
  return json
}

const evalsIn = () => new EvaluationClient(freshProject(server))
const inputs = ({ rows }: ComparedRows): string[] => rows.map(({ input }) => input)
const isEqual = (path: string, value: unknown) => ({
  $expr: { $eq: [{ $getField: path }, { $literal: value }] },
})

describe('evaluations/compare_rows', () => {
  test('has the rows side by side, with what changed', async () => {
    const evals = evalsIn()
    const ids = await threeRuns(evals)
    const found = await rowsOf(evals, ids, { score: 'match' })
    expect(found.scores).toEqual([
      { score: 'judge', kind: 'mean' },
      { score: 'match', kind: 'rate' },
    ])
    expect(inputs(found)).toEqual(['q0', 'q1', 'q2', 'q3', 'q4', 'q5'])
    expect(found.columns).toEqual(['question', 'tag'])
    expect(found.counts).toEqual({ all: 6, changed: 2, regressions: 1, disagreement: 1, incomplete: 2 })
    expect(found.rows[0]?.runs.map((cell) => [cell?.change, cell?.values])).toEqual([
      [null, [0, 1]],
      ['lost', [3, 0]],
      ['lost', [1, 0]],
    ])
    expect(found.rows[2]?.runs[1]?.change).toBe('gained')
    expect(found.rows[4]?.runs[1]).toMatchObject({ trial_count: 1, failed_trial_count: 1, values: [null, null] })
    expect(found.rows[5]?.runs[2]).toMatchObject({ failed_trial_count: 0, values: [5, null] })
    expect(found.runs.map(({ value, scored_rows }) => [value, scored_rows])).toEqual([
      [4 / 6, 6],
      [3 / 5, 5],
      [2 / 5, 5],
    ])
  })

  test('sorts, and shows what is asked for', async () => {
    const evals = evalsIn()
    const ids = await threeRuns(evals)
    const of = async (members: object) => inputs(await rowsOf(evals, ids, members))
    expect(await of({ score: 'match', show: 'regressions' })).toEqual(['q0'])
    expect(await of({ score: 'match', show: 'changed' })).toEqual(['q0', 'q2'])
    expect(await of({ score: 'match', show: 'disagreement' })).toEqual(['q2'])
    expect(await of({ score: 'match', show: 'incomplete' })).toEqual(['q4', 'q5'])
    expect(await of({ score: 'match', sort: 'gain', limit: 1 })).toEqual(['q2'])
    expect(await of({ score: 'match', sort: 'loss', limit: 1 })).toEqual(['q0'])
    expect(await of({ score: 'judge', sort: 'difference', limit: 2 })).toEqual(['q0', 'q1'])
    expect(await of({ score: 'judge', show: 'regressions', lower_is_better: true })).toEqual(['q0'])
    expect(await of({ score: 'judge', show: 'changed', margin: 3 })).toEqual([])
    const sorted = await of({ score: 'judge', sort: 'value', sort_run: ids[1] })
    expect(sorted).toEqual(['q1', 'q2', 'q0', 'q3', 'q5', 'q4'])
    expect(await of({ sort: 'value', sort_run: ids[1], score: 'judge', offset: 4 })).toEqual(['q5', 'q4'])
  })

  test('averages over the rows that match, and by the values of a column', async () => {
    const evals = evalsIn()
    const ids = await threeRuns(evals)
    const found = await rowsOf(evals, ids, { score: 'match', query: isEqual('inputs.tag', 'even'), slice_by: 'tag' })
    expect(inputs(found)).toEqual(['q0', 'q2', 'q4'])
    expect(found.counts).toMatchObject({ all: 3, regressions: 1 })
    expect(found.runs.map(({ value }) => value)).toEqual([2 / 3, 1 / 2, 1 / 3])
    expect(found.slices.map(({ value, row_count }) => [value, row_count])).toEqual([['even', 3]])
    const all = await rowsOf(evals, ids, { score: 'match', slice_by: 'tag', limit: 0 })
    expect(all.rows).toEqual([])
    expect(all.slices.map(({ value, row_count, runs }) => [value, row_count, runs.map((run) => run.value)])).toEqual([
      ['even', 3, [2 / 3, 1 / 2, 1 / 3]],
      ['odd', 3, [2 / 3, 2 / 3, 1 / 2]],
    ])
    expect(inputs(await rowsOf(evals, ids, { query: isEqual('scores.judge', 1) }))).toEqual(['q0', 'q1'])
  })

  test('answers from a view, also statistics, until its runs are others', async () => {
    const evals = evalsIn()
    const ids = await threeRuns(evals)
    const first = await rowsOf(evals, ids)
    const again = await rowsOf(evals, ids, { view: first.view, sort: 'loss' })
    expect(again.view).toBe(first.view)
    const { json } = await server.post<Comparison>('/evaluations/compare', {
      project_id: evals.project.id,
      evaluation_call_ids: ids,
      view: first.view,
      include_measures: true,
      measures: ['latency'],
    })
    expect(json.view).toBe(first.view)
    expect(json.measures.map(({ score, lower_is_better }) => [score, lower_is_better])).toEqual([['latency', true]])
    expect(json.runs[0]?.latency_rows).toBe(6)
    expect(json.comparisons).toBe(json.scores.length * 2 + 2)
    const others = await rowsOf(evals, ids.slice(0, 2), { view: first.view })
    expect(others.view).not.toBe(first.view)
    const elsewhere = evalsIn()
    expectRefusal(await send(elsewhere, ids, { view: first.view }), 404, ids[0] ?? '')
  })

  test('refuses what it cannot show', async () => {
    const evals = evalsIn()
    const ids = await threeRuns(evals)
    expectRefusal(await send(evals, ids, { score: 'mtach' }), 400, 'use judge, match')
    expectRefusal(await send(evals, ids, { sort_run: 'else' }), 400, 'else')
    expectInvalid(await send(evals, ids, { limit: 1001 }), ['body', 'limit'])
    expectInvalid(await send(evals, ids, { show: 'some' }), ['body', 'show'])
  })
})
