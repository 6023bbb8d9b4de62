import { forEachConcurrent } from '../../lib/concurrency.ts'
import { copyLimits } from '../../lib/limits/objects.ts'
import { Downloads } from '../../runtime/objects/download.ts'
import type { ObjectInfo } from '../../runtime/objects/object-store.ts'
import { isSameContent } from '../../runtime/objects/same-content.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import {
  ensureFolderDurably,
  publishFile,
  syncFolder,
  writeFileDurably,
} from '../../runtime/platform/files/durable-files.ts'
import {
  ensureFolder,
  findText,
  listFolder,
  readBytes,
  removeFile,
  removeFolder,
} from '../../runtime/platform/files/files.ts'
import { dirName, joinPath } from '../../runtime/platform/files/paths.ts'
import { acquireLock } from '../folder/locked-folder.ts'
import { DataFolderError, temporaryFolder, unfinishedBackupFile } from '../layout.ts'
import { isOwnObject, requireSource } from './copy-marker.ts'
import type { CopyOptions, CopyResult } from './copy-up.ts'

/** Names that the folder of a copy that failed at once may have, and an empty disk. */
const ignoredNames = new Set(['lost+found', 'lock.duckdb', 'tmp'])

/**
 * Copies a data folder back from an object store, into a new or empty folder, or on into one in
 * which it was interrupted. A server refuses the folder until all of it is there.
 *
 * @throws DataFolderError if the source is no whole copy, or the folder has something else
 */
export async function copyDown(options: CopyOptions): Promise<CopyResult> {
  const { store, dataFolder, isDryRun } = options
  const { run } = await requireSource(store)
  const objects: ObjectInfo[] = []
  for await (const object of store.list('')) if (!isOwnObject(object.name)) objects.push(object)
  const text = `${JSON.stringify({ copy_of: store.place, run })}\n`
  await requireFolder(dataFolder, text)
  if (isDryRun) return new CopyDown(options, objects).result({ isPlanned: true })
  return await fillFolder(dataFolder, text, async () => {
    const copy = new CopyDown(options, objects)
    await copy.run()
    const after = await requireSource(store)
    if (after.run !== run) throw new Error(`Cannot copy from ${store.place}: it was replaced meanwhile; try again`)
    return copy.result({ isPlanned: false })
  })
}

/** Fills a folder that no server opens until all of it is there. */
export async function fillFolder<T>(dataFolder: string, text: string, fill: () => Promise<T>): Promise<T> {
  await ensureFolderDurably(dataFolder)
  const lock = await acquireLock(dataFolder, () => {})
  if (lock === undefined)
    throw new DataFolderError(`Cannot copy to ${dataFolder}: a server or another command has it open`)
  try {
    // Another copy may have ended since it was looked at.
    await requireFolder(dataFolder, text)
    await writeFileDurably(unfinishedBackupFile(dataFolder), text)
    await removeFolder(temporaryFolder(dataFolder))
    await ensureFolder(temporaryFolder(dataFolder))
    const filled = await fill()
    await removeFile(unfinishedBackupFile(dataFolder))
    await syncFolder(dataFolder)
    return filled
  } finally {
    lock.release()
  }
}

/**
 * @param text of the marker of an unfinished copy
 * @throws DataFolderError if the folder has something else
 */
export async function requireFolder(dataFolder: string, text: string): Promise<void> {
  const begun = await findText(unfinishedBackupFile(dataFolder))
  if (begun === text) return
  const why =
    begun !== undefined
      ? 'it is an incomplete copy of something else'
      : (await listFolder(dataFolder)).some((name) => !ignoredNames.has(name))
        ? 'it is not empty'
        : undefined
  if (why !== undefined) throw new DataFolderError(`Cannot copy to ${dataFolder}: ${why}; choose a new folder`)
}

class CopyDown {
  private readonly options: CopyOptions
  private readonly objects: readonly ObjectInfo[]
  private readonly downloads: Downloads
  private newFiles = 0
  private newBytes = 0
  private done = 0

  constructor(options: CopyOptions, objects: readonly ObjectInfo[]) {
    this.options = options
    this.objects = objects
    this.downloads = new Downloads(options.store)
  }

  result({ isPlanned }: { isPlanned: boolean }): CopyResult {
    const files = this.objects.length
    const bytes = this.objects.reduce((sum, object) => sum + object.bytes, 0)
    return {
      files,
      bytes,
      newFiles: isPlanned ? files : this.newFiles,
      newBytes: isPlanned ? bytes : this.newBytes,
      writes: 0,
    }
  }

  async run(): Promise<void> {
    await forEachConcurrent(this.objects, copyLimits.filesAtOnce, async (object) => {
      await this.copy(object)
      this.options.onProgress('files', ++this.done, this.objects.length)
    })
  }

  private async copy(object: ObjectInfo): Promise<void> {
    const { store, dataFolder } = this.options
    const file = joinPath(dataFolder, object.name)
    if (await isSameContent(store, object, file)) return
    await ensureFolderDurably(dirName(file))
    const temporary = joinPath(temporaryFolder(dataFolder), randomHex(12))
    await this.downloads.fetch(object, temporary)
    if (object.name.includes('/')) await publishFile(temporary, file)
    else {
      // Keys and accounts are for the owner alone.
      await writeFileDurably(file, await readBytes(temporary), { mode: 0o600 })
      await removeFile(temporary)
    }
    this.newFiles++
    this.newBytes += object.bytes
  }
}
