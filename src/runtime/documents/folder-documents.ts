import { requestLimits } from '../../lib/limits/requests.ts'
import { ensureFolderDurably, writeFileDurably } from '../platform/files/durable-files.ts'
import { findFileVersion, withFileLock } from '../platform/files/file-lock.ts'
import { findText } from '../platform/files/files.ts'
import { joinPath } from '../platform/files/paths.ts'
import { type DocumentContent, type Documents, documentText, type Editing, type OwnDocument } from './documents.ts'

const lockOptions = { staleAfterMs: requestLimits.fileLockStaleMs, waitMs: requestLimits.fileLockWaitMs }

/** Documents as files of a folder that only the owner of the process can read. */
export class FolderDocuments implements Documents {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  placeOf(name: string): string {
    return joinPath(this.folder, name)
  }

  find(name: string): Promise<string | undefined> {
    return findText(this.placeOf(name))
  }

  version(name: string): Promise<string | undefined> {
    return findFileVersion(this.placeOf(name))
  }

  newestVersion(name: string): Promise<string | undefined> {
    return this.version(name)
  }

  /** Safe for concurrent processes: they read, change and replace the file under a lock. */
  async change(name: string, edit: (before: string | undefined) => Editing): Promise<void> {
    await ensureFolderDurably(this.folder)
    const file = this.placeOf(name)
    await withFileLock(`${file}.lock`, lockOptions, async (lock) => {
      const content = await edit(await findText(file))
      if (content === null) return
      if (!(await lock.isHeld()))
        throw new Error(`Lost the lock on "${file}" to another process; nothing was changed, try again`)
      await write(file, content)
    })
  }

  /** The server has the lock of the folder, so the file needs none. */
  async own(name: string): Promise<OwnDocument> {
    const file = this.placeOf(name)
    return { read: () => findText(file), write: (content) => write(file, content) }
  }
}

const write = (file: string, content: DocumentContent): Promise<void> =>
  writeFileDurably(file, documentText(content), { mode: 0o600 })
