import { open, rename } from 'node:fs/promises'
import { dirName } from './paths.ts'

/** Makes renames and new names in `folder` durable (fsync of the directory, as POSIX requires). */
export const syncFolder = (folder: string): Promise<void> => sync(folder)

/** Puts what a file holds on the disk. */
export const syncFile = (file: string): Promise<void> => sync(file)

/** Gives a fully written and synced temporary file its final name, durably. Both lie on one file system. */
export async function publishFile(temporary: string, final: string): Promise<void> {
  await sync(temporary)
  await rename(temporary, final)
  await syncFolder(dirName(final))
}

/** Writes `content` so that after a crash `file` holds either its old content or the new one, whole. */
export async function writeFileDurably(
  file: string,
  content: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<void> {
  const temporary = `${file}.tmp`
  const handle = await open(temporary, 'w', options.mode ?? 0o644)
  try {
    await handle.writeFile(content)
  } finally {
    await handle.close()
  }
  await publishFile(temporary, file)
}

/** Cuts `file` to its first `bytes` bytes, durably. */
export async function truncateFile(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
