import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DomainError, type ErrorType } from '../../lib/errors.ts'
import { AnswerFiles } from './answer-files.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'answer-files-'))
afterAll(() => rm(folder, { recursive: true }))

const bounds = { filesMax: 3, filesPerKeyMax: 2, bytesMax: 1000, lookMs: 1 }
const stay = new AbortController().signal
let count = 0
const paths = () => ({ path: path.join(folder, `${++count}.parquet`), rowsFile: path.join(folder, `${count}.ndjson`) })

/** Requests a response of `bytes` bytes. */
function ask(files: AnswerFiles, key: string, bytes: number, signal = stay) {
  const names = paths()
  return files.send(names, { key, signal }, () => writeFile(names.path, new Uint8Array(bytes)))
}

const typeOf = (requested: Promise<unknown>): Promise<ErrorType | undefined> =>
  requested.then(
    () => undefined,
    (cause: unknown) => (cause instanceof DomainError ? cause.type : undefined),
  )

async function take(pieces: AsyncGenerator<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) bytes += piece.byteLength
  return bytes
}

test('the number of spooled responses is limited, and further limited per API key', async () => {
  const files = new AnswerFiles(bounds)
  const held = [await ask(files, 'a', 10), await ask(files, 'a', 10)]
  expect(await typeOf(ask(files, 'a', 10))).toBe('TooManyRequests')
  held.push(await ask(files, 'b', 10))
  expect(await typeOf(ask(files, 'c', 10))).toBe('Overloaded')
  // Two were rejected, so two that are not consumed may be dropped.
  expect([files.requestPreemption(), files.requestPreemption(), files.requestPreemption()]).toEqual([true, true, false])
  expect(await Promise.all(held.map(take))).toEqual([10, 10, 10])
  expect(await readdir(folder)).toEqual([])
  expect(await take(await ask(files, 'c', 10))).toBe(10)
})

test('a single response may exceed the byte limit if it is the only one', async () => {
  const files = new AnswerFiles(bounds)
  const large = await ask(files, 'a', 5000)
  expect(await typeOf(ask(files, 'b', 10))).toBe('Overloaded')
  expect(await take(large)).toBe(5000)
})

test('of responses that together exceed the byte limit the newest is aborted', async () => {
  const files = new AnswerFiles(bounds)
  const first = await ask(files, 'a', 600)
  const names = paths()
  const growing = files.send(names, { key: 'b', signal: stay }, async (signal) => {
    await writeFile(names.path, new Uint8Array(600))
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('interrupted')))
    })
  })
  expect(await typeOf(growing)).toBe('Overloaded')
  expect(await take(first)).toBe(600)
  expect(await readdir(folder)).toEqual([])
})

test('failed and abandoned responses leave no files', async () => {
  const files = new AnswerFiles(bounds)
  const names = paths()
  const failing = files.send(names, { key: 'a', signal: stay }, async () => {
    await writeFile(names.path, 'half')
    await writeFile(names.rowsFile, 'half')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const abort = new AbortController()
  await ask(files, 'a', 10, abort.signal)
  expect(await readdir(folder)).toHaveLength(1)
  abort.abort()
  while ((await readdir(folder)).length > 0) await Bun.sleep(1)
  const next = await Promise.all([ask(files, 'a', 1), ask(files, 'a', 1)])
  expect(await Promise.all(next.map(take))).toEqual([1, 1])
})

test('responses for one API key are written one at a time, and do not block other keys', async () => {
  const files = new AnswerFiles({ ...bounds, filesPerKeyMax: 3 })
  const writing: string[] = []
  const first = Promise.withResolvers<void>()
  const begin = (key: string, name: string, signal = stay, until: Promise<void> = Promise.resolve()) => {
    const names = paths()
    return files.send(names, { key, signal }, async () => {
      writing.push(name)
      await until
      await writeFile(names.path, new Uint8Array(10))
    })
  }
  const left = new AbortController()
  const held = begin('a', 'first', stay, first.promise)
  const leaving = typeOf(begin('a', 'left', left.signal))
  left.abort()
  expect(await take(await begin('b', 'other'))).toBe(10)
  expect(writing.toSorted()).toEqual(['first', 'other'])
  first.resolve()
  expect(await take(await held)).toBe(10)
  expect(await leaving).toBe('RequestCancelled')
  expect(await take(await begin('a', 'last'))).toBe(10)
  expect(writing).not.toContain('left')
})
