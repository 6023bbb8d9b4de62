/** A committed blob. It is immutable. */
export interface StoredBlob {
  readonly bytes: number
  /**
   * The bytes from `from` up to, but excluding, `to`.
   *
   * @throws DomainError StoreUnavailable if they are in an object store that does not answer
   */
  read(from: number, to: number): AsyncGenerator<Uint8Array>
  /** The same bytes as a body of known length; undefined if they have to be streamed by `read`. */
  body(from: number, to: number): Promise<Blob | undefined>
}

/** Where committed blobs are. */
export interface BlobPlace {
  /**
   * Stores a file of the temporary folder, durably, and takes it over. If the blob is there
   * already, its age starts anew.
   */
  put(file: string, blob: { readonly digest: string; readonly bytes: number }): Promise<void>
  find(digest: string): Promise<StoredBlob | undefined>
  /** Digests that were last put before a time (milliseconds). */
  listOlder(beforeMs: number): AsyncGenerator<string>
  /** Removes a blob unless it has been put again since. @returns whether it was removed */
  removeIfOlder(digest: string, beforeMs: number): Promise<boolean>
}
