import { expect, test } from 'bun:test'
import { SeededRandom } from '../../demo/traces/seeded-random.ts'
import type { Cell, Column } from '../../lib/table.ts'
import { Database } from './database.ts'
import { Writer } from './writer.ts'

const columns: Column[] = [{ name: 't', type: 'text', description: 'a text', storedIn: 'everywhere' }]

/**
 * Appends texts, checks that DuckDB finds them by value with the right lengths, and returns what it
 * holds.
 */
async function stored(texts: readonly (Cell | undefined)[]): Promise<Cell[]> {
  const database = await Database.open({ memoryBytesMax: 512e6, temporaryFolder: '' })
  const writer = new Writer(await database.connect())
  try {
    await writer.createTable('t', columns)
    await writer.append(
      't',
      columns,
      texts.map((text) => [text ?? null]),
    )
    const written = texts.filter((text) => typeof text === 'string' && text.isWellFormed()) as string[]
    for (const text of new Set(written.slice(0, 50))) {
      const [found] = await writer.rows('SELECT count(*), max(strlen(t)) FROM t WHERE t = $1', [text])
      expect(found).toEqual([texts.filter((other) => other === text).length, Buffer.byteLength(text)])
    }
    return (await writer.rows('SELECT t FROM t')).map(([text]) => text!)
  } finally {
    writer.close()
    database.close()
  }
}

test('texts of every length around the inline limit', async () => {
  const texts = Array.from({ length: 40 }, (_, length) =>
    'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH'.slice(0, length),
  )
  expect(await stored(texts)).toEqual(texts)
})

test('nulls, repeated neighbours, characters of one to four bytes, and NUL', async () => {
  const texts = [
    '',
    null,
    'ä',
    'ä',
    '€uro and some more',
    '\u{1f600}'.repeat(4),
    null,
    'a\u0000b',
    '\u0000'.repeat(20),
    'ä',
  ]
  expect(await stored(texts)).toEqual(texts)
})

test('a text repeated after nulls, after a long text and after both', async () => {
  const long = 'long '.repeat(2000)
  const texts = [
    'one repeated text',
    null,
    'one repeated text',
    long,
    'one repeated text',
    null,
    long,
    'one repeated text',
  ]
  expect(await stored(texts)).toEqual(texts)
  expect(await stored(['{}', null, '{}', null, null, '{}'])).toEqual(['{}', null, '{}', null, null, '{}'])
})

test('random texts with repeats, nulls and long texts', async () => {
  const random = new SeededRandom(7)
  for (let round = 0; round < 20; round++) {
    const words = Array.from({ length: 6 }, () =>
      '\u{1f600}xyzé'.repeat(random.integer(0, 12)).slice(random.integer(0, 3)),
    )
    const texts = Array.from({ length: random.integer(1, 4500) }, () => {
      if (random.chance(0.3)) return null
      return random.chance(0.01) ? 'é'.repeat(random.integer(4090, 9000)) : random.pick(words)
    })
    expect(await stored(texts)).toEqual(texts.map((text) => text?.toWellFormed() ?? null))
  }
})

test('short texts in memory that held long ones', async () => {
  expect(await stored(['x'.repeat(100), 'y'.repeat(100)])).toHaveLength(2)
  const texts = Array.from({ length: 5000 }, (_, i) => (i < 2048 ? `long text number ${i} of many` : `${i % 7}`))
  expect(await stored(texts)).toEqual(texts)
})

test('long texts among short ones, across several vectors', async () => {
  const texts = Array.from({ length: 3000 }, (_, i) => (i % 100 === 7 ? `${i}`.repeat(3000) : `text number ${i}`))
  expect(await stored(texts)).toEqual(texts)
})

test('only nulls, and a single row', async () => {
  expect(await stored([null, null])).toEqual([null, null])
  expect(await stored(['one text that is not short'])).toEqual(['one text that is not short'])
})
