import { v7 as uuid } from 'uuid'
import { DomainError, findDiskFault } from '../../lib/errors.ts'
import { DamagedLock, FolderLock } from '../../runtime/duck/folder-lock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import { ensureFolderDurably, writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { withFileLock } from '../../runtime/platform/files/file-lock.ts'
import {
  ensureFolder,
  fileExists,
  findFileIdentity,
  findText,
  removeFile,
  removeFolder,
  renameFile,
} from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import {
  isRunningElsewhere,
  ownIdentity,
  type ProcessIdentity,
} from '../../runtime/platform/processes/process-identity.ts'
import { DataFolderError, holderFile, lockFile, temporaryFolder, unfinishedBackupFile } from '../layout.ts'
import { claimCache, type LakeIdentity, refuseCache, refuseData } from './cache-marker.ts'
import { recordFormat, refuseLaterFormat } from './folder-format.ts'

/** Repairing a lock takes milliseconds; other processes wait longer than that for their turn. */
const lockRepairOptions = { staleAfterMs: 10_000, waitMs: 20_000 }

/**
 * Acquires the lock of a data folder; undefined if another process holds it. A damaged lock file,
 * as left by a first start on a full disk, is replaced, and `onRepaired` is called.
 */
export async function acquireLock(
  dataFolder: string,
  onRepaired: (damage: DamagedLock) => void,
): Promise<FolderLock | undefined> {
  const file = lockFile(dataFolder)
  try {
    return await FolderLock.tryAcquire(file)
  } catch (cause) {
    if (!(cause instanceof DamagedLock)) throw cause
    return await withFileLock(`${file}.mending`, lockRepairOptions, () => repairLock(file, cause, onRepaired))
  }
}

/** Runs in one process at a time. Another process may have repaired the lock by now. */
async function repairLock(
  file: string,
  damage: DamagedLock,
  onRepaired: (damage: DamagedLock) => void,
): Promise<FolderLock | undefined> {
  try {
    return await FolderLock.tryAcquire(file)
  } catch (cause) {
    if (!(cause instanceof DamagedLock)) throw cause
  }
  // Created under another name, so that the lock file is complete at any moment.
  const fresh = `${file}.${randomHex(4)}`
  try {
    const made = await FolderLock.tryAcquire(fresh)
    made?.release()
    await renameFile(fresh, file)
  } catch (cause) {
    await removeFile(fresh).catch(() => {})
    throw cause
  }
  onRepaired(damage)
  return await FolderLock.tryAcquire(file)
}

/** The contents of `server.json`. */
interface Holder extends ProcessIdentity {
  /** True once the process has closed the folder, which it may outlive. */
  readonly released?: boolean
  /** Where its server listens, as browsers see it. */
  readonly address?: string
}

/** Another process has the folder open. */
class DataFolderInUse extends DataFolderError {
  override readonly name = 'DataFolderInUse'
}

/**
 * A data folder locked by this process, until it is released or the lock file is removed or
 * replaced.
 */
export class LockedFolder {
  /** Empty when the folder is opened. */
  readonly temporaryFolder: string
  /** Why the lock was lost; undefined while it is held. A lost lock is never regained. */
  lost: string | undefined
  private readonly lockFile: string
  private readonly holderFile: string
  private readonly lock: FolderLock
  private readonly identity: string
  private readonly log: Log

  private constructor(dataFolder: string, lock: FolderLock, identity: string, log: Log) {
    this.temporaryFolder = temporaryFolder(dataFolder)
    this.lockFile = lockFile(dataFolder)
    this.holderFile = holderFile(dataFolder)
    this.lock = lock
    this.identity = identity
    this.log = log
  }

  /**
   * @throws DataFolderInUse if another process has it open; DataFolderError if it is not a folder,
   *   an unfinished backup, or written by a later version
   *
   * @param cacheOf for a folder that is only a cache of a lake
   */
  static async acquire(dataFolder: string, clock: Clock, log: Log, cacheOf?: LakeIdentity): Promise<LockedFolder> {
    await makeFolder(dataFolder)
    await refuseUnfinishedBackup(dataFolder)
    await (cacheOf === undefined ? refuseCache(dataFolder) : refuseData(dataFolder))
    // Before the lock: nothing in the folder of a later version is touched.
    await refuseLaterFormat(dataFolder)
    const lock = await acquireLock(dataFolder, (err) =>
      log.warn({ err }, 'the lock file of the data folder was damaged; recreated it'),
    )
    if (lock === undefined) throw inUse(dataFolder, await findHolder(holderFile(dataFolder)))
    try {
      await refuseRunningHolder(dataFolder)
      if (cacheOf !== undefined) await claimCache(dataFolder, cacheOf, log)
      await recordFormat(dataFolder)
      const identity = await findFileIdentity(lockFile(dataFolder))
      if (identity === undefined)
        throw new DataFolderInUse(`Cannot open ${dataFolder}: its lock file was removed at the same time`)
      const held = new LockedFolder(dataFolder, lock, identity, log)
      const holder = { ...(await ownIdentity()), started_at: new Date(clock.nowMs()) }
      await recordHolder(holderFile(dataFolder), holder, log)
      await removeFolder(held.temporaryFolder)
      await ensureFolder(held.temporaryFolder)
      return held
    } catch (cause) {
      lock.release()
      throw cause
    }
  }

