import { expect, test } from 'bun:test'
import { always } from '../../expression.ts'
import { compileClickHouseCount } from './statements.ts'

const files = 'https://bucket.example.com/traces/tables/calls/{a.parquet,b.parquet}'

const count = (store: Parameters<typeof compileClickHouseCount>[0]['files']['store']) =>
  compileClickHouseCount({
    plan: { projectId: 'acme/support' },
    where: always,
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
