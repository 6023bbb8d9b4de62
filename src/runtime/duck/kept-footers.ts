import { present } from '../../lib/present.ts'
import { pointLink } from '../platform/files/links.ts'
import { joinPath } from '../platform/files/paths.ts'

interface Link {
  /** Path of the link. */
  readonly name: string
  readonly ready: Promise<void>
  /** Statements that read its file. */
  users: number
}

/** Links to the files of one statement, which stay until it is disposed of. */
export interface LinkedFiles extends Disposable {
  linkOf(path: string): string
  /** A text that has the files instead of their links. */
  named(text: string): string
}

/**
 * Bounds how many footers of Parquet files DuckDB keeps. With `parquet_metadata_cache`, it keeps
 * the footer of each file that it has read, by path and for good. So it reads files by links, and
 * the least recently used ones are given to other files; DuckDB notices that another file is there,
 * and then keeps its footer instead. See docs/decisions/312-footers-that-duckdb-keeps.md.
 */
export class KeptFooters {
  private readonly filesMax: number
  /** By path of the file; the least recently used first. */
  private readonly links = new Map<string, Link>()
  /** Names that no file has. */
  private readonly free: string[]

  /** @param folder an empty one for the links */
  constructor(folder: string, filesMax: number) {
    this.filesMax = filesMax
    this.free = Array.from({ length: filesMax }, (_, index) => joinPath(folder, `${index}.parquet`))
  }

  /** Files that have links. */
  get size(): number {
    return this.links.size
  }

  /**
   * Links to the files of a statement; undefined if there are not enough, or if the file system has
   * none. Such a statement reads all footers by itself.
   */
  async take(paths: readonly string[]): Promise<LinkedFiles | undefined> {
    const taken = this.use(new Set(paths))
    if (taken === undefined) return undefined
    const release = () => {
      for (const link of taken.values()) link.users--
    }
    try {
      await Promise.all([...taken.values()].map(({ ready }) => ready))
    } catch {
      release()
      return undefined
    }
    return {
      linkOf: (path) => present(taken.get(path), 'The link of a file').name,
      named: (text) => [...taken].reduce((named, [path, { name }]) => named.replaceAll(name, path), text),
      [Symbol.dispose]: release,
    }
  }

  private use(paths: ReadonlySet<string>): ReadonlyMap<string, Link> | undefined {
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
  private linkTo(path: string): Link {
    const link = this.links.get(path) ?? this.create(path, present(this.free.pop(), 'A free name'))
    this.links.delete(path)
    this.links.set(path, link)
    link.users++
    return link
  }

  private create(path: string, name: string): Link {
    const ready = pointLink(name, path)
    ready.catch(() => {
      this.links.delete(path)
      this.free.push(name)
    })
    return { name, ready, users: 0 }
  }
}
