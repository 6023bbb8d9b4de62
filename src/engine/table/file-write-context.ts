import type { Mutex } from '../../lib/concurrency.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { LogRetention } from '../delta/delta-log.ts'
import type { FileCommits } from './file-commits.ts'
import type { TableLayers } from './table-layers.ts'

/** Dependencies for writing the files of a table. */
export interface FileWriteContext {
  readonly layers: TableLayers
  readonly commits: FileCommits<DataFile>
  /** Writes files in the background. Requires `flushLock`. */
  readonly flusher: Writer
  /** Held while layers change, and by readers while they pin them. */
  readonly layersLock: Mutex
  /** Held while a table's files are written, one table at a time. */
  readonly flushLock: Mutex
  readonly retention: LogRetention
  readonly clock: Clock
  readonly log: Log
}
