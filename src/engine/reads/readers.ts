import { readLimits } from '../../lib/limits/reads.ts'
import type { Database } from '../../runtime/duck/database.ts'
import { ReaderPool } from '../../runtime/duck/reader-pool.ts'
import { ParquetFiles } from '../parquet/parquet-files.ts'
import type { StoreStats } from '../stats.ts'

/**
 * The read connections of a store, in separate pools by purpose, so that no kind waits for another.
 * See docs/decisions/050-lookups-and-streams.md.
 */
export class Readers {
  /** For lookups. */
  readonly lookups: ReaderPool
  /** For rows that are sent while they are read. */
  readonly streams: ReaderPool
  /** For single rows of data files. */
  readonly files = new ParquetFiles()

  /** @param onUnreadable called when a read may have hit a damaged file */
  constructor(database: Database, onUnreadable: () => void) {
    const waitingMax = readLimits.readersWaitingMax
    this.lookups = new ReaderPool(database, { readersMax: readLimits.lookupsMax, waitingMax, onUnreadable })
    this.streams = new ReaderPool(database, { readersMax: readLimits.streamsMax, waitingMax, onUnreadable })
  }

  get stats(): StoreStats['readers'] {
    const [lookups, streams] = [this.lookups.stats, this.streams.stats]
    return { busy: lookups.busy + streams.busy, waiting: lookups.waiting + streams.waiting }
  }

  /** Closes idle readers; a busy one is closed with its database. */
  close(): void {
    this.lookups.close()
    this.streams.close()
  }
}
