import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import { ensureFolderDurably } from '../../runtime/platform/files/durable-files.ts'
import { type DeltaFiles, deltaFilesOfFolder } from '../delta/delta-files.ts'
import type { DeltaState } from '../delta/delta-state.ts'
import { TableLayout } from '../layout.ts'
import type { BatchCodec } from '../wal/batch-codec.ts'
import { type FolderLogOptions, findFolderLog } from '../wal/folder-log.ts'
import { walApplication } from '../wal/log-files.ts'
import type { LogBacklog } from '../wal/log-storage.ts'

/** What a log needs to be replayed. */
export interface LogSurroundings {
  readonly codec: BatchCodec
  readonly log: Log
  /** The part of the log whose rows are in the files. */
  readonly flushedThrough: number
  /** If false, nothing is changed. */
  readonly mayWrite: boolean
}

/** A data file that a storage keeps. */
export interface KeptFile {
  readonly fileName: string
  readonly bytes: number
}

/**
 * Where a table is kept. Its files are always written and read in its folder; a storage may keep
 * them elsewhere, too, and then the folder is a cache.
 */
export interface TableStorage {
  readonly layout: TableLayout
  readonly delta: DeltaFiles
  /** See `LogStorage`. */
  readonly logApplication: string
  /** Creates a folder of the table; durably, unless it is a cache. */
  ensureFolder(folder: string): Promise<void>
  /** Ends an earlier writer, and brings the Delta log into the folder. */
  prepare(writer: Writer): Promise<void>
  /** Takes note of the files of a state, which is about to be opened. */
  adopt(state: DeltaState): Promise<void>
  findLog(around: LogSurroundings): Promise<LogBacklog>
  /**
   * Data files of this store beyond the folder that are not named, and so old that hardly any
   * process will still commit them. In a folder, such files have markers.
   */
  findOld(isNamed: (fileName: string) => boolean): Promise<KeptFile[]>
}

/** Makes the storage of a table, by name. */
export type StorageOf = (tableName: string) => TableStorage

/** Tables whose folders are all there is of them. */
export const folderStorage = (dataFolder: string, assertHeld: FolderLogOptions['assertHeld']): StorageOf => {
  return (tableName) => {
    const layout = new TableLayout(dataFolder, tableName)
    return {
      layout,
      delta: deltaFilesOfFolder,
      logApplication: walApplication,
      ensureFolder: ensureFolderDurably,
      prepare: async () => {},
      adopt: async () => {},
      findLog: (around) => findFolderLog({ ...around, layout, assertHeld }),
      findOld: async () => [],
    }
  }
}
