import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { callsCatalog, callsOrder } from '../../src/engine/tables/calls-query.ts'
import type { Relation } from '../../src/lib/relation.ts'
import { parseSort } from '../../src/query/sort.ts'
import { compileRows } from '../../src/query/sql/statements.ts'
import { readQuery } from '../../src/query/table-plan.ts'
import {
  and,
  contains,
  eq,
  get,
  is,
  literal,
  not,
  type Operation,
  or,
  size,
} from '../conformance/support/query-expression.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Fixture, projectId } from './fixture.ts'

let fixture: Fixture
let files: Relation
let folder: string

beforeAll(async () => {
  fixture = await Fixture.open()
  const values = [1, 2.5, 'a', true, null, 5]
  for (const [index, v] of values.entries()) {
    const members = { n: index, s: `s${index}`, b: index % 2 === 0, d: index / 2 + 0.25, v }
    const varied = {
      op_name: `op${index}`,
      trace_id: `t${index}`,
      ext_run_step: index,
      started_at: `2024-05-0${index + 1}`,
    }
    await fixture.insert({ id: `call-${index}`, ...varied, inputs: JSON.stringify(members) })
  }
  folder = await makeTempFolder()
  const path = join(folder, 'calls.parquet')
  await fixture.run(`COPY (FROM calls) TO '${path}' (FORMAT parquet)`)
  files = { ...fixture.calls, branches: [{ source: { kind: 'files', paths: [path], missing: '' }, masks: [] }] }
})

afterAll(() => removeFolder(folder))

const sqlOf = (operation: Operation, relation = files) =>
  compileRows({ relation, projectId, where: readQuery({ $expr: operation }, callsCatalog), columns: ['id'] })

const explained = async (operation: Operation): Promise<string> => {
  const rows = await fixture.rows(sqlOf(operation), 'EXPLAIN ')
  return String(rows[0]?.[1])
    .replaceAll(/[│┌┐└┘─┬┴├┤]/g, '')
    .replaceAll(/\s+/g, ' ')
}

const golden: [string, Operation, string][] = [
  [
    'text in JSON: substring search before parsing',
    is('inputs.s', '$eq', 's 1'),
    `contains(t."inputs", $2) AND (json_extract_string(t."inputs", $3) = $2)`,
  ],
  [
    'columns before JSON',
    and(is('inputs.n', '$eq', null), is('op_name', '$eq', 'op')),
    `(t."op_name" = $2) AND (json_extract_string(t."inputs", $3) IS NULL)`,
  ],
  [
    'equalities of a column become one IN list',
    or(is('op_name', '$eq', 'a'), is('op_name', '$eq', 'b')),
    `(t."op_name" IN ($2, $3))`,
  ],
  [
    'NOT is pushed inward',
    not(and(is('started_at', '$gt', 0), is('op_name', '$gt', 'a'))),
    `((t."started_at" <= $2) OR (t."op_name" <= $3))`,
  ],
  ['a number in JSON', is('inputs.n', '$gt', 1), `(TRY_CAST(regexp_extract(json_extract_string(t."inputs", $2), '`],
]

describe('compiled queries', () => {
  test.each(golden)('%s', async (_what, operation, text) => {
    const sql = sqlOf(operation)
    expect(sql.text.replaceAll(/\s+/g, ' ')).toContain(text)
    await explained(operation)
  })

  test.each([
    ['text', is('op_name', '$eq', 'op3'), "op_name='op3'"],
    ['time', is('started_at', '$gte', '2024-05-03'), 'started_at>='],
    ['integer', is('ext_run_step', '$lt', 5), 'ext_run_step<5'],
    ['negation', not(is('started_at', '$gte', '2024-05-03')), 'started_at<'],
    ['list', { $in: [get('trace_id'), [literal('t1'), literal('t3')]] }, 'trace_id'],
  ])('bounds of %s columns reach the Parquet reader', async (_type, operation, filter) => {
    const plan = await explained(operation)
    expect(plan.slice(plan.indexOf('READ_PARQUET'))).toMatch(/Filters:/)
    expect(plan.slice(plan.indexOf('Filters:')).replaceAll(' ', '')).toContain(filter)
  })

  test('a page over a mask is the same, and reads wide columns for its own rows only', async () => {
    await fixture.run(`CREATE TABLE mask AS SELECT project_id, id FROM calls WHERE id = 'call-4'`)
    const masked = { ...files, branches: files.branches.map((branch) => ({ ...branch, masks: ['mask'] })) }
    const sort = parseSort([{ field: 'started_at', direction: 'desc' }], callsOrder)
    const where = readQuery({ $expr: is('inputs.n', '$gt', 0) }, callsCatalog)
    const page = { projectId, where, columns: ['id', 'inputs'], sort, limit: 2, offset: 1 }
    for (const relation of [
      masked,
      { ...masked, branches: [...masked.branches, { ...fixture.calls.branches[0]!, masks: ['mask'] }] },
    ]) {
      const sql = compileRows({ ...page, relation })
      expect(sql.text).toContain('SEMI JOIN k')
      const ids = (await fixture.rows(sql)).map(([id]) => id)
      expect(ids).toEqual(relation === masked ? ['call-3', 'call-2'] : ['call-5', 'call-3'])
    }
  })

  test('every statement restricts to its project', () => {
    expect(sqlOf(eq(literal(1), literal(1))).values).toContain(projectId)
    expect(() =>
      compileRows({ relation: files, projectId: '', where: { kind: 'all', items: [] }, columns: ['id'] }),
    ).toThrow()
    const keyless: Relation = { ...files, key: ['id', 'id'] }
    expect(() => sqlOf(eq(literal(1), literal(1)), keyless)).toThrow()
  })
})

test('hostile strings never appear in the SQL', async () => {
  const hostile = [
    `'; DROP TABLE calls; --`,
    `" OR 1=1 --`,
    '$1',
    '$$x$$',
    '\\',
    '\u0000',
    '\u202e',
    "'||(SELECT 1)||'",
    '%',
    '🙂',
    '/*',
    '}}{{',
  ]
  const { calls: relation, feedback } = fixture
  for (const text of hostile) {
    const path = text.replaceAll('.', '\\.')
    const paths = [`inputs.${path}`, `inputs.a.${path}.b`, `feedback.[${text.replaceAll(']', '')}].payload.${path}`]
    for (const field of paths) {
      for (const operation of [
        is(field, '$eq', text),
        { $in: [get(field), [literal(text), literal(1)]] },
        contains(get(field), text, true),
        eq(size(get(field)), literal(text.length)),
        eq(literal(text), literal(text)),
      ]) {
        const where = readQuery({ $expr: operation }, callsCatalog)
        const sort = parseSort([{ field, direction: 'desc' }], callsOrder)
        const sql = compileRows({ relation, projectId, where, columns: ['id'], feedback, sort, limit: 5 })
        if (text.length > 2) expect(sql.text).not.toContain(text)
        await fixture.rows(sql)
      }
    }
  }
  expect(await fixture.rows({ text: 'SELECT count(*) FROM calls', values: [] })).toEqual([[6n]])
})
