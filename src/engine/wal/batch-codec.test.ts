import { expect, test } from 'bun:test'
import { tableFromIPC } from 'apache-arrow'
import { BatchRow } from '../../lib/batch-row.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { type Column, mergeInto, type Row, rowBytes, type Table } from '../../lib/table.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import { BatchCodec, checksumColumn } from './batch-codec.ts'
import { readSegment } from './segment-reader.ts'

const column = (name: string, type: Column['type'], storedIn: Column['storedIn'] = 'everywhere'): Column => ({
  name,
  type,
  description: name,
  storedIn,
})

const table: Pick<Table, 'name' | 'columns'> = {
  name: 't',
  columns: [
    column('text', 'text'),
    column('derived', 'integer', 'files'),
    column('json', 'json'),
    column('time', 'time'),
    column('integer', 'integer'),
    column('texts', 'texts'),
    column('marker', 'time', 'wal'),
  ],
}
const codec = new BatchCodec(table as Table)
const encode = (rows: readonly Row[]): Uint8Array => codec.encode(rows).slice()

const rows: Row[] = [
  ['a', null, '{"a":1.0}', 0, -1, ['x', ''], null],
  [null, null, null, null, null, null, null],
  ['\u0000ä\u{1f600}', null, '""', -1, 2 ** 53 - 1, [], 1_700_000_000_123_457],
  ['', null, 'null', 1, -(2 ** 53) + 1, ['\u{1f600}'], -62_135_596_800_000_000 + 2 ** 55],
]

const join = (...pieces: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces))

test('rows round-trip; cells that only data files hold are null', () => {
  expect(codec.decode(codec.header, encode(rows))).toEqual(rows)
})

/** Rows as a thread encodes them. */
function encoded(written: readonly Row[]) {
  const none = { derived: codec.encodeDerived(written.map(() => [])), derivedRows: new Uint8Array(written.length) }
  return codec.encoded({ ...codec.encodeTwice(written), ...none, hashes: new Uint32Array() })
}

/** So many that their batch is compressed. */
const many: Row[] = Array.from({ length: 500 }, () => rows.map((row) => [...row])).flat()

/** The buffers of the columns of a batch. */
const buffersOf = ({ batch }: BatchRow): ReadonlySet<ArrayBufferLike> =>
  new Set(batch.columns.flatMap((column) => (column?.bytes === undefined ? [] : [column.bytes.buffer])))

test('the memory of encoded rows is freed once all of them have ended, however often each does', () => {
  const { rows: all } = encoded(rows)
  const [first, ...others] = all
  const buffers = buffersOf(first!)
  expect(buffers.size).toBeGreaterThan(0)
  for (const row of others) for (let times = 0; times < 2; times++) row.end()
  expect(first!.toRow()).toEqual(rows[0]!)
  first!.end()
  for (const buffer of buffers) expect(buffer.byteLength).toBe(0)
  expect(() => first!.text(0)).toThrow('all rows have ended')
  expect(() => first!.toRow()).toThrow('all rows have ended')
})

test('rows with a replaced column free the memory that they share; rows laid over others end those', () => {
  const before = encoded(rows)
  const { rows: changed } = codec.withTexts(before, 'text', ['ä', null, 'b', 'c'])
  const buffers = [...buffersOf(before.rows[0]!), ...buffersOf(changed[0]!)]
  const { rows: newer } = encoded(rows)
  const laidOver = newer.map((row, index) => row.over(changed[index]!)!)
  for (const row of laidOver) row.end()
  expect(() => changed[0]!.text(0)).toThrow('all rows have ended')
  expect(() => newer[0]!.text(0)).toThrow('all rows have ended')
  expect(buffers.filter(({ byteLength }) => byteLength === 0).length).toBeGreaterThan(0)
})

test('rows that were read from a log share its memory, and free none', () => {
  const message = encode(rows)
  const read = codec.reader(codec.header)(message) as readonly BatchRow[]
  for (const row of read) row.end()
  expect(read.map((row) => row.toRow())).toEqual(rows)
})

