import { storageLimits } from '../../lib/limits/storage.ts'
import { digestOfHash, looksLikeDigest } from '../../runtime/digest.ts'
import { Sha256 } from '../../runtime/platform/crypto.ts'
import { writeChunks } from '../../runtime/platform/files/file-chunks.ts'
import { removeFile } from '../../runtime/platform/files/files.ts'
import type { BlobPlace, StoredBlob } from './blob-place.ts'

/** Bytes that were received completely and wait in the temporary folder to be committed. */
export interface ReceivedBlob {
  readonly digest: string
  readonly bytes: number
  /** Where the bytes are until the blob is committed or discarded. */
  readonly path: string
}

export interface BlobStoreOptions {
  readonly place: BlobPlace
  /** Returns a new path in a temporary folder on the same file system. */
  readonly temporaryFile: () => string
  /** Called before and while bytes are written; throws if there is no space for them. */
  readonly refuseIfShort: () => void
}

const digestChars = 43

/**
 * Content-addressed blobs. The store does not know which project uses which blob; unreferenced
 * blobs are swept after a while.
 */
export class BlobStore {
  private readonly options: BlobStoreOptions

  constructor(options: BlobStoreOptions) {
    this.options = options
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
   * Stores a received blob under its digest, durably.
   *
   * @throws DomainError StoreUnavailable if an object store does not take it
   */
  async commit({ path, ...blob }: ReceivedBlob): Promise<void> {
    await this.options.place.put(path, blob)
  }

  async discard({ path }: ReceivedBlob): Promise<void> {
    await removeFile(path)
  }

  async find(digest: string): Promise<StoredBlob | undefined> {
    return isDigest(digest) ? await this.options.place.find(digest) : undefined
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
    const { place } = this.options
    let removed = 0
    let candidates: string[] = []
    const removeUnnamed = async () => {
      const kept = await findReferenced(candidates)
      for (const digest of candidates) {
        // The same content may have been uploaded again since it was checked.
        if (!kept.has(digest) && (await place.removeIfOlder(digest, beforeMs))) removed++
      }
      candidates = []
    }
    for await (const digest of place.listOlder(beforeMs)) {
      if (signal.aborted) return removed
      if (isDigest(digest)) candidates.push(digest)
      if (candidates.length === storageLimits.blobsSweptTogether) await removeUnnamed()
    }
    if (candidates.length > 0) await removeUnnamed()
    return removed
  }
}

/** False for anything but a digest, so that no outside input becomes a path. */
const isDigest = (text: string): boolean => text.length === digestChars && looksLikeDigest(text)
