import type { Reader, ReadLimits } from '../../runtime/duck/reader.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { PinnedTable } from '../table/pinned-table.ts'

/**
 * One consistent view of tables: a read transaction over the memtables and a fixed list of data
 * files. Later writes do not show in it. Released by `await using`.
 */
export class PinnedTables implements AsyncDisposable {
  /** The connection whose transaction sees the memtables. */
  readonly reader: Reader
  /** Bounds each statement; the time spent waiting for this view is already deducted. */
  readonly limits: ReadLimits
  readonly files: ParquetFiles
  private readonly pinned: readonly PinnedTable[]
  private readonly release: () => Promise<void>

  constructor(options: {
    reader: Reader
    files: ParquetFiles
    limits: ReadLimits
    pinned: readonly PinnedTable[]
    release: () => Promise<void>
  }) {
    this.reader = options.reader
    this.files = options.files
    this.limits = options.limits
    this.pinned = options.pinned
    this.release = options.release
  }

  /** @throws Error for a table that was not requested */
  table(tableName: string): PinnedTable {
    const pinned = this.pinned.find(({ table }) => table.name === tableName)
    if (pinned === undefined) throw new Error(`Table ${tableName} was not requested by this read`)
    return pinned
  }

  /**
   * Whether another program has replaced some of the files. Call it after a statement has failed.
   */
  async wasReplaced(): Promise<boolean> {
    for (const { damaged, files } of this.pinned) if (await damaged.wereReplaced(files.dataFiles)) return true
    return false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release()
  }
}
