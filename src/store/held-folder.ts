import { v7 as uuid } from 'uuid'
import { FolderLock } from '../duck/folder-lock.ts'
import type { Clock } from '../platform/clock.ts'
import { writeFileDurably } from '../platform/durable-files.ts'
import { ensureFolder, fileExists, findText, removeFolder } from '../platform/files.ts'
import { joinPath } from '../platform/paths.ts'
import { processId } from '../platform/runtime.ts'
import { FolderRefused } from './folder-refused.ts'
import { holderFile, lockFile, temporaryFolder, unfinishedBackupFile } from './layout.ts'

/** Another process holds the folder. */
export class FolderInUse extends FolderRefused {
  override readonly name = 'FolderInUse'
}

/** A data folder that this process has for itself until it is released. */
export class HeldFolder {
  /** Empty when the folder was taken. */
  readonly temporaryFolder: string
  private readonly lock: FolderLock

  private constructor(dataFolder: string, lock: FolderLock) {
    this.temporaryFolder = temporaryFolder(dataFolder)
    this.lock = lock
  }

  /** @throws FolderInUse where another process has it; FolderRefused where it is none, or a backup that was never finished */
  static async take(dataFolder: string, clock: Clock): Promise<HeldFolder> {
    await makeFolder(dataFolder)
    await refuseUnfinishedBackup(dataFolder)
    const lock = await FolderLock.tryAcquire(lockFile(dataFolder))
    if (lock === undefined) throw new FolderInUse(await describeHolder(dataFolder))
    const held = new HeldFolder(dataFolder, lock)
    try {
      const holder = { pid: processId(), started_at: new Date(clock.nowMs()) }
      await writeFileDurably(holderFile(dataFolder), `${JSON.stringify(holder)}\n`)
      await removeFolder(held.temporaryFolder)
      await ensureFolder(held.temporaryFolder)
      return held
    } catch (cause) {
      held.release()
      throw cause
    }
  }

  /** A path in the temporary folder that nothing else uses. */
  temporaryFile(ending: string): string {
    return joinPath(this.temporaryFolder, `${uuid()}.${ending}`)
  }

  release(): void {
    this.lock.release()
  }
}

async function makeFolder(dataFolder: string): Promise<void> {
  try {
    await ensureFolder(dataFolder)
  } catch (cause) {
    throw new FolderRefused(`Open ${dataFolder}: it is no folder and cannot become one`, { cause })
  }
}

/** Half of a folder would look like a whole one from which things are gone. */
export async function refuseUnfinishedBackup(dataFolder: string): Promise<void> {
  if (await fileExists(unfinishedBackupFile(dataFolder)))
    throw new FolderRefused(
      `Open ${dataFolder}: the backup into it was interrupted before it was whole; run "tracelake backup" into it again`,
    )
}

async function describeHolder(dataFolder: string): Promise<string> {
  const text = await findText(holderFile(dataFolder))
  const pid = text === undefined ? undefined : (JSON.parse(text) as { pid?: number }).pid
  return `Open ${dataFolder}: the process ${pid ?? '(unknown)'} has it open; stop it, or choose another folder with --data`
}
