import { Database } from '../duck/database.ts'
import { ReaderPool } from '../duck/reader-pool.ts'
import { limits } from '../limits.ts'
import type { StoreStats } from './stats.ts'

/**
 * The read connections of a store, in separate pools by purpose, so that no kind waits for another.
 */
export class Readers {
  /** For lookups. */
  readonly lookups: ReaderPool
  /** For rows that are sent while they are read. */
  readonly streams: ReaderPool
  private readonly temporaryFolder: string
  private readonly onUnreadable: () => void
  private points: Promise<{ database: Database; readers: ReaderPool }> | undefined

  /** @param onUnreadable called when a read may have hit a damaged file */
  constructor(database: Database, temporaryFolder: string, onUnreadable: () => void) {
    this.onUnreadable = onUnreadable
    const waitingMax = limits.readersWaitingMax
    this.lookups = new ReaderPool(database, { readersMax: limits.lookupsMax, waitingMax, onUnreadable })
    this.streams = new ReaderPool(database, { readersMax: limits.streamsMax, waitingMax, onUnreadable })
    this.temporaryFolder = temporaryFolder
  }

  get stats(): StoreStats['readers'] {
    const [lookups, streams] = [this.lookups.stats, this.streams.stats]
    return { busy: lookups.busy + streams.busy, waiting: lookups.waiting + streams.waiting }
  }

  /**
   * For single rows of files: readers of a separate DuckDB, opened on first use rather than at
   * startup.
   */
  async pointReaders(): Promise<ReaderPool> {
    this.points ??= this.openPoints()
    return (await this.points).readers
  }

  /** Closes idle readers; a busy one is closed with its database. */
  async close(): Promise<void> {
    this.lookups.close()
    this.streams.close()
    const points = await this.points
    points?.readers.close()
    points?.database.close()
  }

  private async openPoints(): Promise<{ database: Database; readers: ReaderPool }> {
    const { temporaryFolder } = this
    const memoryBytesMax = limits.pointMemoryBytesMax
    const database = await Database.open({ memoryBytesMax, temporaryFolder, forSingleRows: true })
    const { lookupsMax: readersMax, readersWaitingMax: waitingMax } = limits
    return { database, readers: new ReaderPool(database, { readersMax, waitingMax, onUnreadable: this.onUnreadable }) }
  }
}
