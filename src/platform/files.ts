import { mkdir, readdir, readFile as readFileWhole, realpath, rename, rm, stat } from 'node:fs/promises'

export async function ensureFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
}

/** Names in `folder`, sorted; none where the folder is missing. */
export async function listFolder(folder: string): Promise<string[]> {
  return ((await unlessMissing(readdir(folder))) ?? []).sort()
}

export async function fileExists(file: string): Promise<boolean> {
  return (await unlessMissing(stat(file))) !== undefined
}

/** Which file a path names, however often it is written to; undefined where it names none. Another one in its place is another one. */
export async function findFileIdentity(file: string): Promise<string | undefined> {
  const found = await unlessMissing(stat(file, { bigint: true }))
  return found && `${found.dev}:${found.ino}`
}

export async function fileBytes(file: string): Promise<number> {
  return (await stat(file)).size
}

/** Length of `file`, or undefined where there is no such file. */
export async function findFileBytes(file: string): Promise<number | undefined> {
  return (await unlessMissing(stat(file)))?.size
}

/** When `file` was last written or touched (milliseconds), or undefined where there is no such file. */
export async function findModifiedMs(file: string): Promise<number | undefined> {
  return (await unlessMissing(stat(file)))?.mtimeMs
}

export async function readBytes(file: string): Promise<Uint8Array> {
  return plainBytes(await readFileWhole(file))
}

/** The bytes of `file`, or undefined where there is no such file. */
export async function findBytes(file: string): Promise<Uint8Array | undefined> {
  const bytes = await unlessMissing(readFileWhole(file))
  return bytes && plainBytes(bytes)
}

function plainBytes({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  // A plain array: the `slice` of the Buffer that Node hands out shares memory instead of copying.
  return new Uint8Array(buffer, byteOffset, byteLength)
}

export async function readText(file: string): Promise<string> {
  return await readFileWhole(file, 'utf8')
}

/** The text of `file`, or undefined where there is no such file. */
export async function findText(file: string): Promise<string | undefined> {
  return await unlessMissing(readText(file))
}

/** Where a file or folder really lies, links followed; undefined where there is none. */
export const findRealPath = (file: string): Promise<string | undefined> => unlessMissing(realpath(file))

/** Gives a file another name of the same file system, in place of what has it. Not durable. */
export async function renameFile(from: string, to: string): Promise<void> {
  await rename(from, to)
}

/** Removes a file; it may be missing. */
export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true })
}

/** Gives a file another name; what had that name is replaced. */
export async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to)
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { force: true, recursive: true })
}

/** What is found of a file or folder, or undefined where there is none. */
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

/** What the operating system calls the reason of an error, for example `ENOENT`. */
export const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined)
