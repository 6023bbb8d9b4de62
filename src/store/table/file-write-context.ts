import type { Writer } from '../../duck/writer.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { Mutex } from '../mutex.ts'
import type { FileCommits } from './file-commits.ts'
import type { TableLayers } from './table-layers.ts'

/** What writing the files of a table takes. */
export interface FileWriteContext {
  readonly layers: TableLayers
  readonly commits: FileCommits<DataFile>
  /** Writes files while everything else goes on; used only under `flushLock`. */
  readonly flusher: Writer
  /** Held while layers change, and by readers while they pin them. */
  readonly layersLock: Mutex
  /** Held while a table is written to files: one at a time. */
  readonly flushLock: Mutex
  /** How long commits stay that a checkpoint has made superfluous. */
  readonly logKeptMs: number
  readonly clock: Clock
  readonly log: Log
}
