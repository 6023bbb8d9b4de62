import type { Mutex } from '../../lib/concurrency.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { LogRetention } from '../delta/delta-log.ts'
import type { FileCommits } from './file-commits.ts'
import type { TableLayers } from './table-layers.ts'

/** How long what a table no longer needs is kept. */
export interface TableRetention extends LogRetention {
  /** Whether a clean stop removes replaced files before their time. */
  readonly endsAtClose: boolean
}

/** Dependencies for writing the files of a table. */
export interface FileWriteContext {
  readonly layers: TableLayers
  readonly commits: FileCommits<DataFile>
  /** Writes the files of flushes. Requires `flushLock`. */
  readonly flusher: Writer
  /** Reads and writes files for all other work in the background. Requires `rewriteLock`. */
  readonly rewriter: Writer
  /** Held while layers change, and by readers while they pin them. */
  readonly layersLock: Mutex
  /** Held while a memtable is written to files, one table at a time. */
  readonly flushLock: Mutex
  /**
   * Held while the files of a table are merged, indexed, searched or cleared of rows, one table at
   * a time. No flush waits for it. See docs/decisions/278-flushes-beside-compaction.md.
   */
  readonly rewriteLock: Mutex
  /** Bytes of rows at which a memtable is flushed. */
  readonly memtableBytesMax: number
  readonly retention: TableRetention
  /** Size of cold files on disk; 0 if none are to be made. */
  readonly coldBytesMax: number
  /** Whether the disk has space for so many bytes above its reserve. */
  readonly hasRoomFor: (bytes: number) => Promise<boolean>
  readonly clock: Clock
  readonly log: Log
}