test('a column of texts can be replaced', () => {
  for (const written of [rows, many]) {
    for (const texts of [
      ['ä', null, '', 'longer than before'],
      [null, null, null, null],
      ['b', 'c', 'd', 'e'],
    ]) {
      const textOf = (index: number) => texts[index % texts.length]!
      const wanted: Row[] = written.map(([_, ...cells], index) => [textOf(index), ...cells])
      const replaced = codec.withTexts(
        encoded(written),
        'text',
        wanted.map((_, index) => textOf(index)),
      )
      expect(codec.isIntact(replaced.message, written.length, checksum(codec.header))).toBe(true)
      expect(codec.decode(codec.header, replaced.message)).toEqual(wanted)
      expect(replaced.rows.map((row) => row.toRow())).toEqual(wanted)
    }
  }
})

test('a large batch is compressed, and read in the same way as a small one', () => {
  const { message, plain } = codec.encodeTwice(many)
  expect(message.byteLength).toBeLessThan(plain.byteLength / 2)
  expect(Buffer.from(message).equals(encode(many))).toBe(true)
  expect(codec.isIntact(message, many.length, checksum(codec.header))).toBe(true)
  expect(codec.decode(codec.header, message)).toEqual(many)
  expect(rowsInBytes(many).map((row) => row.toRow())).toEqual(many)
  expect(encoded(many).rows.map((row) => row.toRow())).toEqual(many)
})

test('columns with encoded texts make the same message as rows', () => {
  const whole: Row[] = [
    ['ä', null, '{"a":"é"}', 5, 1, null, null],
    ['', null, '{}', 5, 2, null, null],
    ['c', null, '"\u{1f600}"', 5, 3, null, null],
  ]
  // The texts lie in another order, with something between them.
  const bytes = Buffer.from('"\u{1f600}"--{"a":"é"}{}')
  const places = [
    [8, 18],
    [18, 20],
    [0, 6],
  ] as const
  const { message, derivedRows } = codec.encodeColumns(3, {
    text: (row) => whole[row]![0]!,
    json: { bytes, from: (row) => places[row]![0], to: (row) => places[row]![1] },
    time: () => 5,
    integer: (row) => row + 1,
  })
  expect(message).toEqual(encode(whole))
  expect([...derivedRows]).toEqual([0, 0, 0])
})

const rowsInBytes = (written: readonly Row[]): BatchRow[] =>
  codec
    .reader(codec.header)(encode(written))
    .map((row) => {
      if (!(row instanceof BatchRow)) throw new Error('The batch was not read as bytes')
      return row
    })

test('rows that stay bytes have the same cells', () => {
  const read = rowsInBytes(rows)
  expect(read.map((row) => row.toRow())).toEqual(rows)
  for (const [index, row] of read.entries()) {
    expect(table.columns.map((_, cell) => row.isNull(cell))).toEqual(rows[index]!.map((cell) => cell === null))
    expect(row.text(0)).toBe(rows[index]![0] as string | null)
    expect(row.number(4)).toBe(rows[index]![4] as number | null)
    expect(row.textBytes(0)).toBe(Buffer.byteLength((rows[index]![0] as string | null) ?? ''))
  }
  expect(read[0]!.bytes).toBe(rowBytes(rows[0]!))
})

test('parts of a row that stay bytes merge like rows', () => {
  const read = rowsInBytes(rows)
  for (const [newer, part] of read.entries()) {
    for (const [older, base] of read.entries()) {
      const both = part.over(base)!
      const expected = mergeInto([...rows[older]!], rows[newer]!)
      expect(both.toRow()).toEqual(expected)
      expect(read[1]!.over(both)!.toRow()).toEqual(expected)
    }
  }
  let deepest: BatchRow | undefined = read[0]!
  for (let parts = 1; deepest !== undefined; parts++) {
    expect(parts).toBeLessThan(10)
    deepest = read[2]!.over(deepest)
  }
})

