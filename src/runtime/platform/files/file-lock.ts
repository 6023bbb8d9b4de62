import { constants } from 'node:fs'
import { copyFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { randomHex } from '../crypto.ts'
import { delay } from '../event-loop.ts'

/** Changes whenever a file is replaced or rewritten; undefined if it does not exist. */
export async function findFileVersion(file: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeNs } = await stat(file, { bigint: true })
    return `${ino}:${size}:${mtimeNs}`
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}

export interface FileLockOptions {
  /** A lock older than this belongs to a process that died holding it, and is broken. */
  readonly staleAfterMs: number
  /** How long to wait for another process. */
  readonly waitMs: number
}

/** Held by one process at a time. */
export interface FileLock {
  /** Whether the lock has not been broken; check just before publishing the protected change. */
  isHeld(): Promise<boolean>
}

/**
 * Runs `work` while holding the lock file `file` (created with O_EXCL, removed afterwards). Meant
 * for work of milliseconds: there is no heartbeat, so a holder that sleeps longer than
 * `staleAfterMs` loses the lock; `isHeld` then returns false.
 *
 * @throws Error if another process holds it for longer than `waitMs`
 */
export async function withFileLock<T>(
  file: string,
  options: FileLockOptions,
  work: (lock: FileLock) => Promise<T>,
): Promise<T> {
  const token = randomHex(16)
  const deadlineMs = performance.now() + options.waitMs
  while (!(await createExclusively(file, token))) {
    await breakStaleLock(file, options.staleAfterMs)
    if (performance.now() > deadlineMs) {
      throw new Error(`Cannot take the lock "${file}": another process holds it; remove the file if none is running`)
    }
    await delay(5 + Math.random() * 20)
  }
  const isHeld = async () => (await findContent(file)) === token
  try {
    return await work({ isHeld })
  } finally {
    if (await isHeld()) await rm(file, { force: true })
  }
}

async function createExclusively(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw cause
  }
}

async function breakStaleLock(file: string, staleAfterMs: number): Promise<void> {
  if ((await ageMs(file)) < staleAfterMs) return
  // One process at a time: a second one would break the lock of the next holder.
  const breaking = `${file}.breaking`
  if (await createExclusively(breaking, '')) {
    try {
      await breakLock(file, staleAfterMs)
    } finally {
      await rm(breaking, { force: true })
    }
  } else if ((await ageMs(breaking)) >= staleAfterMs) await rm(breaking, { force: true })
}

async function breakLock(file: string, staleAfterMs: number): Promise<void> {
  const seen = await findContent(file)
  if (seen === undefined || (await ageMs(file)) < staleAfterMs) return
  const aside = `${file}.stale-${randomHex(8)}`
  try {
    await rename(file, aside)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return
    throw cause
  }
  // Between the check and the rename, the holder may have woken up and released the lock, and
  // another process may have taken it: restore the lock of that process.
  if ((await findContent(aside)) !== seen) await copyFile(aside, file, constants.COPYFILE_EXCL).catch(ignoreExisting)
  await rm(aside, { force: true })
}

/** Negative if there is no such file. */
async function ageMs(file: string): Promise<number> {
  try {
    return Date.now() - (await stat(file)).mtimeMs
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return Number.NEGATIVE_INFINITY
    throw cause
  }
}

async function findContent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}

const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined)

function ignoreExisting(cause: unknown): void {
  if (codeOf(cause) !== 'EEXIST') throw cause
}
