import { expect, test } from 'bun:test'
import { stat } from 'node:fs/promises'
import process from 'node:process'
import { newTemporaryFolder, removeFolder } from './files.ts'

test('temporary folders are different, and only their owner can open them', async () => {
  const folders = [await newTemporaryFolder(), await newTemporaryFolder()] as const
  try {
    expect(folders[0]).not.toBe(folders[1])
    const { mode } = await stat(folders[0])
    // Windows has no such modes; the folder of temporary files belongs to a user there.
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o700)
  } finally {
    for (const folder of folders) await removeFolder(folder)
  }
})
