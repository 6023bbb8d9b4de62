import { expect, test } from 'bun:test'
import { callsCatalog } from '../../../engine/tables/calls-query.ts'
import { always, type Expression } from '../../expression.ts'
import { rewrite } from '../../rewrite/rewrite.ts'
import { readQuery } from '../../table-plan.ts'
import { compileClickHouseCount } from './statements.ts'

const files = 'https://bucket.example.com/traces/tables/calls/{a.parquet,b.parquet}'

const count = (store: Parameters<typeof compileClickHouseCount>[0]['files']['store'], where: Expression = always) =>
  compileClickHouseCount({
    plan: { projectId: 'acme/support' },
    where,
    relation: { key: ['project_id', 'id'], presenceColumn: 'op_name' },
    files: { folder: 'https://bucket.example.com/traces/tables/calls', names: ['a.parquet', 'b.parquet'], store },
    hidden: [],
  })

test('files of a lake are read from its store, with keys that the statement does not show', () => {
  const { text, parameters } = count({ keys: { id: 'the key', secret: 'the secret' } })
  expect(text).toContain(`FROM s3('${files}', {p2:String}, {p3:String}, 'Parquet'`)
  expect(text).not.toContain('the ')
  expect(parameters.map((each) => each.text)).toEqual(['acme/support', 'the key', 'the secret'])
})

test('without keys, ClickHouse uses its own', () => {
  const { text } = count({ keys: undefined })
  expect(text).toContain(`FROM s3('${files}', 'Parquet'`)
})

test('JSON that only ClickHouse takes for invalid is doubtful, if the rest of the condition holds', () => {
  const isOk = { $eq: [{ $getField: 'output.text' }, { $literal: 'ok' }] }
  const isOp = { $eq: [{ $getField: 'op_name' }, { $literal: 'op' }] }
  const { text } = count(undefined, rewrite(readQuery({ $expr: { $and: [isOk, isOp] } }, callsCatalog)))
  const [counted = '', where = ''] = text.split(' WHERE ')
  expect(counted).toContain('NOT isValidJSON(ifNull("output"')
  expect(counted).not.toContain('"op_name" =')
  expect(where).toContain('"op_name" =')
})
