import { Mutex } from '../../lib/concurrency.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { present } from '../../lib/present.ts'
import { digestOfHash, looksLikeDigest } from '../../runtime/digest.ts'
import { Sha256 } from '../../runtime/platform/crypto.ts'
import { ensureFolderDurably, publishFile } from '../../runtime/platform/files/durable-files.ts'
import { writeChunks } from '../../runtime/platform/files/file-chunks.ts'
import { findFileBytes, findModifiedMs, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { dirName, joinPath } from '../../runtime/platform/files/paths.ts'

/** Bytes that were received completely and wait in the temporary folder to be committed. */
export interface ReceivedBlob {
  readonly digest: string
  readonly bytes: number
  /** Where the bytes are until the blob is committed or discarded. */
  readonly path: string
}

/** A committed blob. It is immutable. */
export interface StoredBlob {
  readonly path: string
  readonly bytes: number
}

export interface BlobStoreOptions {
  /** `data/blobs`. */
  readonly folder: string
  /** Returns a new path in a temporary folder on the same file system. */
  readonly temporaryFile: () => string
  /** Called before and while bytes are written; throws if there is no space for them. */
  readonly refuseIfShort: () => void
}

const digestChars = 43

/**
 * Content-addressed blobs, one immutable file each: `<first two characters>/<digest>`. The store
 * does not know which project uses which blob; unreferenced blobs are swept after a while.
 */
export class BlobStore {
  private readonly options: BlobStoreOptions
  /** Held while a blob is committed or removed. */
  private readonly names = new Mutex()
  /**
   * Folders (at most 4,096) whose directory entry is known to be durable. A folder that already
   * exists may have been created just before a crash.
   */
  private readonly durableFolders = new Set<string>()

  private constructor(options: BlobStoreOptions) {
    this.options = options
  }

  static async open(options: BlobStoreOptions): Promise<BlobStore> {
    await ensureFolderDurably(options.folder)
    return new BlobStore(options)
  }

  /**
   * Receives a blob. Nothing is left behind if this fails.
   *
   * @throws DomainError InsufficientStorage
   */
  async receive(pieces: AsyncIterable<Uint8Array>): Promise<ReceivedBlob> {
    const { refuseIfShort } = this.options
    refuseIfShort()
    const path = this.options.temporaryFile()
    const hash = new Sha256()
    let bytes = 0
    const counted = async function* () {
      for await (const piece of pieces) {
        refuseIfShort()
        hash.update(piece)
        bytes += piece.byteLength
        yield piece
      }
    }
    await writeChunks(path, counted())
    return { path, bytes, digest: digestOfHash(hash.digest()) }
  }

  /**
   * Publishes a received blob under its digest, durably. An existing blob with this digest is
   * replaced, which renews its age.
   */
  async commit({ path, digest }: ReceivedBlob): Promise<void> {
    const final = present(this.pathOf(digest), 'The path of a digest')
    await this.names.run(async () => {
      const folder = dirName(final)
      if (!this.durableFolders.has(folder)) {
        await ensureFolderDurably(folder)
        this.durableFolders.add(folder)
      }
      await publishFile(path, final)
    })
  }

  async discard({ path }: ReceivedBlob): Promise<void> {
    await removeFile(path)
  }

  async find(digest: string): Promise<StoredBlob | undefined> {
    const path = this.pathOf(digest)
    const bytes = path === undefined ? undefined : await findFileBytes(path)
    return path === undefined || bytes === undefined ? undefined : { path, bytes }
  }

  /**
   * Removes unreferenced blobs that were last received before `beforeMs`. Returns how many.
   *
   * @param findReferenced returns the subset of the given digests that is referenced
   */
  async sweep(
    beforeMs: number,
    findReferenced: (digests: readonly string[]) => Promise<ReadonlySet<string>>,
    signal: AbortSignal,
  ): Promise<number> {
    let removed = 0
    let candidates: string[] = []
    const removeUnnamed = async () => {
      const kept = await findReferenced(candidates)
      for (const digest of candidates) {
        if (!kept.has(digest) && (await this.removeIfOlder(digest, beforeMs))) removed++
      }
      candidates = []
    }
    for (const shard of await listFolder(this.options.folder)) {
      for (const digest of await listFolder(joinPath(this.options.folder, shard))) {
        if (signal.aborted) return removed
        if (await this.isOlder(digest, beforeMs)) candidates.push(digest)
        if (candidates.length === storageLimits.blobsSweptTogether) await removeUnnamed()
      }
    }
    if (candidates.length > 0) await removeUnnamed()
    return removed
  }

  /** The same content may have been uploaded again since it was checked. */
  private async removeIfOlder(digest: string, beforeMs: number): Promise<boolean> {
    return await this.names.run(async () => {
      if (!(await this.isOlder(digest, beforeMs))) return false
      await removeFile(present(this.pathOf(digest), 'The path of a digest'))
      return true
    })
  }

  private async isOlder(digest: string, beforeMs: number): Promise<boolean> {
    const path = this.pathOf(digest)
    const modifiedMs = path === undefined ? undefined : await findModifiedMs(path)
    return modifiedMs !== undefined && modifiedMs < beforeMs
  }

  /** Undefined for anything but a digest, so that no outside input becomes a path. */
  private pathOf(digest: string): string | undefined {
    return digest.length === digestChars && looksLikeDigest(digest)
      ? joinPath(this.options.folder, digest.slice(0, 2), digest)
      : undefined
  }
}
