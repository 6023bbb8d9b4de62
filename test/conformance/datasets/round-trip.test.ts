import { expect, test } from 'bun:test'
import { Random, seedOr } from '../../store/random.ts'
import { DatasetFiles } from '../support/datasets.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const seed = seedOr(Math.floor(Math.random() * 2 ** 31))

const texts = [
  '',
  ' ',
  '007',
  '1.0',
  'true',
  'null',
  '=1+1',
  '"',
  '""',
  'a,b',
  'x\r\ny',
  '\t',
  '\ufeff',
  '\0',
  'é',
  'שלום',
  '😀',
  "'",
  '{}',
  '[1]',
  '{"a":1}',
]
const numbers = [
  '0',
  '-0.0',
  '1',
  '1.0',
  '2.50',
  '-7',
  '1e5',
  '1E-7',
  '0.1',
  '12345678901234567890123',
  '9223372036854775808',
  '1e+22',
]
const nested = [
  '{}',
  '[]',
  '{"a":[1.0,null,"x"]}',
  '[{"role":"user","content":"hi"}]',
  '[[["\\""]]]',
  '{"1":2,"0":-0.0}',
]
const names = ['a', 'b"c', 'd,e', '1', 'line\nend', 'שם', '😀', '__proto__', ' space ', "it's"]

/** JSON texts of rows whose columns are of one kind, of several, or missing in some rows. */
function randomRows(random: Random): string[] {
  const columns = names
    .filter(() => random.chance(0.6))
    .map((name) => {
      const kind = random.pick(['text', 'integer', 'number', 'boolean', 'json', 'any'] as const)
      return { name, kind, nulls: random.chance(0.4), gaps: random.chance(0.3) }
    })
  const jsonOf = (kind: string): string => {
    switch (kind === 'any' ? random.pick(['text', 'number', 'boolean', 'json']) : kind) {
      case 'text':
        return JSON.stringify(random.pick(texts))
      case 'integer':
        return String(random.below(1000) - 500)
      case 'number':
        return random.pick(numbers)
      case 'boolean':
        return String(random.chance(0.5))
      default:
        return random.pick(nested)
    }
  }
  return Array.from({ length: 1 + random.below(12) }, () => {
    const members = columns
      .filter(({ gaps }) => !gaps || random.chance(0.6))
      .map(({ name, kind, nulls }) => {
        const value = nulls && random.chance(0.3) ? 'null' : jsonOf(kind)
        return `${JSON.stringify(name)}:${value}`
      })
    return `{${members.join(',')}}`
  })
}

test(`an import of an export has the same rows (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const random = new Random(seed)
  for (let round = 0; round < 10; round++) {
    const data = new DatasetFiles(freshProject(server))
    const rows = randomRows(random)
    const first = await data.import(`${rows.join('\n')}\n`, { format: 'jsonl' })
    const digests = await data.rowDigests(first.digest)
    expect(await data.rows(first.digest)).toEqual(rows)
    const { columns } = await data.columns(first.digest)
    for (const format of ['jsonl', 'csv', 'parquet']) {
      if (columns.length === 0 && format !== 'jsonl') continue
      const file = await data.export(first.digest, format)
      const choices = columns.map(({ name, type, empty }, source) => ({ source, name, type, empty }))
      const options = format === 'csv' ? { format, header: true, delimiter: ',', columns: choices } : { format }
      const again = await data.import(file, { ...options, name: format })
      expect([format, (await data.rows(again.digest, format)).map(sorted)]).toEqual([format, rows.map(sorted)])
      expect([format, await data.rowDigests(again.digest, format)]).toEqual([format, digests])
      expect((await data.rows(again.digest, format)).map(sorted)).toEqual(rows.map(sorted))
    }
  }
}, 120_000)

/** Values in the order of their names: columns of files are in one order for all rows. */
const sorted = (row: string): unknown => JSON.stringify(Object.entries(JSON.parse(row)).sort())
