import { expect, test } from 'bun:test'
import type { ErrorType } from '../../lib/errors.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { Database } from './database.ts'
import { Reader } from './reader.ts'

const endless = { text: 'SELECT sum(hash(i)) FROM range(1000000000000) t(i)', values: [] }
const endlessRows = { text: `SELECT repeat('x', 100) FROM range(1000000000000) t(i) WHERE hash(i) = 0`, values: [] }
const large = { text: `SELECT list(repeat('x', 1000) || i) FROM range(1000000) t(i)`, values: [] }
const small = { text: 'SELECT 1', values: [] }

/** A read beyond a limit fails with `type`, and the connection remains usable. */
async function expectRefused(read: (reader: Reader) => Promise<unknown>, type: ErrorType): Promise<void> {
  const database = await Database.open({ memoryBytesMax: 64e6, temporaryFolder: '' })
  const reader = new Reader(await database.connect())
  try {
    const error = await read(reader).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ type })
    expect(await reader.rows(small, { timeoutMs: 60_000 })).toEqual([[1]])
  } finally {
    reader.close()
    database.close()
  }
}

const soon = { timeoutMs: 50 }
const ample = { timeoutMs: 60_000 }

test('a statement is interrupted at its time limit', () =>
  expectRefused((reader) => reader.rows(endless, soon), 'QueryTimeout'))

test('a stream is interrupted at its time limit', () =>
  expectRefused((reader) => Array.fromAsync(reader.texts(endlessRows, soon)), 'QueryTimeout'))

test('a statement is interrupted when the client disconnects', () =>
  expectRefused((reader) => reader.rows(endless, { ...ample, signal: AbortSignal.timeout(50) }), 'RequestCancelled'))

test('a statement beyond the memory limit fails with QueryTooLarge', () =>
  expectRefused((reader) => reader.rows(large, ample), 'QueryTooLarge'))

test('a stream beyond the memory limit fails with QueryTooLarge', () =>
  expectRefused((reader) => Array.fromAsync(reader.texts(large, ample)), 'QueryTooLarge'))

test('a statement that waits for its turn ends at its limits, and its turn is not lost', async () => {
  const database = await Database.open({ memoryBytesMax: 64e6, temporaryFolder: '' })
  const turns = new Semaphore(1)
  const reader = new Reader(await database.connect(), undefined, turns)
  const held = Promise.withResolvers<void>()
  const other = turns.run(() => held.promise)
  try {
    await expect(reader.rows(small, soon)).rejects.toMatchObject({ type: 'QueryTimeout' })
    const left = AbortSignal.timeout(50)
    await expect(reader.rows(small, { ...ample, signal: left })).rejects.toMatchObject({ type: 'RequestCancelled' })
    await expect(Array.fromAsync(reader.texts(small, soon))).rejects.toMatchObject({ type: 'QueryTimeout' })
    held.resolve()
    await other
    expect(await reader.rows(small, ample)).toEqual([[1]])
  } finally {
    reader.close()
    database.close()
  }
})
