import { v7 as uuid } from 'uuid'
import type { FolderLock } from '../../runtime/duck/folder-lock.ts'
import { ensureFolderDurably, syncFolder, writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import {
  ensureFolder,
  fileExists,
  findFileBytes,
  findRealPath,
  listFolder,
  removeFile,
  removeFolder,
} from '../../runtime/platform/files/files.ts'
import { linkOrCopyFile } from '../../runtime/platform/files/link-or-copy-file.ts'
import { absolutePath, dirName, isInside, joinPath } from '../../runtime/platform/files/paths.ts'
import { acquireLock } from '../folder/locked-folder.ts'
import { backupNoteFile, DataFolderError, holderFile, temporaryFolder, unfinishedBackupFile } from '../layout.ts'

/** The target folder of a backup, locked by this process until `release`. */
export class BackupTarget {
  readonly folder: string
  private readonly lock: FolderLock

  private constructor(folder: string, lock: FolderLock) {
    this.folder = folder
    this.lock = lock
  }

  /** @throws DataFolderError if `to` cannot hold a backup of `from` */
  static async acquire(from: string, to: string): Promise<BackupTarget> {
    await refuseOtherTarget(from, to)
    await ensureFolderDurably(to)
    const lock = await acquireLock(to, () => {})
    if (lock === undefined)
      throw new DataFolderError(`Cannot back up ${from} to ${to}: another backup to this target is in progress`)
    const target = new BackupTarget(to, lock)
    try {
      if (!(await fileExists(backupNoteFile(to)))) await writeFileDurably(unfinishedBackupFile(to), '{}\n')
      await removeFolder(temporaryFolder(to))
      await ensureFolder(temporaryFolder(to))
      return target
    } catch (cause) {
      target.release()
      throw cause
    }
  }

  /** A unique path in a temporary folder on the same file system. */
  temporaryFile(): string {
    return joinPath(temporaryFolder(this.folder), uuid())
  }

  /** Marks the backup as complete. */
  async finish(note: Readonly<Record<string, unknown>>): Promise<void> {
    await writeFileDurably(backupNoteFile(this.folder), `${JSON.stringify(note, null, 2)}\n`)
    await removeFile(unfinishedBackupFile(this.folder))
    await syncFolder(this.folder)
  }

  async clear(): Promise<void> {
    await removeFolder(temporaryFolder(this.folder))
  }

  release(): void {
    this.lock.release()
  }
}

/** @throws DataFolderError if `to` cannot hold a backup of `from` */
export async function refuseOtherTarget(from: string, to: string): Promise<void> {
  const failed = (why: string) => new DataFolderError(`Cannot back up ${from} to ${to}: ${why}`)
  const [source, folder] = [await resolvePath(from), await resolvePath(to)]
  if (isInside(source, folder) || isInside(folder, source)) throw failed('one folder is inside the other')
  const isBackup = (await fileExists(backupNoteFile(to))) || (await fileExists(unfinishedBackupFile(to)))
  if (!isBackup && (await listFolder(to)).some((name) => !ignoredNames.has(name)))
    throw failed('the target is not empty and not a backup; choose an empty folder')
  if (await fileExists(holderFile(to)))
    throw failed('a server has used the target as its data folder; choose another folder')
}

/** Names that an empty disk, or the folder of a backup that failed at once, may contain. */
const ignoredNames = new Set(['lost+found', 'lock.duckdb', 'tmp'])

const resolvePath = async (folder: string): Promise<string> => (await findRealPath(folder)) ?? absolutePath(folder)

/** Adds immutable files to a backup, by hard link where possible, and counts them. */
export class LinkOrCopy {
  readonly counts = { linked: 0, copied: 0, newBytes: 0 }
  private readonly target: BackupTarget
  private readonly mayLink: boolean
  private readonly unsynced = new Set<string>()
  private readonly folders = new Set<string>()

  constructor(target: BackupTarget, { mayLink }: { mayLink: boolean }) {
    this.target = target
    this.mayLink = mayLink
  }

  /** Creates a folder and its missing parents. */
  async ensure(folder: string): Promise<void> {
    if (this.folders.has(folder)) return
    this.folders.add(folder)
    if (await fileExists(folder)) return
    await this.ensure(dirName(folder))
    await ensureFolder(folder)
    this.unsynced.add(dirName(folder))
  }

  /**
   * Links or copies a file unless the backup has it.
   *
   * @param bytes its size, if known: an existing file of another size is replaced
   * @returns false if `from` does not exist
   */
  async place(from: string, to: string, bytes?: number): Promise<boolean> {
    const present = await findFileBytes(to)
    if (present === undefined || (bytes !== undefined && present !== bytes)) {
      const { mayLink, target } = this
      const how = await linkOrCopyFile(from, to, { temporary: target.temporaryFile(), mayLink })
      if (how === undefined) return false
      this.counts[how]++
      this.counts.newBytes += (await findFileBytes(to)) ?? 0
      this.unsynced.add(dirName(to))
    }
    return true
  }

  /** The same for a file that keeps its name. */
  placeByName(from: string, to: string, name: string): Promise<boolean> {
    return this.place(joinPath(from, name), joinPath(to, name))
  }

  /** Makes the names of all files placed so far durable. */
  async sync(): Promise<void> {
    for (const folder of this.unsynced) await syncFolder(folder)
    this.unsynced.clear()
  }
}