test('a batch that does not begin at a multiple of 8 bytes is read too', () => {
  const message = encode(rows)
  const shifted = new Uint8Array(message.byteLength + 4).subarray(4)
  shifted.set(message)
  const read = codec.reader(codec.header)(shifted)
  expect(read).toEqual(rows)
})

test('microseconds from 1900 to 2200 round-trip', () => {
  const first = Date.UTC(1900, 0) * 1000
  const span = Date.UTC(2200, 0) * 1000 - first
  const times = Array.from({ length: 5000 }, (_, i) => first + Math.floor((span * i) / 5000) + (i % 997))
  const decoded = codec.decode(codec.header, encode(times.map((time) => [null, null, null, time, null, null, null])))
  expect(decoded.map((row) => row[3])).toEqual(times)
})

test('a log segment is a stream that the Arrow library reads, with or without its end marker', () => {
  const stream = join(codec.header, encode(rows), encode(rows.slice(1)))
  for (const bytes of [stream, join(stream, codec.trailer)]) {
    const read = tableFromIPC(bytes)
    expect(read.numRows).toBe(7)
    expect(read.schema.fields.map(({ name }) => name)).toEqual([
      'text',
      'json',
      'time',
      'integer',
      'texts',
      'marker',
      checksumColumn,
    ])
  }
})

test('messages are multiples of 8 bytes, whatever their content', () => {
  expect(codec.header.byteLength % 8).toBe(0)
  for (let length = 0; length < 20; length++) {
    const message = encode(Array.from({ length: (length % 5) + 1 }, () => ['x'.repeat(length), ...rows[0]!.slice(1)]))
    expect(message.byteLength % 8).toBe(0)
  }
})

test('a segment truncated anywhere in its last batch yields the batches before and where they end', () => {
  const before = join(codec.header, encode(rows.slice(0, 1)))
  const whole = join(before, encode(rows.slice(1)))
  for (let end = before.byteLength; end < whole.byteLength; end++) {
    expect(readSegment(whole.subarray(0, end), codec)).toEqual({
      rows: rows.slice(0, 1),
      validBytes: before.byteLength,
      damaged: [],
    })
  }
  expect(readSegment(whole, codec)).toEqual({ rows, validBytes: whole.byteLength, damaged: [] })
})

// Reads a log for every byte of a batch, which takes seconds on a busy machine.
const everyByteMsMax = 120_000

test(
  'an altered byte in a middle batch loses only that batch',
  () => {
    const start = join(codec.header, encode(rows.slice(0, 1)))
    const middle = encode(rows.slice(1, 3))
    const whole = join(start, middle, encode(rows.slice(3)))
    const end = start.byteLength + middle.byteLength
    // The last 8 bytes hold the checksum once per row; only the first counts.
    for (let at = start.byteLength; at < end - 4; at++) {
      const changed = whole.slice()
      changed[at]! ^= 1 << (at % 8)
      const { rows: left, damaged } = readSegment(changed, codec)
      expect(left).toEqual([rows[0]!, rows[3]!])
      expect(damaged).toEqual([{ from: start.byteLength, to: end }])
    }
  },
  everyByteMsMax,
)

test('a stream with an older schema is read by column names', () => {
  const older = new BatchCodec({
    ...table,
    columns: table.columns.filter(({ name }) => name !== 'json'),
  } as unknown as Table)
  const cells = rows[0]!.filter((_, index) => index !== 2)
  const stream = join(older.header, older.encode([cells]))
  const expected = rows[0]!.map((cell, index) => (index === 2 ? null : cell))
  expect(readSegment(stream, codec).rows).toEqual([expected])
  const [row] = codec.reader(older.header)(older.encode([cells]).slice())
  expect((row as BatchRow).toRow()).toEqual(expected)
})

test('yielding between columns does not change the bytes', async () => {
  const many = Array.from({ length: storageLimits.rowsInOneGoMax + 1 }, (_, i) => rows[i % rows.length]!)
  const inTurns = (await codec.encodeYielding(many)).slice()
  expect(Buffer.compare(inTurns, encode(many))).toBe(0)
})
