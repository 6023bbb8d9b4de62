import { AsyncLocalStorage } from 'node:async_hooks'
import { present } from '../../lib/present.ts'

/** How large a data file is. */
export interface FileSize {
  readonly groups: number
  readonly bytes: number
}

/** Which engine searched data files, and why. */
export interface SearchCost {
  readonly engine: 'duckdb' | 'clickhouse'
  readonly reason: string
  /** Milliseconds in ClickHouse, and about how many bytes of data files it searched. */
  readonly ms: number
  readonly bytes: number
}

/**
 * Cost of the reads of one request, collected only for requests that ask for it. See
 * docs/decisions/164-row-groups-and-bytes.md.
 */
export class ReadCost {
  /** Milliseconds until snapshots were there, and in statements. */
  waitedMs = 0
  readMs = 0
  statements = 0
  /** Data files that were read, and those of the caller's projects. */
  readonly filesRead = new Set<string>()
  readonly filesOfProjects = new Set<string>()
  /** Data files of which sums by hour were read instead. */
  readonly filesSummed = new Set<string>()
  /** Data files that statements named; DuckDB does not say which parts of them it read. */
  readonly filesScanned = new Set<string>()
  /** The engine that searched data files; undefined if there was no choice. */
  search: SearchCost | undefined
  /** Bytes of data files that were read without DuckDB. */
  bytesRead = 0
  /** Finds out the size of a data file; undefined until one could be read. */
  sizeOf: ((path: string) => Promise<FileSize>) | undefined
  private readonly groups = new Map<string, Set<number>>()

  /** Notes a row group that was read without DuckDB. */
  addGroup(path: string, group: number): void {
    const groups = this.groups.get(path)
    if (groups === undefined) this.groups.set(path, new Set([group]))
    else groups.add(group)
  }

  /**
   * The row groups and bytes that were read; of files that DuckDB read, all of them.
   *
   * @returns undefined if one of these files is gone or damaged
   */
  async amounts(): Promise<FileSize | undefined> {
    try {
      const others = this.groups.entries().filter(([path]) => !this.filesScanned.has(path))
      const sum = { groups: others.reduce((count, [, { size }]) => count + size, 0), bytes: this.bytesRead }
      // One after the other, so that other requests need not wait to open files.
      for (const path of this.filesScanned) {
        const { groups, bytes } = await present(this.sizeOf, 'The way to the size of a file')(path)
        sum.groups += groups
        sum.bytes += bytes
      }
      return sum
    } catch {
      return undefined
    }
  }
}

const costs = new AsyncLocalStorage<ReadCost>()

/** Collects the cost of `work` and everything it starts. */
export const withReadCost = <T>(cost: ReadCost, work: () => T): T => costs.run(cost, work)

/**
 * The object to which the current work reports its cost; undefined unless the request asked for it.
 */
export const readCost = (): ReadCost | undefined => costs.getStore()
