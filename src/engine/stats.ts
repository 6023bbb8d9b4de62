/** Bytes and files on disk, rows in memory. */
export interface StoreSize {
  readonly fileBytes: number
  readonly files: number
  readonly fileRows: number
  readonly memtableRows: number
}

/** A table whose accepted rows are all in files. */
export interface FlushedTable {
  readonly table: string
  /** Version of the Delta table. */
  readonly version: number
  readonly rows: number
}

/** The current contents of a table, and counters since startup. */
export interface TableStats extends StoreSize {
  readonly table: string
  readonly memtableBytes: number
  /** Damaged files, whose rows are not served. */
  readonly damagedFiles: number
  /** Memory used by the key index, and the number of its groups. */
  readonly index: { readonly memoryBytes: number; readonly groups: number }
  /** Rows accepted, their bytes in memory, and WAL syncs for them. */
  readonly log: { readonly rows: number; readonly bytes: number; readonly syncs: number }
  readonly flushes: number
  readonly flushFailures: number
  /**
   * Age of the oldest acknowledged row that is not in the files yet (milliseconds); 0 if there is
   * none.
   */
  readonly unflushedAgeMs: number
  /**
   * Commits of other engines that were followed, and own commits that had to be retried behind
   * them.
   */
  readonly foreignCommits: number
  readonly lostRaces: number
  /** Files whose rows have still to tell those above them; see `LineageUpkeep`. */
  readonly unlearnedFiles: number
  /** Completed and failed compactions. */
  readonly compactions: number
  readonly compactionFailures: number
}

export interface StoreStats {
  readonly tables: readonly TableStats[]
  /** Reads in progress, and reads waiting for a connection. */
  readonly readers: { readonly busy: number; readonly waiting: number }
  readonly duckdb: { readonly memoryBytes: number; readonly spilledBytes: number }
}

/** Adds up the sizes of several tables. */
export function sumSizes(sizes: Iterable<StoreSize>): StoreSize {
  const sum = { fileBytes: 0, files: 0, fileRows: 0, memtableRows: 0 }
  for (const { fileBytes, files, fileRows, memtableRows } of sizes) {
    sum.fileBytes += fileBytes
    sum.files += files
    sum.fileRows += fileRows
    sum.memtableRows += memtableRows
  }
  return sum
}
