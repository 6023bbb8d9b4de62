import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { rawNumber } from '../lib/json-value.ts'
import type { Relation } from '../lib/relation.ts'
import { toBindings } from '../runtime/duck/parameters.ts'
import { ascendingBy, type SortRules } from './sort.ts'
import { compileTableQuery } from './sql/table-statements.ts'
import { tableCatalog } from './table-catalog.ts'
import { planTable } from './table-plan.ts'

const rules: SortRules = {
  catalog: tableCatalog({
    columns: [
      { name: 'id', type: 'text' },
      { name: 'kind', type: 'text' },
      { name: 'amount', type: 'number' },
      { name: 'at', type: 'time' },
      { name: 'tags', type: 'texts' },
      { name: 'payload', type: 'json' },
    ],
    namesOf: (name) => [name, `vendor_${name}`],
    spellings: new Map([['kind', { of: 'feedbackType', prefix: 'wandb' }]]),
  }),
  otherwise: [],
  tieBreaker: ascendingBy('id'),
}

const relation: Relation = {
  branches: [
    { source: { kind: 'table', name: 'old' }, masks: ['mask'] },
    { source: { kind: 'table', name: 'memtable' }, masks: [] },
  ],
  key: ['project_id', 'id'],
  presenceColumn: 'kind',
}

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

