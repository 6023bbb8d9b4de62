import { fileExists } from '../runtime/platform/files/files.ts'
import { RandomAccessFile, type ReadableFile } from '../runtime/platform/files/random-access-file.ts'
import type { LastUsed } from './last-used.ts'

/** A Bloom filter of a data file; see `BloomFilter`. */
export interface FilterInMemory {
  readonly byteLength: number
  readonly hashing: 'xxh32' | 'xxh64'
  mayContain(hash: { readonly a: number; readonly b: number }): boolean
}

/** The data files of tables and their indexes, by path, wherever they are. */
export interface StoredFiles {
  /**
   * If files have to be fetched, the memory for their Bloom filters, which are read when they are
   * needed. Undefined if they are read when a table is opened.
   */
  readonly filters: LastUsed<FilterInMemory> | undefined
  /** Whether all of a file can be read without fetching it. */
  isAtHand(path: string): boolean
  exists(path: string): Promise<boolean>
  /**
   * Opens a file to read parts of it.
   *
   * @returns undefined if there is no such file
   * @throws DomainError StoreUnavailable
   */
  open(path: string): Promise<ReadableFile | undefined>
  /**
   * Brings a whole file of which several parts are about to be read, if it has to be fetched and is
   * so small that this takes one request.
   *
   * @throws DomainError StoreUnavailable
   */
  fetchSmall(path: string): Promise<void>
  /**
   * Brings files to where they are read by path, and keeps them there until the result is disposed
   * of. Other paths are ignored.
   *
   * @throws DomainError StoreUnavailable, also if the signal aborts
   */
  hold(paths: readonly string[], signal?: AbortSignal): Promise<Disposable>
  /**
   * Removes a damaged file if it is only a copy of one that is elsewhere.
   *
   * @returns whether it was removed
   */
  discardCopy(path: string): Promise<boolean>
}

/** Files that are in the folders of their tables. */
export const localFiles: StoredFiles = {
  filters: undefined,
  isAtHand: () => true,
  exists: fileExists,
  open: (path) => RandomAccessFile.find(path),
  fetchSmall: async () => {},
  hold: async () => ({ [Symbol.dispose]: () => {} }),
  discardCopy: async () => false,
}
