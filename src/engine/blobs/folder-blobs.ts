import { Mutex } from '../../lib/concurrency.ts'
import { ensureFolderDurably, publishFile } from '../../runtime/platform/files/durable-files.ts'
import { readChunks, sendableFile } from '../../runtime/platform/files/file-chunks.ts'
import { findFileBytes, findModifiedMs, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { dirName, joinPath } from '../../runtime/platform/files/paths.ts'
import type { BlobPlace, StoredBlob } from './blob-place.ts'

/** Blobs as files: `<first two characters>/<digest>`. */
export class FolderBlobs implements BlobPlace {
  private readonly folder: string
  /** Held while a blob is put or removed. */
  private readonly names = new Mutex()
  /**
   * Folders (at most 4,096) whose directory entry is known to be durable. A folder that already
   * exists may have been created just before a crash.
   */
  private readonly durableFolders = new Set<string>()

  private constructor(folder: string) {
    this.folder = folder
  }

  static async open(folder: string): Promise<FolderBlobs> {
    await ensureFolderDurably(folder)
    return new FolderBlobs(folder)
  }

  /** Replaces an existing blob, which renews its age. */
  async put(file: string, { digest }: { readonly digest: string }): Promise<void> {
    const final = this.pathOf(digest)
    await this.names.run(async () => {
      const folder = dirName(final)
      if (!this.durableFolders.has(folder)) {
        await ensureFolderDurably(folder)
        this.durableFolders.add(folder)
      }
      await publishFile(file, final)
    })
  }

  async find(digest: string): Promise<StoredBlob | undefined> {
    const path = this.pathOf(digest)
    const bytes = await findFileBytes(path)
    if (bytes === undefined) return undefined
    return {
      bytes,
      read: (from, to) => readChunks(path, from, to),
      body: async (from, to) => sendableFile(path, from, to),
    }
  }

  async *listOlder(beforeMs: number): AsyncGenerator<string> {
    for (const shard of await listFolder(this.folder))
      for (const digest of await listFolder(joinPath(this.folder, shard)))
        if (await this.isOlder(digest, beforeMs)) yield digest
  }

  async removeIfOlder(digest: string, beforeMs: number): Promise<boolean> {
    return await this.names.run(async () => {
      if (!(await this.isOlder(digest, beforeMs))) return false
      await removeFile(this.pathOf(digest))
      return true
    })
  }

  private async isOlder(digest: string, beforeMs: number): Promise<boolean> {
    const modifiedMs = await findModifiedMs(this.pathOf(digest))
    return modifiedMs !== undefined && modifiedMs < beforeMs
  }

  private pathOf(digest: string): string {
    return joinPath(this.folder, digest.slice(0, 2), digest)
  }
}
