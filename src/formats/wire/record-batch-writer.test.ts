import { expect, test } from 'bun:test'
import { Schema, tableFromIPC } from 'apache-arrow'
import type { Cell, ColumnType } from '../../lib/table.ts'
import { arrowField } from './arrow-columns.ts'
import { encodeArrow, endOfStream, schemaMessage } from './arrow-stream.ts'
import { RecordBatchWriter } from './record-batch-writer.ts'

/** The values of one column after a round trip through an Arrow stream. */
function throughArrow(type: ColumnType, cells: readonly (Cell | undefined)[]): unknown[] {
  const schema = new Schema([arrowField({ name: 'c', type })])
  const message = new RecordBatchWriter([type]).write(cells.length, [(row) => cells[row]])
  const table = tableFromIPC([schemaMessage(schema), message, endOfStream])
  return [...table.getChild('c')!]
}

test('texts with characters of one to four bytes, empty texts and nulls', () => {
  const texts = [
    '',
    'a',
    null,
    'ä',
    '€',
    '\u{1f600}',
    '\u0000',
    'x'.repeat(10_000),
    undefined,
    '\u{1f600}'.repeat(5000),
  ]
  expect(throughArrow('text', texts)).toEqual(texts.map((text) => text ?? null))
  expect(throughArrow('json', ['{"a":1.0}', null])).toEqual(['{"a":1.0}', null])
})

test('many non-ASCII texts outgrow the first buffer', () => {
  const texts = Array.from({ length: 3000 }, (_, i) => '€'.repeat(i % 50))
  expect(throughArrow('text', texts)).toEqual(texts)
})

test('integers within 2^53 and nulls', () => {
  const numbers = [0, 1, -1, null, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, -(2 ** 53) + 1]
  expect(throughArrow('integer', numbers)).toEqual(numbers.map((value) => (value === null ? null : BigInt(value))))
})

test('times are microseconds in UTC', () => {
  expect(throughArrow('time', [0, 1_714_521_600_123_456, -1000, null])).toEqual([0, 1_714_521_600_123.456, -1, null])
})

test('lists of texts, empty ones and nulls', () => {
  const lists = [['a', ''], [], null, ['ä', '\u{1f600}', 'b']]
  const read = throughArrow('texts', lists).map((list) => (list === null ? null : [...(list as Iterable<string>)]))
  expect(read).toEqual(lists)
})

test('all-null columns, and lengths around a byte of the validity bitmap', () => {
  for (const type of ['text', 'integer', 'time', 'texts'] as const) {
    for (let length = 1; length < 20; length++) {
      expect(throughArrow(type, new Array(length).fill(null))).toEqual(new Array(length).fill(null))
    }
  }
})

test('a stream has one schema and a batch per chunk, even without rows', async () => {
  async function* chunks() {
    yield [
      ['a', 'b'],
      [1, null],
    ]
    yield [['c'], [3]]
  }
  async function* none(): AsyncGenerator<Cell[][]> {}
  const columns = [
    { name: 't', type: 'text' },
    { name: 'n', type: 'integer' },
  ] as const
  const table = tableFromIPC(await Array.fromAsync(encodeArrow(columns, chunks())))
  expect(table.batches).toHaveLength(2)
  expect(table.toArray().map((row) => row.toJSON())).toEqual([
    { t: 'a', n: 1n },
    { t: 'b', n: null },
    { t: 'c', n: 3n },
  ])
  const empty = tableFromIPC(await Array.fromAsync(encodeArrow(columns, none())))
  expect(empty.numRows).toBe(0)
  expect(empty.schema.fields.map(({ name }) => name)).toEqual(['t', 'n'])
})
