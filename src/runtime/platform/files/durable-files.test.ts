import { afterAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { syncFile, syncFolder, syncRulesOf } from './durable-files.ts'

const folder = await mkdtemp(join(tmpdir(), 'durable-files-'))
afterAll(() => rm(folder, { recursive: true }))

test('files are opened for writing to be synced on Windows, and folders are not synced', async () => {
  const windows = syncRulesOf('win32')
  await writeFile(join(folder, 'file'), 'content')
  await mkdir(join(folder, 'inner'))
  await syncFile(join(folder, 'file'), windows)
  await syncFolder(join(folder, 'inner'), windows)
  // As on Windows, a folder cannot be opened for writing.
  expect(syncFile(join(folder, 'inner'), windows)).rejects.toThrow('EISDIR')
  expect(await syncFolder(join(folder, 'missing'), windows)).toBeUndefined()
})

test.each(['linux', 'darwin'])('files and folders are synced on %s', async (platform) => {
  const rules = syncRulesOf(platform)
  await syncFolder(folder, rules)
  expect(syncFolder(join(folder, 'missing'), rules)).rejects.toThrow('ENOENT')
})
