import { expect, test } from 'bun:test'
import { DatasetFiles } from '../support/datasets.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const fresh = () => new DatasetFiles(freshProject(server))

test('an inspection guesses types and says why', async () => {
  const data = fresh()
  const header = 'zip;big;price;n;ok;doc;chat;note;none'
  const messages = '"[{""role"":""user"",""content"":""hi""}]"'
  const lines = [`007;12345678901234567890;1.50;1;true;"{""a"":1}";${messages};x;`, `1;2;2e3;;false;[1];${messages};7;`]
  const { json } = await data.inspect(`${header}\n${lines.join('\n')}\n`)
  expect(json).toMatchObject({
    format: 'csv',
    encoding: 'utf-8',
    byte_order_mark: false,
    delimiter: ';',
    quote: '"',
    header: true,
    rows_read: 2,
    is_whole: true,
    faults: [],
    fault_count: 0,
  })
  expect(json.columns.map(({ name, type, why, empty_count }) => [name, type, why, empty_count])).toEqual([
    ['zip', 'text', 'Line 2 has “007”, whose zeros a number would lose.', 0],
    ['big', 'text', 'Line 2 has “12345678901234567890”, which has more digits than numbers keep.', 0],
    ['price', 'number', 'All 2 values of the sample are a number that keeps its spelling.', 0],
    ['n', 'number', 'The only value of the sample is a number that keeps its spelling.', 1],
    ['ok', 'boolean', 'All 2 values of the sample are true or false.', 0],
    ['doc', 'json', 'All 2 values of the sample are a JSON object or array.', 0],
    ['chat', 'messages', 'All 2 values of the sample are a list of messages.', 0],
    ['note', 'text', 'Line 2 has “x”, which is not a number.', 0],
    ['none', 'text', 'All cells of the sample are empty.', 2],
  ])
  expect(json.rows.map(({ line, values }) => [line, values.slice(0, 3), values.at(-1)])).toEqual([
    [2, ['007', '12345678901234567890', '1.50'], null],
    [3, ['1', '2', '2e3'], null],
  ])
  expect(await data.versions()).toBe(0)
})

test('an inspection lists faults, and shows the first seven rows', async () => {
  const data = fresh()
  const lines = Array.from({ length: 20 }, (_, at) => (at === 3 ? '1' : `${at},x`))
  const { json } = await data.inspect(`\ufeffa,b\r\n${lines.join('\r\n')}\r\n`)
  expect([json.byte_order_mark, json.rows_read, json.rows.length]).toEqual([true, 19, 7])
  expect(json.faults).toEqual([{ line: 5, column: null, value: '1', reason: 'the line has 1 cells instead of 2' }])
})

test('an inspection reads the beginning of a file only', async () => {
  const data = fresh()
  const line = `${'x'.repeat(99)}\n`
  const { json } = await data.inspect(`a\n${line.repeat(100_000)}`)
  expect(json.is_whole).toBe(false)
  expect(json.rows_read).toBeGreaterThan(50_000)
  expect(json.rows_read).toBeLessThan(100_000)
  expect(json.fault_count).toBe(0)
})

test('an inspection of JSON Lines has the members of all rows', async () => {
  const data = fresh()
  const { json } = await data.inspect('{"a":1,"b":"2"}\n{"a":null,"c":[1]}\n', {}, 'rows.jsonl')
  expect(json).toMatchObject({ format: 'jsonl', delimiter: null, header: null, rows_read: 2 })
  expect(json.columns.map(({ name, type, empty_count }) => [name, type, empty_count])).toEqual([
    ['a', 'number', 1],
    ['b', 'text', 1],
    ['c', 'json', 1],
  ])
  expect(json.rows[1]?.values).toEqual(['null', null, '[1]'])
})

test('an inspection tells the format by the beginning', async () => {
  const data = fresh()
  const formatOf = async (content: string, name: string) => (await data.inspect(content, {}, name)).json.format
  expect(await formatOf('{"a":1}\n', 'x')).toBe('jsonl')
  expect(await formatOf('a,b\n', 'x')).toBe('csv')
  expect(await formatOf('PAR1', 'x.csv')).toBe('parquet')
})