  /** A unique path in the temporary folder. */
  temporaryFile(ending: string): string {
    return joinPath(this.temporaryFolder, `${uuid()}.${ending}`)
  }

  /**
   * Checks that the lock file is still in place. Called between making something durable and
   * acknowledging it: another process that takes the folder replaces the lock first and reads
   * afterwards, so it sees everything that was durable before.
   *
   * @throws DomainError StoreUnavailable if the lock is lost, now or earlier
   */
  async assertHeld(): Promise<void> {
    if (this.lost === undefined && (await findFileIdentity(this.lockFile)) !== this.identity)
      this.lost = 'the lock file of the data folder was removed or replaced; another server may be using the folder'
    if (this.lost !== undefined) throw new DomainError('StoreUnavailable', `Cannot use the data folder: ${this.lost}`)
  }

  /** Tells other processes where the server of this folder listens. */
  async announce(address: string): Promise<void> {
    await this.assertHeld()
    const holder = await findHolder(this.holderFile)
    await recordHolder(this.holderFile, { ...holder, address }, this.log)
  }

  /** Frees the folder for other processes. Nothing may be written to it afterwards. */
  async release(): Promise<void> {
    try {
      const holder = await findHolder(this.holderFile)
      // Another server may have taken a lost folder; its entry is kept.
      if (this.lost === undefined)
        await writeFileDurably(this.holderFile, `${JSON.stringify({ ...holder, released: true })}\n`)
    } finally {
      this.lock.release()
    }
  }
}

/** A full disk is no reason not to start: the lock itself is held, and reads need no space. */
async function recordHolder(file: string, holder: Partial<Holder>, log: Log): Promise<void> {
  try {
    await writeFileDurably(file, `${JSON.stringify(holder)}\n`)
  } catch (err) {
    if (findDiskFault(err) !== 'full') throw err
    log.warn({ err }, 'the disk is full; could not record which process has the data folder open')
  }
}

async function makeFolder(dataFolder: string): Promise<void> {
  try {
    await ensureFolderDurably(dataFolder)
  } catch (cause) {
    throw new DataFolderError(`Cannot open ${dataFolder}: it is not a folder and cannot be created`, { cause })
  }
}

/** Where the server listens that has a data folder open; undefined if there is none. */
export async function findServerAddress(dataFolder: string): Promise<string | undefined> {
  const { address, released, ...identity } = await findHolder(holderFile(dataFolder))
  // Only on Linux can one find out whether the process id has been reused since this was written.
  const isGone = identity.boot_id !== undefined && !(await isRunningElsewhere(identity))
  return released === true || isGone ? undefined : address
}

/** A partial copy would look like a complete folder with missing data. */
export async function refuseUnfinishedBackup(dataFolder: string): Promise<void> {
  if (await fileExists(unfinishedBackupFile(dataFolder)))
    throw new DataFolderError(
      `Cannot open ${dataFolder}: it is an incomplete backup or copy; run "tracelake backup" or "tracelake copy" ` +
        'into it again',
    )
}

/** A removed lock file no longer locks, but the process that created it may still be running. */
async function refuseRunningHolder(dataFolder: string): Promise<void> {
  const holder = await findHolder(holderFile(dataFolder))
  if (holder.released !== true && (await isRunningElsewhere(holder))) throw inUse(dataFolder, holder)
}

function inUse(dataFolder: string, { pid }: Partial<ProcessIdentity>): DataFolderInUse {
  return new DataFolderInUse(
    `Cannot open ${dataFolder}: process ${pid ?? '(unknown)'} has it open; stop it, or choose another folder ` +
      `with --data`,
  )
}

/** The recorded holder; empty if a full disk or a crash left no file, or half of one. */
async function findHolder(file: string): Promise<Partial<Holder>> {
  const text = await findText(file)
  try {
    return text === undefined ? {} : JSON.parse(text)
  } catch {
    return {}
  }
}
