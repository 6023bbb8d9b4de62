import { present } from '../../lib/present.ts'
import { ensureFolder } from '../platform/files/files.ts'
import { pointLink } from '../platform/files/links.ts'
import { joinPath } from '../platform/files/paths.ts'

interface Link {
  /** Path of the link. */
  readonly name: string
  /** When it leads to its file; undefined if it has to be made, for the first time or again. */
  ready: Promise<void> | undefined
  /** Statements that read its file. */
  users: number
}

/** A link that a statement uses, as it was made then. */
interface TakenLink {
  readonly link: Link
  readonly ready: Promise<void>
}

/** Links to the files of one statement, which stay until it is disposed of. */
export interface LinkedFiles extends Disposable {
  linkOf(path: string): string
  /** A text that has the files instead of their links. */
  named(text: string): string
  /** Call when the statement has failed: its links may be gone, so later ones make them again. */
  suspect(): void
}

/**
 * Bounds how many footers of Parquet files DuckDB keeps. With `parquet_metadata_cache`, it keeps
 * the footer of each file that it has read, by path and for good. So it reads files by links, and
 * the least recently used ones are given to other files; DuckDB notices that another file is there,
 * and then keeps its footer instead. See docs/decisions/312-footers-that-duckdb-keeps.md.
 */
export class KeptFooters {
  private readonly folder: string
  private readonly filesMax: number
  /** By path of the file; the least recently used first. */
  private readonly links = new Map<string, Link>()
  /** Names that no file has. */
  private readonly free: string[]

  /** @param folder has nothing but the links, and is created with the first one */
  constructor(folder: string, filesMax: number) {
    this.folder = folder
    this.filesMax = filesMax
    this.free = Array.from({ length: filesMax }, (_, index) => joinPath(folder, `${index}.parquet`))
  }

  /** Files that have names of links. */
  get size(): number {
    return this.links.size
  }

  /**
   * Links to the files of a statement; undefined if there are not enough, or if they cannot be
   * made, as in a file system that has none. Such a statement reads all footers by itself.
   */
  async take(paths: readonly string[]): Promise<LinkedFiles | undefined> {
    const taken = this.use(new Set(paths))
    if (taken === undefined) return undefined
    const release = () => {
      for (const { link } of taken.values()) link.users--
    }
    // Even if one fails: a link that nothing uses may be given to another file at once.
    const made = await Promise.allSettled([...taken.values()].map(({ ready }) => ready))
    if (made.some(({ status }) => status === 'rejected')) {
      release()
      return undefined
    }
    return {
      linkOf: (path) => present(taken.get(path), 'The link of a file').link.name,
      named: (text) => [...taken].reduce((named, [path, { link }]) => named.replaceAll(link.name, path), text),
      suspect: () => {
        for (const { link, ready } of taken.values()) if (link.ready === ready) link.ready = undefined
      },
      [Symbol.dispose]: release,
    }
  }

  private use(paths: ReadonlySet<string>): ReadonlyMap<string, TakenLink> | undefined {
    if (paths.size > this.filesMax) return undefined
    const missing = [...paths].filter((path) => !this.links.has(path))
    const reused = [...this.links]
      .filter(([path, { users }]) => users === 0 && !paths.has(path))
      .slice(0, Math.max(0, missing.length - this.free.length))
    if (this.free.length + reused.length < missing.length) return undefined
    for (const [path, { name }] of reused) {
      this.links.delete(path)
      this.free.push(name)
    }
    return new Map([...paths].map((path) => [path, this.linkTo(path)]))
  }

  /** The link becomes the most recently used one. */
  private linkTo(path: string): TakenLink {
    const link = this.links.get(path) ?? { name: present(this.free.pop(), 'A free name'), ready: undefined, users: 0 }
    this.links.delete(path)
    this.links.set(path, link)
    link.users++
    const ready = link.ready ?? this.make(link, path)
    return { link, ready }
  }

  private make(link: Link, path: string): Promise<void> {
    const ready = ensureFolder(this.folder).then(() => pointLink(link.name, path))
    link.ready = ready
    ready.catch(() => {
      link.ready = undefined
    })
    return ready
  }
}
