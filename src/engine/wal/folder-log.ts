import { itemAt } from '../../lib/present.ts'
import type { Log } from '../../runtime/log.ts'
import { readBytes } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { TableLayout } from '../layout.ts'
import type { DirtyRow } from '../memtable/memtable.ts'
import type { BatchCodec } from './batch-codec.ts'
import { LogFiles } from './log-files.ts'
import type { LogBacklog } from './log-storage.ts'
import { findBacklog, readLogFiles, recoverLog } from './recover-log.ts'
import { readSegment } from './segment-reader.ts'

export interface FolderLogOptions {
  readonly layout: TableLayout
  readonly codec: BatchCodec
  readonly log: Log
  /** The last segment whose rows are in the files. */
  readonly flushedThrough: number
  /** If false, nothing in the folder is changed. */
  readonly mayWrite: boolean
  /** See `LogFiles`. */
  readonly assertHeld: () => Promise<void>
}

/** The write-ahead log in the folder of a table, from which flushed segments are removed. */
export async function findFolderLog(options: FolderLogOptions): Promise<LogBacklog> {
  const { layout, codec, log, flushedThrough, assertHeld } = options
  if (!options.mayWrite) return await findUnchangedLog(options)
  const { segments, bytes, nextSegment } = await findBacklog(layout, flushedThrough)
  let first: Promise<Uint8Array> | undefined
  return {
    bytes,
    storage: new LogFiles({ layout, codec, firstSegment: nextSegment, assertHeld }),
    isDrained: true,
    readAhead: () => {
      // Threads of the file system read it while this one opens the other tables.
      first = readBytes(joinPath(layout.wal, itemAt(segments, 0)))
      // The replay reports it.
      first.catch(() => {})
    },
    replay: (apply) => recoverLog({ layout, codec, segments, first, log, apply }),
  }
}

/** The same without changing anything on disk. */
async function findUnchangedLog({ layout, codec, flushedThrough, assertHeld }: FolderLogOptions): Promise<LogBacklog> {
  const files = await readLogFiles(layout)
  const last = files.reduce((highest, { number }) => Math.max(highest, number), flushedThrough)
  return {
    // They are in memory already.
    bytes: 0,
    storage: new LogFiles({ layout, codec, firstSegment: last + 1, assertHeld }),
    isDrained: true,
    replay: async (apply: (rows: readonly DirtyRow[]) => Promise<void>) => {
      for (const { number, bytes } of files) if (number > flushedThrough) await apply(readSegment(bytes, codec).rows)
    },
  }
}