beforeAll(async () => {
  const columns =
    'project_id VARCHAR, id VARCHAR, kind VARCHAR, amount DOUBLE, "at" TIMESTAMPTZ, tags VARCHAR[], payload VARCHAR'
  await connection.run(
    `
    SET TimeZone = 'UTC';
    CREATE TABLE old (${columns}); CREATE TABLE memtable (${columns});
    CREATE TABLE mask (project_id VARCHAR, id VARCHAR);
    INSERT INTO old VALUES
      ('p', 'a', 'ext.note.1', 1.5, '2024-01-01', ['t', 'U'], ` +
      `'{"n":5,"s":"five","w":"fiver","m":3,"whole":7.0,"big":1234567890123456789,"b":true,"o":{"k":1},"l":[1,2],"z":null,"d.ot":1}'),
      ('p', 'b', 'y', NULL, '2024-02-01', NULL, '{"n":"5","s":"","w":"high-five, ` +
      `twenty5","m":"inf","whole":"7.0","big":"1234567890123456790"}'),
      ('p', 'hidden', 'x', 1, '2024-01-01', NULL, '{}'),
      ('p', 'unseen', NULL, 1, '2024-01-01', NULL, '{}'),
      ('q', 'other', 'x', 1, '2024-01-01', NULL, '{"n":5}');
    INSERT INTO memtable VALUES ('p', 'c', 'ext.note.1', 10, '2024-03-01', ['v'], ` +
      `'{"n":5.5,"b":false,"l":[],"w":"Five","m":"a","big":1.5e30}');
    INSERT INTO mask VALUES ('p', 'hidden')`,
  )
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

async function select(names: string[], question: Record<string, unknown>): Promise<unknown[][]> {
  const plan = planTable('p', names, question, rules)
  const sql = compileTableQuery(plan, relation)
  const { values, types } = toBindings(sql.values)
  return (await connection.runAndReadAll(sql.text, values, types)).getRows()
}

const ids = async (question: Record<string, unknown>) => (await select(['id'], question)).map(([id]) => id)
const field = (name: string) => ({ $getField: name })
/** As the body parser returns it: an integer that a double cannot represent keeps its digits. */
const literal = (value: unknown) => ({ $literal: typeof value === 'bigint' ? rawNumber(String(value)) : value })
const pair = (operator: string, name: string, value: unknown) => ({ [operator]: [field(name), literal(value)] })
const convert = (name: string, to: string) => ({ $convert: { input: field(name), to } })

describe('rows', () => {
  test('are the visible ones of one project, from all layers', async () => {
    expect(await ids({})).toEqual(['a', 'b', 'c'])
  })

  test('give values inside JSON as JSON', async () => {
    expect(await select(['payload.n', 'payload.o', 'payload.d\\.ot'], { limit: 1 })).toEqual([['5', '{"k":1}', '1']])
  })

  test.each([
    ['numbers before text', 'payload.n', 'asc', ['a', 'b', 'c']],
    ['descending', 'amount', 'desc', ['c', 'a', 'b']],
    ['text', 'payload.s', 'desc', ['a', 'b', 'c']],
    ['texts that some programs parse as numbers', 'payload.m', 'asc', ['a', 'c', 'b']],
    ['the vendor’s dialect', 'vendor_at', 'desc', ['c', 'b', 'a']],
  ])('sort: %s', async (_what, name, direction, expected) => {
    expect(await ids({ sort_by: [{ field: name, direction }] })).toEqual(expected)
  })
})

const nothing: string[] = []
const cases: [string, unknown, string[]][] = [
  ['a number equals the text of the number', pair('$eq', 'payload.n', 5), ['a', 'b']],
  ['numbers compare as numbers', pair('$gt', 'payload.n', 5), ['c']],
  ['text compares as text', pair('$eq', 'payload.n', '5'), ['a', 'b']],
  ['the text of a whole number has no .0', pair('$eq', 'payload.whole', '7'), ['a']],
  ['a text keeps its .0', pair('$eq', 'payload.whole', '7.0'), ['b']],
  ['a number written with .0', pair('$eq', 'payload.whole', 7), ['a', 'b']],
  ['true is true', pair('$eq', 'payload.b', true), ['a']],
  ['null is missing or JSON null, not ""', pair('$eq', 'payload.s', null), ['c']],
  ['JSON null', pair('$eq', 'payload.z', null), ['a', 'b', 'c']],
  ['null of a column', pair('$eq', 'amount', null), ['b']],
  ['null is not comparable', pair('$gt', 'payload.n', null), nothing],
  ['not of unknown is unknown', { $not: [pair('$gt', 'amount', 5)] }, ['a']],
  ['a number column and a numeric text', pair('$eq', 'amount', '1.5'), ['a']],
  ['a number column and a non-numeric text', pair('$eq', 'amount', 'abc'), nothing],
  ['a time and a date', pair('$gte', 'at', '2024-02-01'), ['b', 'c']],
  ['a time and unix seconds', pair('$lt', 'at', Date.parse('2024-02-01') / 1000), ['a']],
  ['spellings', pair('$eq', 'kind', 'ext.note.1'), ['a', 'c']],
  ['the name on the wire', pair('$eq', 'kind', 'wandb.note.1'), ['a', 'c']],
  ['sorting by the name on the wire', pair('$gt', 'kind', 'wandb'), ['a', 'b', 'c']],
  ['both dialects in $in', { $in: [field('kind'), [literal('wandb.note.1'), literal('y')]] }, ['a', 'b', 'c']],
  ['$in with null', { $in: [field('amount'), [literal(10), literal(null)]] }, ['b', 'c']],
  ['two literals', { $eq: [literal(1), literal(1)] }, ['a', 'b', 'c']],
  ['an operation as operand', { $eq: [pair('$gt', 'amount', 1), literal(true)] }, ['a', 'c']],
  ['$in of texts, numbers and null', { $in: [field('payload.n'), ['5', 5.5, null].map(literal)] }, ['a', 'b', 'c']],
  ['$in without the value', { $in: [field('payload.s'), ['four', 'x'].map(literal)] }, nothing],
  [
    'not $in is unknown where the value is missing',
    { $not: [{ $in: [field('payload.s'), [literal('x')]] }] },
    ['a', 'b'],
  ],
  ['a long integer is compared exactly', pair('$eq', 'payload.big', 1234567890123456789n), ['a']],
  ['the literal first', { $lt: [literal(1234567890123456788n), field('payload.big')] }, ['a', 'b', 'c']],
  ['a long integer and larger ones', pair('$gt', 'payload.big', 1234567890123456789n), ['b', 'c']],
  ['$in of long integers', { $in: [field('payload.big'), [literal(1234567890123456790n)]] }, ['b']],
  ['a long integer and a column', pair('$lt', 'amount', 1234567890123456789n), ['a', 'c']],
  ['$contains in a list', { $contains: { input: field('tags'), substr: literal('t') } }, ['a']],
  [
    '$contains in a list in any case',
    { $contains: { input: field('tags'), substr: literal('u'), case_insensitive: true } },
    ['a'],
  ],
  [
    '$contains "" matches everything, missing values too',
    { $contains: { input: field('payload.s'), substr: literal('') } },
    ['a', 'b', 'c'],
  ],
  ['$containsToken', { $containsToken: { input: field('payload.w'), substr: literal('five') } }, ['b']],
  [
    '$containsToken in any case',
    { $containsToken: { input: field('payload.w'), substr: literal('FIVE'), case_insensitive: true } },
    ['b', 'c'],
  ],
  ['$containsToken in a list', { $containsToken: { input: field('tags'), substr: literal('t') } }, ['a']],
  [
    '$contains in a number, which is unknown',
    { $not: [{ $contains: { input: field('amount'), substr: literal('1') } }] },
    nothing,
  ],
  ['$contains in an object’s text', { $contains: { input: field('payload.o'), substr: literal('k') } }, ['a']],
  ['$size of a list', { $eq: [{ $size: field('payload.l') }, literal(2)] }, ['a']],
  ['$size of an object', { $eq: [{ $size: field('payload.o') }, literal(1)] }, ['a']],
  ['$size of a text', { $eq: [{ $size: field('payload.s') }, literal(4)] }, ['a']],
  ['$size of a column of texts', { $gte: [{ $size: field('tags') }, literal(2)] }, ['a']],
  ['$convert int', { $eq: [convert('payload.n', 'int'), literal(5)] }, ['a', 'b']],
  ['$convert int of a non-numeric text', { $eq: [convert('payload.whole', 'int'), literal(7)] }, ['a']],
  ['$convert int beyond 64 bits', { $eq: [convert('payload.big', 'int'), literal(null)] }, ['c']],
  [
    '$convert double of a time',
    { $gte: [convert('at', 'double'), literal(Date.parse('2024-02-01') / 1000)] },
    ['b', 'c'],
  ],
  ['$convert string of a time', { $eq: [convert('at', 'string'), literal('2024-02-01T00:00:00Z')] }, ['b']],
  ['true equals 1 when compared with a number', { $eq: [convert('payload.b', 'bool'), literal(1)] }, ['a']],
  [
    'a number compared with a numeric text',
    { $contains: { input: field('payload.n'), substr: literal(5) } },
    ['a', 'b', 'c'],
  ],
  [
    'a long number in a text',
    { $contains: { input: field('payload.big'), substr: literal(1234567890123456790n) } },
    ['b'],
  ],
  ['two values inside JSON, as numbers', { $gt: [field('payload.big'), field('payload.n')] }, ['a', 'c']],
  ['two values inside JSON, as texts', { $lt: [field('payload.s'), field('payload.w')] }, ['a', 'b']],
  ['$convert double', { $gt: [convert('payload.n', 'double'), literal(5.2)] }, ['c']],
  ['$convert bool', { $eq: [convert('payload.b', 'bool'), literal(false)] }, ['c']],
  ['$convert exists', { $eq: [convert('payload.s', 'exists'), literal(false)] }, ['c']],
  ['$convert string', { $eq: [convert('payload.l', 'string'), literal('[1,2]')] }, ['a']],
  ['SQL injection in a text', pair('$eq', `payload.a'b"c`, `'; DROP TABLE memtable; --`), nothing],
]

describe('conditions', () => {
  test.each(cases)('%s', async (_what, expression, expected) => {
    expect(await ids({ query: { $expr: expression } })).toEqual(expected)
  })
})
