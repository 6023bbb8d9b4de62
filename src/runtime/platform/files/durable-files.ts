import { mkdir, open, rename, rm } from 'node:fs/promises'
import process from 'node:process'
import { codeOf } from './files.ts'
import { absolutePath, dirName } from './paths.ts'

/**
 * Creates a folder and its missing parents, durably. An existing folder is synced too: the process
 * that created it may have died before doing so.
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

/**
 * A parent of the data folder may be unreadable for the server's user; then it is not ours to sync.
 */
async function syncFolderIfReadable(folder: string): Promise<void> {
  try {
    await syncFolder(folder)
  } catch (cause) {
    if (codeOf(cause) !== 'EACCES') throw cause
  }
}

/** How files and folders are synced on an operating system. */
export interface SyncRules {
  readonly fileFlags: 'r' | 'r+'
  readonly syncsFolders: boolean
}

/**
 * Windows flushes only files that are open for writing, and no folders: NTFS journals names by
 * itself.
 */
export const syncRulesOf = (platform: string): SyncRules =>
  platform === 'win32' ? { fileFlags: 'r+', syncsFolders: false } : { fileFlags: 'r', syncsFolders: true }

const ownRules = syncRulesOf(process.platform)

/** Makes renames and new names in `folder` durable (fsync of the directory, as POSIX requires). */
export async function syncFolder(folder: string, rules = ownRules): Promise<void> {
  if (rules.syncsFolders) await sync(folder, 'r')
}

/** Flushes a file's contents to disk. */
export const syncFile = (file: string, rules = ownRules): Promise<void> => sync(file, rules.fileFlags)

/**
 * Renames a completely written temporary file to its final name, durably. Both are on one file
 * system.
 */
export async function publishFile(temporary: string, final: string): Promise<void> {
  await syncFile(temporary)
  await rename(temporary, final)
  await syncFolder(dirName(final))
}

/** Writes `content` such that after a crash `file` has either its old or its new content. */
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
    // Free the space, which matters on a full disk. If even that fails, the first error says why.
    await rm(temporary, { force: true }).catch(() => {})
    throw cause
  }
}

/** Truncates `file` to its first `bytes` bytes, durably. */
export async function truncateFile(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
