import { describe, expect, test } from 'bun:test'
import { digestsOf, queryResults, traceEvaluation } from '../support/eval-results.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const field = (path: string) => ({ $getField: path })
const compare = (operator: string, path: string, value: unknown) => ({
  query: { $expr: { [operator]: [field(path), { $literal: value }] } },
})

/**
 * Two evaluations of the rows a to d; `acc` of `one` rises, that of `two` falls, b was tried twice.
 */
async function compared() {
  const project = freshProject(server)
  await traceEvaluation(project, 'one', [
    { row: 'a', output: { answer: 'x', n: 10 }, scores: { acc: 0.1, pass: true, judge: { tone: 'kind' } } },
    { row: 'b', output: { answer: 'y', n: 9 }, scores: { acc: 0.2, pass: true } },
    { row: 'b', output: { answer: 'y', n: 9 }, scores: { acc: 0.4, pass: false } },
    { row: 'c', output: { answer: 'z', n: 2 }, scores: { acc: 0.8, pass: false, 'dotted.name': 1 } },
    { row: 'd', output: {}, scores: {} },
  ])
  await traceEvaluation(project, 'two', [
    { row: 'a', output: { answer: 'x' }, scores: { acc: 0.9, pass: true } },
    { row: 'b', output: { answer: 'w' }, scores: { acc: 0.5, pass: true } },
    { row: 'c', output: { answer: 'z' }, scores: { acc: 0.75, pass: true } },
  ])
  const both = ['one', 'two']
  return {
    project,
    sorted: (...sort_by: Record<string, unknown>[]) => digestsOf(project, both, { sort_by }),
    filtered: (request: Record<string, unknown>) => digestsOf(project, both, request),
  }
}

describe('eval_results/query: order', () => {
  test('by a score: the mean of all trials, rows without it last', async () => {
    const { sorted } = await compared()
    // Means by evaluation: a 0.1 and 0.9, b 0.3 and 0.5, c 0.8 and 0.75.
    const by = (direction: string) => ({ field: 'scores.acc', direction })
    expect(await sorted(by('asc'))).toEqual(['b', 'a', 'c', 'd'])
    expect(await sorted(by('desc'))).toEqual(['c', 'a', 'b', 'd'])
  })

  test('by a score in one evaluation', async () => {
    const { sorted } = await compared()
    const by = (evaluation_call_id: string) => ({ field: 'scores.acc', direction: 'desc', evaluation_call_id })
    expect(await sorted(by('one'))).toEqual(['c', 'b', 'a', 'd'])
    expect(await sorted(by('two'))).toEqual(['a', 'c', 'b', 'd'])
  })

  test('by the spread between evaluations', async () => {
    const { sorted } = await compared()
    expect(await sorted({ field: 'scores.acc', direction: 'desc', mode: 'difference' })).toEqual(['a', 'b', 'c', 'd'])
    expect(await sorted({ field: 'scores.acc', direction: 'asc', mode: 'difference' })).toEqual(['c', 'b', 'a', 'd'])
  })

  test('by outputs that are partly text', async () => {
    const project = freshProject(server)
    const trials = ['b', 'c', 'a'].map((output, index) => ({ row: String(index), output, scores: {} }))
    await traceEvaluation(project, 'texts', trials)
    for (const name of ['output', 'outputs']) {
      const sort_by = [{ field: name, direction: 'asc' }]
      expect(await digestsOf(project, ['texts'], { sort_by })).toEqual(['2', '0', '1'])
      expect(await digestsOf(project, ['texts'], { filters: [compare('$eq', name, 'c')] })).toEqual(['1'])
    }
  })

  test('true counts as 1; ties are broken by the next key, then by digest', async () => {
    const { sorted } = await compared()
    const pass = { field: 'scores.pass', direction: 'desc', evaluation_call_id: 'two' }
    expect(await sorted(pass)).toEqual(['a', 'b', 'c', 'd'])
    expect(await sorted(pass, { field: 'scores.acc', direction: 'asc', evaluation_call_id: 'two' })).toEqual([
      'b',
      'c',
      'a',
      'd',
    ])
    expect(await sorted({ field: 'row_digest', direction: 'desc' })).toEqual(['d', 'c', 'b', 'a'])
  })

  test('by outputs: numbers numerically, text alphabetically', async () => {
    const { sorted } = await compared()
    expect(await sorted({ field: 'outputs.n', direction: 'asc' })).toEqual(['c', 'b', 'a', 'd'])
    expect(await sorted({ field: 'output.answer', direction: 'desc', evaluation_call_id: 'two' })).toEqual([
      'c',
      'a',
      'b',
      'd',
    ])
  })

  test('by inputs of inline rows', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const run = await evals.run()
    for (const n of [10, 9, 'x']) await evals.trial(run, { n }, n, {})
    const sort_by = [{ field: 'inputs.n', direction: 'asc' }]
    const { rows } = await queryResults(evals.project, [run], { sort_by })
    expect(rows.map((row) => row.evaluations[0]!.trials[0]!.model_output)).toEqual([9, 10, 'x'])
  })

  test('scores that arrived late count too', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const run = await evals.run()
    const first = await evals.trial(run, { n: 1 }, 'first', { acc: 1 })
    const second = await evals.predict({ inputs: { n: 2 }, output: 'second', evaluation_run_id: run })
    await evals.score(second, 'acc', 2, run)
    await evals.score(first, 'extra', 5, run)
    const outputs = async (name: string) => {
      const request = { sort_by: [{ field: `scores.${name}`, direction: 'desc' }] }
      const { rows } = await queryResults(evals.project, [run], request)
      return rows.map((row) => row.evaluations[0]!.trials[0]!.model_output)
    }
    expect(await outputs('acc')).toEqual(['second', 'first'])
    expect(await outputs('extra')).toEqual(['first', 'second'])
  })
})

