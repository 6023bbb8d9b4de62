import { readFileSync } from 'node:fs'
import * as promises from 'node:fs/promises'
import { mkdir, mkdtemp, readdir, readFile as readFileWhole, realpath, rename, rm, stat } from 'node:fs/promises'
import { joinPath, temporaryFolder } from './paths.ts'

export async function ensureFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
}

/** Creates a folder among the system's temporary ones that only this user can open. */
export const newTemporaryFolder = (): Promise<string> => mkdtemp(joinPath(temporaryFolder(), 'tracelake-'))

/** Sorted names in `folder`; none if it does not exist. */
export async function listFolder(folder: string): Promise<string[]> {
  return ((await unlessMissing(readdir(folder))) ?? []).sort()
}

export async function fileExists(file: string): Promise<boolean> {
  return (await unlessMissing(stat(file))) !== undefined
}

/**
 * Identifies the file behind a path, across writes; undefined if there is none. A replacement has
 * another identity.
 */
export async function findFileIdentity(file: string): Promise<string | undefined> {
  const found = await unlessMissing(stat(file, { bigint: true }))
  return found && `${found.dev}:${found.ino}`
}

export async function fileBytes(file: string): Promise<number> {
  return (await stat(file)).size
}

/** Size of `file`; undefined if it does not exist. */
export async function findFileBytes(file: string): Promise<number | undefined> {
  return (await unlessMissing(stat(file)))?.size
}

/** When `file` was last written or touched (milliseconds); undefined if it does not exist. */
export async function findModifiedMs(file: string): Promise<number | undefined> {
  return (await unlessMissing(stat(file)))?.mtimeMs
}

export async function readBytes(file: string): Promise<Uint8Array> {
  return plainBytes(await readFileWhole(file))
}

/** The bytes of `file`; undefined if it does not exist. */
export async function findBytes(file: string): Promise<Uint8Array | undefined> {
  const bytes = await unlessMissing(readFileWhole(file))
  return bytes && plainBytes(bytes)
}

function plainBytes({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  // A plain array: `slice` of Node's Buffer shares memory instead of copying.
  return new Uint8Array(buffer, byteOffset, byteLength)
}

export async function readText(file: string): Promise<string> {
  return await readFileWhole(file, 'utf8')
}

/** The text of a small file that is needed before the server can do anything else. */
export const readTextNow = (file: string): string => readFileSync(file, 'utf8')

/** The text of `file`; undefined if it does not exist. */
export async function findText(file: string): Promise<string | undefined> {
  return await unlessMissing(readText(file))
}

/** The path with links resolved; undefined if it does not exist. */
export const findRealPath = (file: string): Promise<string | undefined> => unlessMissing(realpath(file))

/** Renames a file within a file system, replacing an existing one. Not durable. */
export async function renameFile(from: string, to: string): Promise<void> {
  await rename(from, to)
}

/** Removes a file if it exists. */
export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true })
}

/** Renames a file, replacing an existing one. */
export async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to)
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { force: true, recursive: true })
}

/** Turns the error for a missing file or folder into undefined. */
async function unlessMissing<T>(finding: Promise<T>): Promise<T | undefined> {
  try {
    return await finding
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}

function isMissing(cause: unknown): boolean {
  const code = codeOf(cause)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** The operating system's code of an error, for example `ENOENT`. */
export const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined)

/**
 * Size and free space of the file system of a folder; undefined if the runtime cannot determine it.
 */
export async function findDiskSpace(folder: string): Promise<{ bytes: number; freeBytes: number } | undefined> {
  const { statfs }: Partial<typeof promises> = promises
  if (statfs === undefined) return undefined
  const { bsize, blocks, bavail } = await statfs(folder)
  return { bytes: bsize * blocks, freeBytes: bsize * bavail }
}
