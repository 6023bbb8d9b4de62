import { present } from '../../lib/present.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { openDataFiles } from '../data-files/open-data-files.ts'
import { fileKey } from '../delta/delta-state.ts'
import { DataFolderError } from '../layout.ts'
import type { DirtyRow } from '../memtable/memtable.ts'
import { BatchCodec } from '../wal/batch-codec.ts'
import { LogFlushed } from '../wal/log-storage.ts'
import { WriteAheadLog } from '../wal/write-ahead-log.ts'
import { type CommittedTable, FileCommits } from './file-commits.ts'
import type { FileWriteContext, TableRetention } from './file-write-context.ts'
import { LogReplay } from './log-replay.ts'
import { type OpenTableOptions, openTable } from './open-table.ts'
import { type LayersOptions, TableLayers } from './table-layers.ts'
import { missingColumns, requireSchema, writeRefusal } from './table-on-disk.ts'
import type { StorageOf, TableStorage } from './table-storage.ts'

/** The files of `layers`, for commits. */
function committedTable(
  storage: TableStorage,
  layers: TableLayers,
  { followConnection, layersLock, assertHeld, log }: TableStoreOptions,
): CommittedTable<DataFile> {
  const { table, layout } = layers
  return {
    files: () => layers.files.dataFiles,
    open: async (state, known) => {
      requireSchema(table, state)
      const missing = missingColumns(table, state)
      if (missing.length > 0)
        throw new DataFolderError(
          `Cannot use table ${table.name}: another engine has dropped its columns ${missing.join(', ')}; ` +
            `restart the server to add them again`,
        )
      const mayWrite = writeRefusal(table, state) === undefined
      await storage.adopt(state)
      const open = new Map(known.map((dataFile) => [fileKey(dataFile.add), dataFile]))
      const files = state.files.filter(({ add }) => !open.has(fileKey(add)))
      const opened = await openDataFiles({ writer: followConnection, table, layout, files, log, mayWrite })
      for (const dataFile of opened) open.set(fileKey(dataFile.add), dataFile)
      return state.files.map(({ add }) => present(open.get(fileKey(add)), 'An open data file'))
    },
    follow: (change) => layersLock.run(() => layers.follow(change)),
    refusal: (state) => writeRefusal(table, state),
    assertHeld,
  }
}

export interface TableStoreOptions
  extends Omit<FileWriteContext, 'layers' | 'commits'>,
    Omit<LayersOptions, 'layout' | 'isNamed'>,
    Pick<OpenTableOptions, 'followConnection' | 'connect' | 'logReplayedAtOpenBytesMax' | 'filterRoom'> {
  readonly retention: TableRetention
  /** Throws if the folder lock is lost. Called before a commit. */
  readonly assertHeld: () => Promise<void>
  readonly storageOf: StorageOf
}

/** The parts of an open table. */
export interface TableParts {
  readonly context: FileWriteContext
  readonly wal: WriteAheadLog
  readonly replay: LogReplay
  readonly storage: TableStorage
}

/** Loads a table from disk, and connects its log, its layers and its commits. */
export async function openTableParts(options: TableStoreOptions): Promise<TableParts> {
  for (;;) {
    try {
      return await openOnce(options)
    } catch (cause) {
      // Half of a log over newer files would hide newer rows.
      if (!(cause instanceof LogFlushed)) throw cause
    }
  }
}

async function openOnce(given: TableStoreOptions): Promise<TableParts> {
  const { table, followConnection, clock } = given
  const log = given.log.child({ table: table.name })
  const options = { ...given, log }
  const storage = options.storageOf(table.name)
  const codec = new BatchCodec(table)
  let commits: FileCommits<DataFile> | undefined
  // Until the table is open its files are those that the log has just named.
  const isNamed = async (dataFile: DataFile): Promise<boolean> => (await commits?.references(dataFile)) ?? true
  const layers = new TableLayers({ ...options, layout: storage.layout, isNamed })
  const follow = async () => commits?.follow()
  // Other tables may be opened at the same time.
  const { deltaLog, logStorage, replay: run } = await openTable({ ...options, storage, layers, codec, follow })
  const apply = (rows: readonly DirtyRow[], bytes: number): void => layers.active.apply(rows, bytes, clock.nowMs())
  const replay = new LogReplay(run, apply, log)
  const wal = new WriteAheadLog(logStorage, codec, replay.apply)
  commits = new FileCommits({ deltaLog, followConnection, log, table: committedTable(storage, layers, options) })
  return { context: { ...options, layers, commits }, wal, replay, storage }
}
