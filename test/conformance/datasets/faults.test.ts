import { afterAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { DatasetFiles, type FileContent } from '../support/datasets.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const server = await sharedServer()
const folder = await makeTempFolder()
afterAll(() => removeFolder(folder))

let files = 0
/** The bytes of a Parquet file with the rows of a statement. */
async function parquet(select: string): Promise<Uint8Array> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const path = join(folder, `${files++}.parquet`)
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`)
  connection.closeSync()
  instance.closeSync()
  return new Uint8Array(await readFile(path))
}

const bytes = (...values: number[]) => new Uint8Array(values)
const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const whole = await parquet('SELECT range AS a, repeat(range::VARCHAR, 20) AS b FROM range(5000)')
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const wide = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(',')
const number = (name = 'a') => ({ columns: [{ source: name, type: 'number' }] })

/** What is imported, how, and a word of the reason with the line of the first fault. */
const refused: [what: string, content: FileContent, options: object, word: string, line: number][] = [
  ['an empty file', '', {}, 'empty', 0],
  ['a short line', 'a,b\n1,2\n3\n', {}, '1 cells instead of 2', 3],
  ['a long line', 'a,b\n1,2,3\n', {}, '3 cells instead of 2', 2],
  ['a short line after a cell of several lines', 'a,b\n"1\n2\r\n3",4\n5\n', {}, '1 cells', 5],
  ['an empty line in between', 'a,b\n1,2\n\n3,4\n', {}, 'the line is empty', 3],
  ['ragged lines that end in CR', 'a,b\r1,2\r3\r', {}, '1 cells', 3],
  ['a quote that is never closed', 'a,b\n1,"x\n2,y\n', {}, 'never closed', 2],
  ['a quote that the next one closes', 'a,b\n1,x\n2,"y\n3,"z"\n4,w\n', {}, 'later line', 3],
  ['text after a closing quote', 'a,b\n"x"y,1\n', {}, 'closing quote', 2],
  ['a quote in a bare cell', 'a,b\n5" pipe,1\n', {}, 'quote inside', 2],
  ['two columns of one name', 'a,b,a\n1,2,3\n', { header: true }, 'two columns', 1],
  ['a column without a name', 'a,,c\n1,2,3\n', { header: true }, 'no name', 1],
  ['two columns renamed alike', 'a,b\n1,2\n', { columns: [{ source: 'a', name: 'b' }] }, 'two columns', 1],
  ['bytes that are not UTF-8', latin('a,b\nx,\u00e9\n'), {}, 'not UTF-8', 2],
  ['a character cut off at the end', bytes(97, 10, 0xc3), {}, 'not UTF-8', 2],
  ['UTF-16 of odd length', bytes(0xff, 0xfe, 97, 0, 10), {}, 'not UTF-16LE', 1],
  ['007 as a number', 'a\n1\n007\n', number(), 'starts with 0', 3],
  ['a text as a number', 'a\n12O0.00\n', number(), 'not a number', 2],
  ['a number with a space', 'a\n" 1"\n', number(), 'not a number', 2],
  ['a number with a separator', 'a\n"1,000"\n', { ...number(), delimiter: ',' }, 'not a number', 2],
  ['a number with a plus', 'a\n+1\n', number(), 'not a number', 2],
  ['a hexadecimal number', 'a\n0x10\n', number(), 'not a number', 2],
  ['1e400 as a number', 'a\n1e400\n', number(), 'outside the range', 2],
  ['NaN as a number', 'a\nNaN\n', number(), 'not a number', 2],
  ['yes as a boolean', 'a\nyes\n', { columns: [{ source: 'a', type: 'boolean' }] }, 'neither true nor false', 2],
  ['TRUE as a boolean', 'a\nTRUE\n', { columns: [{ source: 'a', type: 'boolean' }] }, 'neither true nor false', 2],
  ['broken JSON in a cell', 'a\n"{""x"":"\n', { columns: [{ source: 'a', type: 'json' }] }, 'not JSON', 2],
  [
    'JSON of depth 250 in a cell',
    `a\n"${'['.repeat(250)}${']'.repeat(250)}"\n`,
    { columns: [{ source: 'a', type: 'json' }] },
    'nested deeper',
    2,
  ],
  ['JSON with 1e400 in a cell', 'a\n"[1e400]"\n', { columns: [{ source: 'a', type: 'json' }] }, 'range of numbers', 2],
  ['a list of texts as messages', 'a\n"[""x""]"\n', { columns: [{ source: 'a', type: 'messages' }] }, 'messages', 2],
  [
    'messages without a role',
    'a\n"[{""content"":1}]"\n',
    { columns: [{ source: 'a', type: 'messages' }] },
    'messages',
    2,
  ],
  ['10,001 columns', `${wide(10_001)}\n`, {}, 'at most 10000', 1],
  ['a line of 17 million characters', `a,b\n${'x'.repeat(17 << 20)},1\n`, {}, 'longer than', 2],
  ['JSON Lines with a broken line', '{"a":1}\n{"a":\n', { format: 'jsonl' }, 'not JSON', 2],
  ['JSON Lines with an array', '[1]\n', { format: 'jsonl' }, 'not a JSON object', 1],
  ['JSON Lines with a number', '1\n', { format: 'jsonl' }, 'not a JSON object', 1],
  ['JSON Lines with a text', '"x"\n', { format: 'jsonl' }, 'not a JSON object', 1],
  ['JSON Lines with null', 'null\n', { format: 'jsonl' }, 'not a JSON object', 1],
  ['JSON Lines with two objects on a line', '{"a":1}{"a":2}\n', { format: 'jsonl' }, 'not JSON', 1],
  ['JSON Lines with a comma at the end', '{"a":1},\n', { format: 'jsonl' }, 'not JSON', 1],
  ['JSON Lines of depth 201', `${deep(201)}\n`, { format: 'jsonl' }, 'nested deeper', 1],
  ['JSON Lines of depth 100,000', `${deep(100_000)}\n`, { format: 'jsonl' }, 'nested deeper', 1],
  ['JSON Lines with a key twice', '{"a":1,"a":2}\n', { format: 'jsonl' }, 'there twice', 1],
  ['JSON Lines with a key twice inside', '{"x":[{"a":1,"b":":","a":2}]}\n', { format: 'jsonl' }, 'there twice', 1],
  ['JSON Lines with an escaped key twice', '{"a":1,"\\u0061":2}\n', { format: 'jsonl' }, 'there twice', 1],
  ['JSON Lines with 1e400', '{"a":1e400}\n', { format: 'jsonl' }, 'range of numbers', 1],
  ['JSON Lines with NaN', '{"a":NaN}\n', { format: 'jsonl' }, 'not JSON', 1],
  ['JSON Lines with a member that is no number', '{"a":"x"}\n', { format: 'jsonl', ...number() }, 'not a number', 1],
  [
    'JSON Lines with two members renamed alike',
    '{"a":1,"b":2}\n',
    { format: 'jsonl', columns: [{ source: 'a', name: 'b' }] },
    'two members',
    1,
  ],
  ['JSON Lines that are not UTF-8', latin('{"a":"\u00e9"}\n'), { format: 'jsonl' }, 'not UTF-8', 1],
  ['Parquet that is text', 'PAR1 but not really', { format: 'parquet' }, 'not Parquet', 0],
  ['Parquet without its end', whole.slice(0, whole.length - 100), { format: 'parquet' }, 'truncated', 0],
  ['Parquet without its beginning', whole.slice(500), { format: 'parquet' }, 'damaged', 1],
  ['Parquet of no bytes', '', { format: 'parquet' }, 'not Parquet', 0],
  ['Parquet with NaN', await parquet("SELECT 'nan'::DOUBLE AS a"), { format: 'parquet' }, 'not a finite number', 1],
  ['Parquet with NaN inside', await parquet("SELECT ['inf'::DOUBLE] AS a"), { format: 'parquet' }, 'not JSON', 1],
  [
    'Parquet with a text as a number',
    await parquet("SELECT 'x' AS a"),
    { format: 'parquet', ...number() },
    'not a number',
    1,
  ],
]

test.each(refused)(
  '%s is refused with its place, and nothing is written',
  async (_what, content, options, word, line) => {
    const data = new DatasetFiles(freshProject(server))
    const answer = await data.ask(content, options, 'rows')
    expect(`${answer.status} ${answer.text.slice(0, 1000)}`).toStartWith('422 ')
    expect(answer.json.error_type).toBe('InvalidRows')
    expect(answer.json.faults?.[0]?.reason).toContain(word)
    expect(answer.json.faults?.[0]?.line).toBe(line)
    expect(answer.json.reason).toStartWith('Nothing was written: ')
    expect(await data.versions()).toBe(0)
  },
)

/** What is accepted: the rows that it becomes. */
const accepted: [what: string, content: FileContent, options: object, rows: string[]][] = [
  ['a leading =', 'a\n"=HYPERLINK(""x"")"\n', {}, ['{"a":"=HYPERLINK(\\"x\\")"}']],
  ['a NUL in a cell', 'a\nx\0y\n', {}, ['{"a":"x\\u0000y"}']],
  ['quotes, line ends and tabs in a cell', 'a,b\n"x\r\n""\ty",z\n', {}, ['{"a":"x\\r\\n\\"\\ty","b":"z"}']],
  ['a name that is `__proto__`', '__proto__,a\nx,y\n', {}, ['{"__proto__":"x","a":"y"}']],
  ['names that are numbers', '2,1\nx,y\n', { header: true }, ['{"2":"x","1":"y"}']],
  [
    'names of 128 characters with a slash, RTL and emoji',
    `${'x'.repeat(128)},a/b,שלום,😀\n1,2,3,4\n`,
    {},
    [`{"${'x'.repeat(128)}":1,"a/b":2,"שלום":3,"😀":4}`],
  ],
  ['HTML', 'a\n<script>alert(1)</script>\n', {}, ['{"a":"<script>alert(1)</script>"}']],
  ['no header', '1,x\n2,y\n', {}, ['{"column_1":1,"column_2":"x"}', '{"column_1":2,"column_2":"y"}']],
  ['a header alone', 'a,b\n', {}, []],
  ['no quotes', 'a\tb\n5"\t6\n', { quote: '', delimiter: '\t' }, ['{"a":"5\\"","b":6}']],
  ['23 digits as a number', 'a\n12345678901234567890123\n', number(), ['{"a":12345678901234567890123}']],
  ['-0.0 as a number', 'a\n-0.0\n', {}, ['{"a":-0.0}']],
  ['JSON Lines of depth 200', `${deep(200)}\n`, { format: 'jsonl' }, [deep(200)]],
  ['JSON Lines with a lone surrogate', '{"a":"\\ud800"}\n', { format: 'jsonl' }, ['{"a":"\ufffd"}']],
  [
    'Parquet with 2^63 and decimals',
    await parquet('SELECT 9223372036854775808::UBIGINT AS a, 1.10::DECIMAL(30,2) AS b'),
    {},
    ['{"a":9223372036854775808,"b":1.10}'],
  ],
  [
    'Parquet with nested values',
    await parquet(
      "SELECT {'x': [1.0::DOUBLE, NULL], 'd': 0.10::DECIMAL(4,2)} AS a, MAP{'k': 2} AS b, DATE '2026-01-02' AS c, NULL::INTEGER AS d",
    ),
    {},
    ['{"a":{"x":[1.0,null],"d":0.10},"b":{"k":2},"c":"2026-01-02","d":null}'],
  ],
]

describe('is kept to the letter', () => {
  test.each(accepted)('%s', async (_what, content, options, rows) => {
    const data = new DatasetFiles(freshProject(server))
    const made = await data.import(content, options, 'rows')
    expect(await data.rows(made.digest)).toEqual(rows)
  })

  test('a cell of 10 MB, and 2,000 columns', async () => {
    const data = new DatasetFiles(freshProject(server))
    const large = await data.import(`a,b\n"${'é'.repeat(5 << 20)}",1\n`, number('b'))
    expect((await data.rows(large.digest))[0]).toHaveLength((5 << 20) + '{"a":"","b":1}'.length)
    const many = await data.import(`${wide(2000)}\n${Array.from({ length: 2000 }, (_, at) => at).join(',')}\n`)
    expect(Object.keys(JSON.parse((await data.rows(many.digest))[0]!))).toHaveLength(2000)
  })
})

test('the first 100 faults are listed and all are counted', async () => {
  const data = new DatasetFiles(freshProject(server))
  const lines = Array.from({ length: 5000 }, (_, at) => (at % 2 === 0 ? 'x' : '1'))
  const answer = await data.ask(`a\n${lines.join('\n')}\n`, number())
  expect(answer.json.fault_count).toBe(2500)
  expect(answer.json.faults).toHaveLength(100)
  expect(answer.json.faults?.[99]).toEqual({ line: 200, column: 'a', value: 'x', reason: 'it is not a number' })
})

test('a choice of a column that is not there is an invalid request', async () => {
  const data = new DatasetFiles(freshProject(server))
  const answer = await data.ask('a,b\n1,2\n', number('c'))
  expect([answer.status, answer.json.reason]).toEqual([400, 'Unknown column "c" in `columns`: the file has "a", "b"'])
})
