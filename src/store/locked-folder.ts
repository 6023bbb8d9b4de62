import { v7 as uuid } from 'uuid'
import type { FolderLock } from '../duck/folder-lock.ts'
import { DomainError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Clock } from '../platform/clock.ts'
import { ensureFolderDurably, writeFileDurably } from '../platform/durable-files.ts'
import { ensureFolder, fileExists, findFileIdentity, findText, removeFolder } from '../platform/files.ts'
import { joinPath } from '../platform/paths.ts'
import { isRunningElsewhere, ownIdentity, type ProcessIdentity } from '../platform/process-identity.ts'
import { acquireLock } from './acquire-lock.ts'
import { DataFolderError } from './data-folder-error.ts'
import { holderFile, lockFile, temporaryFolder, unfinishedBackupFile } from './layout.ts'

/** What `server.json` says. */
interface Holder extends ProcessIdentity {
  /** True once the process has closed the folder, which it may outlive. */
  readonly released?: boolean
}

/** Another process holds the folder. */
class DataFolderInUse extends DataFolderError {
  override readonly name = 'DataFolderInUse'
}

/** A data folder that this process has for itself until it is released, or until somebody removes or replaces its lock. */
export class LockedFolder {
  /** Empty when the folder was taken. */
  readonly temporaryFolder: string
  /** Why the folder is no longer ours; undefined while it is. Never ours again afterwards. */
  lost: string | undefined
  private readonly lockFile: string
  private readonly holderFile: string
  private readonly lock: FolderLock
  private readonly identity: string

  private constructor(dataFolder: string, lock: FolderLock, identity: string) {
    this.temporaryFolder = temporaryFolder(dataFolder)
    this.lockFile = lockFile(dataFolder)
    this.holderFile = holderFile(dataFolder)
    this.lock = lock
    this.identity = identity
  }

  /** @throws DataFolderInUse where another process has it; DataFolderError where it is none, or a backup that was never finished */
  static async acquire(dataFolder: string, clock: Clock, log: Log): Promise<LockedFolder> {
    await makeFolder(dataFolder)
    await refuseUnfinishedBackup(dataFolder)
    const lock = await acquireLock(dataFolder, (err) =>
      log.warn({ err }, 'the lock of the data folder was damaged; it was made anew'),
    )
    if (lock === undefined) throw inUse(dataFolder, await findHolder(holderFile(dataFolder)))
    try {
      await refuseRunningHolder(dataFolder)
      const identity = await findFileIdentity(lockFile(dataFolder))
      if (identity === undefined) throw new DataFolderInUse(`Open ${dataFolder}: its lock was removed at the same time`)
      const held = new LockedFolder(dataFolder, lock, identity)
      const holder = { ...(await ownIdentity()), started_at: new Date(clock.nowMs()) }
      await writeFileDurably(holderFile(dataFolder), `${JSON.stringify(holder)}\n`)
      await removeFolder(held.temporaryFolder)
      await ensureFolder(held.temporaryFolder)
      return held
    } catch (cause) {
      lock.release()
      throw cause
    }
  }

  /** A path in the temporary folder that nothing else uses. */
  temporaryFile(ending: string): string {
    return joinPath(this.temporaryFolder, `${uuid()}.${ending}`)
  }

  /**
   * Makes sure that the lock is still in its place. Asked between making something durable and saying so: another process that takes the folder
   * takes the place of the lock first and reads afterwards, so what was durable before is seen by it.
   *
   * @throws DomainError StoreUnavailable where it is not, now or at an earlier time
   */
  async assertHeld(): Promise<void> {
    if (this.lost === undefined && (await findFileIdentity(this.lockFile)) !== this.identity)
      this.lost = 'the lock file of the data folder was removed or replaced; another server may have the folder'
    if (this.lost !== undefined) throw new DomainError('StoreUnavailable', `Use the data folder: ${this.lost}`)
  }

  /** Frees the folder for others while this process runs on. Nothing may be written to it afterwards. */
  async release(): Promise<void> {
    try {
      const holder = await findHolder(this.holderFile)
      // Another server may have taken a folder that was lost; what it says of itself stays.
      if (this.lost === undefined)
        await writeFileDurably(this.holderFile, `${JSON.stringify({ ...holder, released: true })}\n`)
    } finally {
      this.lock.release()
    }
  }
}

async function makeFolder(dataFolder: string): Promise<void> {
  try {
    await ensureFolderDurably(dataFolder)
  } catch (cause) {
    throw new DataFolderError(`Open ${dataFolder}: it is no folder and cannot become one`, { cause })
  }
}

/** Half of a folder would look like a whole one from which things are gone. */
export async function refuseUnfinishedBackup(dataFolder: string): Promise<void> {
  if (await fileExists(unfinishedBackupFile(dataFolder)))
    throw new DataFolderError(
      `Open ${dataFolder}: the backup into it was interrupted before it was whole; run "tracelake backup" into it again`,
    )
}

/** A lock file that was removed locks nobody out, but who made it may still run. */
async function refuseRunningHolder(dataFolder: string): Promise<void> {
  const holder = await findHolder(holderFile(dataFolder))
  if (holder.released !== true && (await isRunningElsewhere(holder))) throw inUse(dataFolder, holder)
}

function inUse(dataFolder: string, { pid }: Partial<ProcessIdentity>): DataFolderInUse {
  return new DataFolderInUse(
    `Open ${dataFolder}: the process ${pid ?? '(unknown)'} has it open; stop it, or choose another folder with --data`,
  )
}

/** What the folder says of its holder; nothing where a full disk or a crash left no such file, or half of one. */
async function findHolder(file: string): Promise<Partial<Holder>> {
  const text = await findText(file)
  try {
    return text === undefined ? {} : (JSON.parse(text) as Partial<Holder>)
  } catch {
    return {}
  }
}
