import { open, readdir, rename, stat, utimes } from 'node:fs/promises'
import { syncFolder } from './durable-files.ts'
import { codeOf } from './files.ts'
import { dirName } from './paths.ts'

/** A file as the folder of an object store has it. */
export interface FileState {
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly modifiedMs: number
  /** Differs between any two files that have had the same name: see `writeNewFile`. */
  readonly version: string
}

/** @returns undefined if there is no such file */
export async function findFileState(file: string): Promise<FileState | undefined> {
  try {
    const found = await stat(file, { bigint: true })
    if (!found.isFile()) return undefined
    const { ino, size, mtimeNs } = found
    return { bytes: Number(size), modifiedMs: Number(mtimeNs / 1_000_000n), version: `${ino}-${size}-${mtimeNs}` }
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return undefined
    throw cause
  }
}

/**
 * Creates a file and writes it durably.
 *
 * @param options `newerThanMs`: if the clock has not come further since, the file is dated after
 *   it: file systems use the number of a removed file again, and date files to a few milliseconds
 *   only; `mode`: who may read it, less what the process forbids
 */
export async function writeNewFile(
  file: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { newerThanMs = 0, mode = 0o666 }: { newerThanMs?: number | undefined; mode?: number } = {},
): Promise<void> {
  const handle = await open(file, 'wx', mode)
  try {
    for await (const piece of pieces) await handle.writeFile(piece)
    await handle.sync()
  } finally {
    await handle.close()
  }
  const { mtimeMs } = await stat(file)
  if (mtimeMs >= newerThanMs + 1) return
  const seconds = (Math.floor(newerThanMs) + 1) / 1000
  await utimes(file, seconds, seconds)
}

/** Renames a file that is durable, replacing another of that name, durably. */
export async function replaceFile(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirName(to))
}

/** The files in a folder and below it, relative to it, without those in folders named `.…`. */
export async function listFilesBelow(folder: string): Promise<string[]> {
  const found: string[] = []
  const walk = async (path: string, prefix: string): Promise<void> => {
    for (const entry of await entriesOf(path)) {
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) await walk(`${path}/${entry.name}`, `${prefix}${entry.name}/`)
      else if (entry.isFile()) found.push(prefix + entry.name)
    }
  }
  await walk(folder, '')
  return found
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return []
    throw cause
  }
}
