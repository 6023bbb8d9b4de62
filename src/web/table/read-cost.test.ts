import { expect, test } from 'bun:test'
import { tableText } from '../text/table.ts'
import { readCostOf } from './read-cost.ts'

const amounts = 'total;dur=14.2, files;desc="3 of 77", groups;desc="at most 12", bytes;desc="at most 4096"'
const of = (timing: string) => readCostOf(new Headers({ 'server-timing': timing }))

test('the cost of a page is what the server says of it', () => {
  expect(of(amounts)).toEqual({ files: '3 of 77', groups: 'at most 12', bytes: 'at most 4096', searched: undefined })
  expect(of('total;dur=14.2')).toBeUndefined()
  expect(readCostOf(new Headers())).toBeUndefined()
})

test.each([
  ['clickhouse', 'much is to be searched', ' · 250ms in ClickHouse: much is to be searched'],
  ['duckdb', 'little is to be searched', ' · in DuckDB: little is to be searched'],
])('the words about a search in %s name the engine and the reason', (engine, reason, words) => {
  const cost = of(`${amounts}, engine;dur=250.0;desc="${engine}", searched;desc="9", reason;desc="${reason}"`)
  expect(cost?.searched).toEqual({ engine, ms: 250, reason })
  expect(tableText.searched(engine, '250ms', reason)).toBe(words)
})
