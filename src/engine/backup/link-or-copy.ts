import { syncFolder } from '../../runtime/platform/files/durable-files.ts'
import { ensureFolder, fileExists, findFileBytes } from '../../runtime/platform/files/files.ts'
import { linkOrCopyFile } from '../../runtime/platform/files/link-or-copy-file.ts'
import { dirName, joinPath } from '../../runtime/platform/files/paths.ts'
import type { BackupTarget } from './backup-target.ts'

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
