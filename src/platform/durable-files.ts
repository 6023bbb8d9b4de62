import { mkdir, open, rename, rm } from 'node:fs/promises'
import { codeOf } from './files.ts'
import { absolutePath, dirName } from './paths.ts'

/**
 * Makes a folder, and those around it that are missing, and their names durable. That of a folder which is there already too: whoever
 * made it may have died before it was.
 */
export async function ensureFolderDurably(folder: string): Promise<void> {
  const whole = absolutePath(folder)
  const first = await mkdir(whole, { recursive: true })
  const last = dirName(first ?? whole)
  for (let parent = dirName(whole); ; parent = dirName(parent)) {
    await syncFolderIfReadable(parent)
    if (parent === last || parent === dirName(parent)) return
  }
}

/** A folder around the data may be closed to whoever runs the server; then it is not theirs to sync. */
async function syncFolderIfReadable(folder: string): Promise<void> {
  try {
    await syncFolder(folder)
  } catch (cause) {
    if (codeOf(cause) !== 'EACCES') throw cause
  }
}

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
  try {
    const handle = await open(temporary, 'w', options.mode ?? 0o644)
    try {
      await handle.writeFile(content)
    } finally {
      await handle.close()
    }
    await publishFile(temporary, file)
  } catch (cause) {
    // On a full disk every byte counts. Where not even that works, the first error says why.
    await rm(temporary, { force: true }).catch(() => {})
    throw cause
  }
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
