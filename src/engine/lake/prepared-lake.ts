import { MiB } from '../../lib/bytes.ts'
import { forEachConcurrent } from '../../lib/concurrency.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'
import type { Table } from '../../lib/table.ts'
import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import type { ObjectStore } from '../../runtime/objects/object-store.ts'
import { TableLayout } from '../layout.ts'
import { CachedDeltaLog } from './cached-delta-log.ts'
import { CachedFolder } from './cached-folder.ts'
import type { PreparedLog } from './object-log.ts'
import { prepareLog } from './open-log.ts'
import { replayBorder } from './replay-border.ts'

/** What a node has read of a table before it owned the lake. */
export interface PreparedTable {
  readonly deltaLog: CachedDeltaLog
  readonly log: PreparedLog
}

interface PreparedLakeOptions {
  readonly store: ObjectStore
  /** The folder, which is a cache. */
  readonly dataFolder: string
  readonly temporaryFolder: string
  readonly tables: readonly Table[]
}

/**
 * What a standby reads before it takes over: the Delta logs, and what the logs have beyond them.
 * All of it may be outdated when the tables are opened, which then read only what is new. See
 * docs/decisions/298-handing-a-lake-over.md.
 */
export class PreparedLake {
  private readonly options: PreparedLakeOptions
  private readonly deltaLogs = new Map<string, CachedDeltaLog>()
  private readonly prepared = new Map<string, PreparedTable>()

  constructor(options: PreparedLakeOptions) {
    this.options = options
  }

  /**
   * Reads what is new since the last time, which must be over.
   *
   * @throws ObjectStoreError, and others if a Delta log is damaged
   */
  async prepare(): Promise<void> {
    const { temporaryFolder, tables } = this.options
    const database = await Database.open({ memoryBytesMax: memoryBytes, temporaryFolder, files: undefined })
    try {
      await forEachConcurrent(tables, lakeLimits.tablesOpenedAtOnce, async ({ name }) => {
        const writer = new Writer(await database.connect())
        try {
          await this.read(name, writer)
        } finally {
          writer.close()
        }
      })
    } finally {
      database.close()
    }
  }

  /** What was read of a table, which belongs to the caller then. */
  take(tableName: string): PreparedTable | undefined {
    const prepared = this.prepared.get(tableName)
    this.prepared.delete(tableName)
    this.deltaLogs.delete(tableName)
    return prepared
  }

  private async read(tableName: string, writer: Writer): Promise<void> {
    const { store, dataFolder } = this.options
    const { folder } = new TableLayout(dataFolder, tableName)
    const deltaLog =
      this.deltaLogs.get(tableName) ??
      new CachedDeltaLog(new CachedFolder({ store, prefix: `tables/${tableName}/`, folder }))
    this.deltaLogs.set(tableName, deltaLog)
    const border = replayBorder([await deltaLog.read(writer)])
    this.prepared.set(tableName, { deltaLog, log: await prepareLog(store, `log/${tableName}`, border) })
  }
}

/** For checkpoints, which are small. */
const memoryBytes = 128 * MiB
