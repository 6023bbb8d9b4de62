import { beforeAll, describe, expect, test } from 'bun:test'
import { callsCatalog, callsOrder } from '../../src/engine/tables/calls-query.ts'
import { always } from '../../src/query/expression.ts'
import { parseSort } from '../../src/query/sort.ts'
import { compileRows } from '../../src/query/sql/statements.ts'
import { readQuery } from '../../src/query/table-plan.ts'
import {
  contains,
  convert,
  eq,
  get,
  is,
  isIn,
  literal,
  not,
  type Operation,
} from '../conformance/support/query-expression.ts'
import { Fixture, projectId } from './fixture.ts'

// The store keeps no feedback yet; the compiler is ready for the table.
let fixture: Fixture

beforeAll(async () => {
  fixture = await Fixture.open()
  for (const id of ['none', 'one', 'two', 'other']) await fixture.insert({ id, inputs: '{"v":"b"}' })
  const add = (call_id: string, second: number, feedback_type: string, payload: unknown, runnable_ref?: string) =>
    fixture.insertFeedback({
      id: `${call_id}-${second}`,
      call_id,
      feedback_type,
      payload: JSON.stringify(payload),
      runnable_ref,
      created_at: `2024-05-01T10:00:0${second}Z`,
    })
  await add('one', 1, 'ext.runnable.judge', { output: { score: 5 } }, 'ref')
  await add('two', 1, 'ext.runnable.judge', { output: { score: 9, label: 'a' } })
  await add('two', 2, 'ext.runnable.judge', { output: { score: 1, label: 'b' } })
  await add('two', 3, 'note', { note: 'fine' })
  await add('other', 1, 'note', { note: 'poor' })
  await fixture.insertFeedback({
    id: 'x',
    call_id: 'none',
    feedback_type: 'note',
    payload: '{"note":"theirs"}',
    project_id: 'acme/else',
  })
})

const score = 'feedback.[ext.runnable.judge].payload.output.score'
const label = get('feedback.[ext.runnable.judge].payload.output.label')

const cases: [string, Operation, string[]][] = [
  ['any match', is(score, '$gt', 4), ['one', 'two']],
  ['none matches', is(score, '$gt', 9), []],
  ['equality', is(score, '$eq', 1), ['two']],
  ['not: false for all matches, unknown without any', not(is(score, '$gt', 5)), ['one']],
  ['null: no such feedback has a value', eq(label, literal(null)), ['none', 'one', 'other']],
  ['exists', eq(convert(label, 'exists'), literal(true)), ['two']],
  ['does not exist', eq(convert(label, 'exists'), literal(false)), ['none', 'one', 'other']],
  ['$in', isIn(label, 'b', 'c'), ['two']],
  ['$contains', contains(get('feedback.[note].payload.note'), 'ine'), ['two']],
  ['any type', is('feedback.[*].payload.note', '$eq', 'poor'), ['other']],
  ['a ref', is('feedback.[ext.runnable.judge].runnable_ref', '$eq', 'ref'), ['one']],
  ['combined with a field of the call', eq(label, get('inputs.v')), ['two']],
  ['feedback of other projects is invisible', is('feedback.[note].payload.note', '$eq', 'theirs'), []],
  ['a type with a quote in it', is("feedback.[it's].payload.x", '$eq', 1), []],
]

describe('feedback in queries', () => {
  test.each(cases)('%s', async (_rule, operation, ids) => {
    expect(await fixture.select(readQuery({ $expr: operation }, callsCatalog))).toEqual(ids)
  })

  test('sorts by the newest feedback', async () => {
    const { calls: relation, feedback } = fixture
    const sort = parseSort([{ field: score, direction: 'desc' }], callsOrder)
    const sql = compileRows({ relation, projectId, where: always, columns: ['id'], feedback, sort })
    expect((await fixture.rows(sql)).map(([id]) => id)).toEqual(['one', 'two', 'other', 'none'])
  })

  test('rejects comparisons between two feedback types', () => {
    expect(() => readQuery({ $expr: eq(label, get('feedback.[note].payload.note')) }, callsCatalog)).toThrow('one type')
  })

  test('is rejected if the relation has no feedback', () => {
    const where = readQuery({ $expr: is(score, '$gt', 4) }, callsCatalog)
    expect(() => compileRows({ relation: fixture.calls, projectId, where, columns: ['id'] })).toThrow('feedback')
  })
})