describe('eval_results/query: filters', () => {
  test('apply to any evaluation, or to every one', async () => {
    const { filtered } = await compared()
    const filters = [compare('$gt', 'scores.acc', 0.4)]
    expect(await filtered({ filters })).toEqual(['a', 'b', 'c'])
    expect(await filtered({ filters, filter_logic_operator: 'and' })).toEqual(['c'])
  })

  test('apply to every evaluation, however many trials it has of a row', async () => {
    const project = freshProject(server)
    await traceEvaluation(project, 'one', [
      { row: 'a', scores: {} },
      { row: 'a', scores: {} },
      { row: 'b', scores: {} },
    ])
    await traceEvaluation(project, 'two', [{ row: 'b', scores: {} }])
    const filters = [compare('$gte', 'row_digest', 'a')]
    const digests = (request: Record<string, unknown>) => digestsOf(project, ['one', 'two'], request)
    expect(await digests({ filters, filter_logic_operator: 'and' })).toEqual(['b'])
    expect(await digests({ filters, require_intersection: true })).toEqual(['b'])
    expect(await digests({ filters })).toEqual(['a', 'b'])
  })

  test('apply to one evaluation', async () => {
    const { filtered } = await compared()
    const inOne = { ...compare('$gte', 'scores.acc', 0.3), evaluation_call_id: 'one' }
    // b was tried twice; 0.3 is the mean.
    expect(await filtered({ filters: [inOne] })).toEqual(['b', 'c'])
    expect(await filtered({ filters: [inOne], filter_logic_operator: 'and' })).toEqual(['b', 'c'])
  })

  test('are combined with and', async () => {
    const { filtered } = await compared()
    const pass = { ...compare('$eq', 'scores.pass', true), evaluation_call_id: 'two' }
    const low = { ...compare('$lt', 'scores.acc', 0.35), evaluation_call_id: 'one' }
    expect(await filtered({ filters: [pass, low] })).toEqual(['a', 'b'])
  })

  test('cover scores, outputs and the digest', async () => {
    const { filtered } = await compared()
    expect(await filtered({ filters: [compare('$eq', 'scores.judge.tone', 'kind')] })).toEqual(['a'])
    expect(await filtered({ filters: [compare('$eq', 'scores.dotted\\.name', 1)] })).toEqual(['c'])
    expect(await filtered({ filters: [compare('$eq', 'outputs.answer', 'w')] })).toEqual(['b'])
    expect(await filtered({ filters: [compare('$gte', 'row_digest', 'c')] })).toEqual(['c', 'd'])
    const not = { query: { $expr: { $not: [{ $eq: [field('outputs.answer'), { $literal: null }] }] } } }
    expect(await filtered({ filters: [not] })).toEqual(['a', 'b', 'c'])
    const hostile = compare('$eq', `scores.a"'; DROP TABLE calls; --`, `'"; --`)
    expect(await filtered({ filters: [hostile] })).toEqual([])
  })

  test('apply before paging, and not to the summary', async () => {
    const { project } = await compared()
    const request = { filters: [compare('$gt', 'scores.acc', 0.4)], limit: 1, offset: 1, include_summary: true }
    const { rows, total_rows, summary } = await queryResults(project, ['one', 'two'], request)
    expect(rows.map((row) => row.row_digest)).toEqual(['b'])
    expect(total_rows).toBe(3)
    expect(summary!.row_count).toBe(4)
    const hidden = await queryResults(project, ['one', 'two'], { ...request, include_rows: false })
    expect(hidden).toMatchObject({ rows: [], total_rows: 3 })
  })
})
