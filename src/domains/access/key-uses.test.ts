import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FolderDocuments } from '../../runtime/documents/folder-documents.ts'
import { createLog } from '../../runtime/log.ts'
import { KeyUses } from './key-uses.ts'

let dataFolder: string
let file: string
let nowMs: number
const open = () =>
  KeyUses.open({ documents: new FolderDocuments(dataFolder), clock: { nowMs: () => nowMs }, log: createLog('silent') })
const stored = async () => JSON.parse(await readFile(file, 'utf8')).last_used_at as Record<string, string>

beforeEach(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'key-uses-'))
  file = path.join(dataFolder, 'key-uses.json')
  nowMs = Date.parse('2026-01-02T03:04:05Z')
})
afterEach(() => rm(dataFolder, { recursive: true }))

test('a restart keeps the last use of every key', async () => {
  const uses = await open()
  expect(uses.lastUsedAt('aaaaaaaa')).toBeNull()
  uses.note('aaaaaaaa')
  nowMs += 1000
  uses.note('bbbbbbbb')
  await uses.close()
  const again = await open()
  expect(again.lastUsedAt('aaaaaaaa')).toBe('2026-01-02T03:04:05.000Z')
  expect(again.lastUsedAt('bbbbbbbb')).toBe('2026-01-02T03:04:06.000Z')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('the file is written once a minute, however many requests there are', async () => {
  const uses = await open()
  uses.note('aaaaaaaa')
  await (uses as unknown as { writing: Promise<void> }).writing
  const first = await stored()
  for (let second = 1; second < 60; second++) {
    nowMs += 1000
    uses.note('aaaaaaaa')
    expect((uses as unknown as { writing: unknown }).writing).toBeUndefined()
  }
  expect(await stored()).toEqual(first)
  nowMs += 1000
  uses.note('aaaaaaaa')
  await (uses as unknown as { writing: Promise<void> }).writing
  expect(await stored()).toEqual({ aaaaaaaa: '2026-01-02T03:05:05.000Z' })
  await uses.close()
})

test.each(['', '{', '{"version":9}', '{"version":1,"last_used_at":{"a":"yesterday"}}'])(
  'a damaged file (%p) costs the old uses alone',
  async (text) => {
    await writeFile(file, text)
    const uses = await open()
    uses.note('aaaaaaaa')
    await uses.close()
    expect(Object.keys(await stored())).toEqual(['aaaaaaaa'])
  },
)
