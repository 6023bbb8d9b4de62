import { randomHex } from '../../../runtime/platform/crypto.ts'
import { checksum } from '../../../runtime/platform/files/bytes.ts'
import { readChunks } from '../../../runtime/platform/files/file-chunks.ts'
import {
  ensureFolder,
  findFileBytes,
  removeFile,
  removeFolder,
  renameFile,
} from '../../../runtime/platform/files/files.ts'
import { listFilesBelow } from '../../../runtime/platform/files/object-files.ts'
import { dirName, joinPath } from '../../../runtime/platform/files/paths.ts'
import { isAhead } from '../../../runtime/platform/without-waiting.ts'
import { CacheJournal } from './cache-journal.ts'
import { type CachedFile, CachedFiles } from './cached-files.ts'

const own = '.cache'

/** The key of a file that is a part of an object. No object has a name like this. */
export const blockKey = (fileName: string): string => `${own}/blocks/${fileName}`

/**
 * The files of a cache: which there are and what they contain, how they come and how they go. A
 * key is a path in the folder.
 */
export class CacheFolder {
  readonly files = new CachedFiles()
  readonly bytesMax: number
  evictions = 0
  fetchedBytes = 0
  /** Of these, the bytes that were fetched ahead of any request. */
  prefetchedBytes = 0
  damaged = 0
  private readonly folder: string
  private readonly journal: CacheJournal
  /** Files that are no longer among `files`, but may still be on disk. */
  private readonly leaving = new Map<string, Promise<void>>()
  private arrivingBytes = 0

  private constructor(folder: string, bytesMax: number) {
    this.folder = folder
    this.bytesMax = bytesMax
    this.journal = new CacheJournal(joinPath(folder, own, 'files'))
  }

  /** @param owns folders in which every file that the cache does not know is removed */
  static async open(folder: string, bytesMax: number, owns: readonly string[]): Promise<CacheFolder> {
    const opened = new CacheFolder(folder, bytesMax)
    await removeFolder(opened.pathOf(`${own}/arriving`))
    for (const name of ['arriving', 'blocks']) await ensureFolder(opened.pathOf(`${own}/${name}`))
    for (const [key, content] of await opened.journal.read()) {
      if ((await findFileBytes(opened.pathOf(key))) !== content.bytes) await removeFile(opened.pathOf(key))
      else opened.files.set(key, { ...content, isProven: false })
    }
    for (const name of [...owns, `${own}/blocks`])
      for (const file of await listFilesBelow(opened.pathOf(name)))
        if (opened.files.find(`${name}/${file}`) === undefined) await removeFile(opened.pathOf(`${name}/${file}`))
    await opened.makeRoom(0)
    await opened.close()
    return opened
  }

  pathOf(key: string): string {
    return joinPath(this.folder, key)
  }

  /** Whether a file is on disk with the bytes that it had. Reads all of it. */
  async isSound(key: string, { bytes, checksum: sum }: CachedFile): Promise<boolean> {
    const path = this.pathOf(key)
    return (await findFileBytes(path)) === bytes && (await checksumOf(path, bytes)) === sum
  }

  /**
   * Makes room, has a file written under a temporary name, and then gives it its own.
   *
   * @param write returns the CRC-32 of what it has written
   */
  async arrive(key: string, bytes: number, write: (file: string) => Promise<number>): Promise<void> {
    const temporary = this.pathOf(`${own}/arriving/${randomHex(12)}`)
    this.arrivingBytes += bytes
    try {
      await this.makeRoom(this.arrivingBytes)
      const sum = await write(temporary)
      this.fetchedBytes += bytes
      if (isAhead()) this.prefetchedBytes += bytes
      await this.leaving.get(key)
      await ensureFolder(dirName(this.pathOf(key)))
      await renameFile(temporary, this.pathOf(key))
      await this.add(key, { bytes, checksum: sum, isProven: true })
    } finally {
      this.arrivingBytes -= bytes
      await removeFile(temporary)
    }
  }

  /** Adds a file that is on disk under its own name. */
  async adopt(key: string, bytes: number): Promise<void> {
    await this.add(key, { bytes, checksum: await checksumOf(this.pathOf(key), bytes), isProven: true })
    await this.makeRoom(0)
  }

  unpin(key: string): void {
    this.files.unpin(key)
    // What there was no room for goes now; what cannot be removed, when the folder is opened again.
    if (this.files.bytes > this.bytesMax) this.makeRoom(0).catch(() => {})
  }

  async remove(key: string): Promise<void> {
    this.files.delete(key)
    const removed = removeFile(this.pathOf(key)).finally(() => this.leaving.delete(key))
    this.leaving.set(key, removed)
    await removed
  }

  async removeDamaged(key: string): Promise<void> {
    this.damaged++
    await this.remove(key)
  }

  /** Notes what there is, in the order of the last use, once all else is removed. */
  async close(): Promise<void> {
    await Promise.allSettled(this.leaving.values())
    await this.journal.rewrite(() => this.files.inOrder())
  }

  private async add(key: string, file: CachedFile): Promise<void> {
    this.files.set(key, file)
    await this.journal.add(key, file)
    if (this.journal.isLong(this.files.count)) await this.journal.rewrite(() => this.files.inOrder())
  }

  /** Removes files until `bytes` more are within the bound, or all others are in use. */
  private async makeRoom(bytes: number): Promise<void> {
    while (this.files.bytes + bytes > this.bytesMax) {
      const key = this.files.oldestIdle()
      if (key === undefined) return
      this.evictions++
      await this.remove(key)
    }
  }
}

/** CRC-32 of all bytes of a file. */
export async function checksumOf(file: string, bytes: number): Promise<number> {
  let sum = 0
  for await (const piece of readChunks(file, 0, bytes)) sum = checksum(piece, sum)
  return sum
}
