import { type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises'
import process from 'node:process'
import { v7 as uuid } from 'uuid'
import { codeOf, findText } from './files.ts'
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

/** Writes bytes at a position of a file. */
export type PutBytes = (position: number, bytes: Uint8Array) => Promise<void>

/** Writes `content` such that after a crash `file` has either its old or its new content. */
export const writeFileDurably = (
  file: string,
  content: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<void> => writeDurably(file, (handle) => handle.writeFile(content), options)

/** The same for content that is written in parts, in any order. */
export const writePartsDurably = (file: string, write: (put: PutBytes) => Promise<void>): Promise<void> =>
  writeDurably(file, (handle) =>
    write(async (position, bytes) => {
      for (let done = 0; done < bytes.byteLength; )
        done += (await handle.write(bytes, done, bytes.byteLength - done, position + done)).bytesWritten
    }),
  )

async function writeDurably(
  file: string,
  write: (handle: FileHandle) => Promise<void>,
  options: { mode?: number } = {},
): Promise<void> {
  const temporary = `${file}.tmp`
  try {
    const handle = await open(temporary, 'w', options.mode ?? 0o644)
    try {
      await write(handle)
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

/**
 * Writes the first bytes of a file once more, durably. After a failed sync, the operating system
 * may take pages as written that are only in its cache: another sync would succeed and do nothing.
 *
 * @param bytes what the file begins with
 */
export async function rewriteDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    for (let done = 0; done < bytes.byteLength; ) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, done)
      done += bytesWritten
    }
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

/** Creates `file` with its content, durably, unless it exists. Returns false if it does. */
export type PutIfAbsent = (file: string, content: string) => Promise<boolean>

/** Errors of file systems without hard links. */
const cannotLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])

/**
 * Put-if-absent: of several processes that create the same file, exactly one succeeds. The content
 * is written and synced under a temporary name and then linked, so the file is never partial. On
 * file systems without links the file itself is created exclusively; then a crash may leave it
 * partial.
 *
 * @param options `mayLink`: false disables links
 * @returns false if another process was first
 */
export async function putIfAbsent(file: string, content: string, options = { mayLink: true }): Promise<boolean> {
  const temporary = `${file}.${uuid()}.tmp`
  try {
    await writeExclusively(temporary, content)
    const isOurs = options.mayLink ? await linked(temporary, file) : undefined
    if (!(isOurs ?? (await tryExclusively(file, content)))) {
      // Over NFS the reply may be lost although the link was made. The file then has exactly our
      // content.
      if ((await findText(file)) !== content) return false
    }
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(dirName(file))
  return true
}

/**
 * Gives a file a second name, which must be new.
 *
 * @returns false if the name is taken; undefined if links are unsupported
 */
export async function linked(temporary: string, file: string): Promise<boolean | undefined> {
  try {
    await link(temporary, file)
    return true
  } catch (cause) {
    const code = String(codeOf(cause))
    if (code === 'EEXIST') return false
    if (cannotLink.has(code)) return undefined
    throw cause
  }
}

async function tryExclusively(file: string, content: string): Promise<boolean> {
  try {
    await writeExclusively(file, content)
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw cause
  }
}

async function writeExclusively(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
