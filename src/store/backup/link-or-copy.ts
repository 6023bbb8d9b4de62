import { syncFolder } from '../../platform/durable-files.ts'
import { ensureFolder, fileExists, findFileBytes } from '../../platform/files.ts'
import { linkOrCopyFile } from '../../platform/link-or-copy-file.ts'
import { dirName, joinPath } from '../../platform/paths.ts'
import type { BackupTarget } from './backup-target.ts'

/** Puts files that never change into the folder of a backup, and counts them. */
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

  /** Makes a folder and those around it. */
  async ensure(folder: string): Promise<void> {
    if (this.folders.has(folder)) return
    this.folders.add(folder)
    if (await fileExists(folder)) return
    await this.ensure(dirName(folder))
    await ensureFolder(folder)
    this.unsynced.add(dirName(folder))
  }

  /**
   * Links or copies a file, unless the backup has it.
   *
   * @param bytes its size, where that is known: what is there in another size is replaced
   * @returns false where there is no file `from`
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

  /** The same of a file in `from` that has the same name in `to`. */
  placeByName(from: string, to: string, name: string): Promise<boolean> {
    return this.place(joinPath(from, name), joinPath(to, name))
  }

  /** Makes the names of everything placed so far durable. */
  async sync(): Promise<void> {
    for (const folder of this.unsynced) await syncFolder(folder)
    this.unsynced.clear()
  }
}
