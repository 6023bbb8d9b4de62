import { readLimits } from '../../lib/limits/reads.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import type { Database } from '../../runtime/duck/database.ts'
import { ReaderPool } from '../../runtime/duck/reader-pool.ts'
import { ParquetFiles } from '../parquet/parquet-files.ts'
import type { StoreStats } from '../stats.ts'
import type { StoredFiles } from '../stored-files.ts'
import { StatementPlaces, statementTurns } from './statement-places.ts'

interface ReaderOptions {
  readonly files: StoredFiles
  readonly onUnreadable: () => void
  /** Whether fewer statements should run, for the sake of a flush. */
  readonly isFlushBehind: () => boolean
}

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
  readonly files: ParquetFiles
  /** Turns of the projects for statements that read many files. */
  readonly scans: Semaphore
  private readonly places: StatementPlaces

  /** @param onUnreadable called when a read may have hit a damaged file */
  constructor(database: Database, { files, onUnreadable, isFlushBehind }: ReaderOptions) {
    this.files = new ParquetFiles(files)
    this.places = new StatementPlaces({ isFlushBehind })
    const { lookupsMax, streamsMax, readersWaitingMax: waitingMax } = readLimits
    const { lookups, streams, scans } = statementTurns(this.places)
    this.lookups = new ReaderPool(database, { readersMax: lookupsMax, waitingMax, onUnreadable, turns: lookups })
    this.streams = new ReaderPool(database, { readersMax: streamsMax, waitingMax, onUnreadable, turns: streams })
    this.scans = scans
  }

  /** Lets fewer statements run at a time while writes are behind. */
  yieldTo(isIngestBehind: () => boolean): void {
    this.places.isIngestBehind = isIngestBehind
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
