/** A file, folder or link of an archive. */
export interface ArchiveEntry {
  /** Path with slashes, without one at the beginning or end. */
  readonly path: string
  readonly mode: number
  /** Undefined for a folder. */
  readonly content?: Uint8Array | { readonly linkTo: string }
  /** Owner and group; 0 unless given. */
  readonly owner?: number
}

/** A file, and no folder or link. */
export interface FileEntry extends ArchiveEntry {
  readonly content: Uint8Array
}

export const textEntry = (path: string, text: string, mode = 0o644): FileEntry => ({
  path,
  mode,
  content: new TextEncoder().encode(text),
})

/** Archives list their entries by path, so the same files give the same bytes. */
export const byPath = <Entry extends ArchiveEntry>(entries: readonly Entry[]): Entry[] =>
  [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))
