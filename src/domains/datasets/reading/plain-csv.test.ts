import { expect, test } from 'bun:test'
import { digestOfBytes, digestOfJson } from '../../../runtime/digest.ts'
import type { ColumnType } from '../model/datasets.ts'
import { anyRecordsOf, recordsOf } from './csv.ts'
import { Faults } from './faults.ts'
import type { SourceRecord } from './records.ts'
import { rowsOfColumns } from './rows.ts'
import type { TextFile } from './text-file.ts'

/** Numbers from 0 to 1 that are the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const dialect = { delimiter: ',', quote: '"' } as const

async function allOf(batches: AsyncGenerator<readonly SourceRecord[]>, faults: Faults) {
  const records: (readonly [number, readonly unknown[]])[] = []
  for await (const batch of batches) for (const { line, cells } of batch) records.push([line, [...cells]])
  return { records, faults: faults.members }
}

const cells = ['', 'a', '1', '""', '"a,b"', '"a""b"', '"a\nb"', '"a\r\nb"', '"a\rb"', 'é', '"', 'a"b', '"a"b', ' "a"']
const ends = ['\n', '\n', '\n', '\n', '\r\n', '\r\n', '\r', '\n\n']

/** A file of a few records: mostly plain ones. */
function fileOf(random: () => number): string {
  const pick = <T>(from: readonly T[], among: number): T => from[Math.floor(random() * among)] as T
  const oddity = random() < 0.6 ? 10 : cells.length
  let text = `x,y,z${pick(ends, 6)}`
  for (let row = Math.floor(random() * 12); row >= 0; row--) {
    const width = random() < 0.02 ? 2 : 3
    const end = row === 0 && random() < 0.5 ? '' : pick(ends, oddity === 10 ? 6 : ends.length)
    text += Array.from({ length: width }, () => pick(cells, oddity)).join(',') + end
  }
  return text
}

/** The text in pieces of a few characters. */
function fileIn(text: string, pieceChars: number, hasQuotedEmpty: boolean): TextFile {
  return {
    encoding: 'utf-8',
    hasMark: false,
    hasQuotedEmpty,
    end: text.length,
    isWhole: true,
    texts: async function* () {
      for (let at = 0; at < text.length; at += pieceChars) yield text.slice(at, at + pieceChars)
    },
  }
}

test('plain records are read as the parser reads them, in pieces of any size', async () => {
  const random = randomFrom(7)
  let plain = 0
  for (let count = 0; count < 2_000; count++) {
    const text = fileOf(random)
    const hasQuotedEmpty = text.includes('""') && random() < 0.5
    const file = fileIn(text, 1 + Math.floor(random() * 40), hasQuotedEmpty)
    const form = { skipFirst: random() < 0.8, width: 3 }
    const [inShort, inLong] = [new Faults(), new Faults()]
    const short = await allOf(recordsOf(file, dialect, form, inShort), inShort)
    const whole = { file, texts: file.texts() }
    const long = await allOf(anyRecordsOf(whole, dialect, { ...form, linesBefore: 0 }, inLong), inLong)
    expect([text, short]).toEqual([text, long])
    if (short.faults.fault_count === 0) plain++
  }
  expect(plain).toBeGreaterThan(500)
})

const numbers = ['0', '-0', '1', '-17', '1.0', '1.50', '0.001', '0.00001', '0.000100', '-0.0', '1e5', '1E-7', '1e400']
const more = ['12345678901234567890', '9007199254740993', '0.1234567890123456789', '100000.25', '007', '+1', '', '1.']
const texts = [
  '',
  'a',
  'é',
  '😀',
  '\u007f',
  'a"b\\c',
  'line\nbreak',
  '\u2028',
  '[1, 2.50]',
  '{"b":1,"a":[]}',
  'true',
  'false',
]
const refs = ['weave:///a/b/object/c:d', 'http://example.com']

test('rows that are printed directly are the rows, and have their digests', () => {
  const random = randomFrom(11)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const names = ['z', 'a', 'é', 'ﬀ', '😀', 'a b']
  let printed = 0
  for (let count = 0; count < 3_000; count++) {
    const types = names.map(() => pick<ColumnType>(['text', 'number', 'boolean', 'json', 'number', 'text']))
    const choices = names.map((name, at) => ({
      source: at,
      name,
      type: types[at] ?? 'text',
      empty: pick(['null', 'absent', 'text'] as const),
    }))
    const reader = {
      facts: { encoding: null, byte_order_mark: false, delimiter: null, quote: null, header: null },
      isText: true,
      columns: names.map((name) => ({ name, type: undefined })),
      records: async function* () {},
    }
    const defaults = { typeOf: (): ColumnType => 'text', emptyOf: () => undefined }
    const { rowOf, textOf } = rowsOfColumns(reader, choices, defaults, new Faults())
    const fitting = (type: ColumnType | undefined) =>
      type === 'number'
        ? [...numbers, ...more]
        : type === 'boolean'
          ? ['true', 'false', '']
          : type === 'json'
            ? ['', '[1, 2.50]', '{"b":1,"a":[]}', '-0']
            : [...texts, ...numbers, ...(random() < 0.1 ? refs : [])]
    const record = { line: 1, cells: types.map((type) => (random() < 0.1 ? undefined : pick(fitting(type)))) }
    const text = textOf(record)
    if (text === undefined) continue
    printed++
    const row = rowOf(record)
    expect(text.val).toBe(JSON.stringify(row))
    expect(digestOfBytes(text.digested)).toBe(digestOfJson(row))
  }
  expect(printed).toBeGreaterThan(500)
})
