/** Bytes and files on disk, rows in memory. */
export interface StoreSize {
  readonly fileBytes: number
  readonly files: number
  readonly fileRows: number
  readonly memtableRows: number
}

/** A table of which everything that was accepted is in files. */
export interface FlushedTable {
  readonly table: string
  /** Of the Delta table. */
  readonly version: number
  readonly rows: number
}

/** What a table holds now, and what was done for it since the start. */
export interface TableStats extends StoreSize {
  readonly table: string
  readonly memtableBytes: number
  /** Files that are damaged and whose rows are not served. */
  readonly damagedFiles: number
  /** What the key index takes in memory, and the groups of files that it has put together. */
  readonly index: { readonly memoryBytes: number; readonly groups: number }
  /** Taken in: rows, their bytes in memory, and how often the log was synced for them. */
  readonly log: { readonly rows: number; readonly bytes: number; readonly syncs: number }
  readonly flushes: number
  readonly flushFailures: number
  /** Age of the oldest row that was acknowledged and is not in the files yet (milliseconds); 0 where all are. */
  readonly unflushedAgeMs: number
  /** Commits of other programs that were followed, and times that one of ours was made again behind them. */
  readonly foreignCommits: number
  readonly lostRaces: number
  /** Times that small files were put together, and that it failed. */
  readonly compactions: number
  readonly compactionFailures: number
}

export interface StoreStats {
  readonly tables: readonly TableStats[]
  /** Reads under way, and those that wait for one of them to end. */
  readonly readers: { readonly busy: number; readonly waiting: number }
  readonly duckdb: { readonly memoryBytes: number; readonly spilledBytes: number }
}

/** Sizes of several tables as one. */
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
