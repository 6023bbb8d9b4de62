import type { Writer } from '../../duck/writer.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DeltaLog } from '../delta/delta-log.ts'
import type { Mutex } from '../mutex.ts'
import type { TableLayers } from './table-layers.ts'

/** What writing the files of a table takes. */
export interface FileWriting {
  readonly layers: TableLayers
  readonly deltaLog: DeltaLog
  /** Writes files while everything else goes on; used only under `flushLock`. */
  readonly flusher: Writer
  /** Held while layers change, and by readers while they pin them. */
  readonly layersLock: Mutex
  /** Held while a table is written to files: one at a time. */
  readonly flushLock: Mutex
  /** Throws where the folder is no longer ours: asked before a commit. */
  readonly assertHeld: () => Promise<void>
  readonly clock: Clock
  readonly log: Log
}
