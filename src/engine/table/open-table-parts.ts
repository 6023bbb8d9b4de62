import type { Mutex } from '../../lib/concurrency.ts'
import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { type FilterRoom, openDataFiles } from '../data-files/open-data-files.ts'
import type { DeltaLog } from '../delta/delta-log.ts'
import { fileKey } from '../delta/delta-state.ts'
import type { BlockCache } from '../key-index/block-cache.ts'
import { DataFolderError } from '../layout.ts'
import type { DirtyRow } from '../memtable/memtable.ts'
import { BatchCodec } from '../wal/batch-codec.ts'
import { LogFlushed } from '../wal/log-storage.ts'
import { WriteAheadLog } from '../wal/write-ahead-log.ts'
import { FileCommits } from './file-commits.ts'
import type { FileWriteContext } from './file-write-context.ts'
import { LogReplay } from './log-replay.ts'
import { openTable } from './open-table.ts'
import { TableLayers } from './table-layers.ts'
import { missingColumns, requireSchema, writeRefusal } from './table-on-disk.ts'
import type { StorageOf, TableStorage } from './table-storage.ts'

/** The commits of a table whose files are those of `layers`. */
function createFileCommits(options: {
  storage: TableStorage
  layers: TableLayers
  deltaLog: DeltaLog
  followConnection: Writer
  layersLock: Mutex
  assertHeld: () => Promise<void>
  log: Log
}): FileCommits<DataFile> {
  const { storage, layers, deltaLog, followConnection, layersLock, assertHeld, log } = options
  const { table, layout } = layers
  return new FileCommits({
    deltaLog,
    followConnection,
    log,
    table: {
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
        const dataFiles: DataFile[] = []
        for (const file of state.files) {
          const dataFile = open.get(fileKey(file.add))
          if (dataFile !== undefined) dataFiles.push(dataFile)
          else
            dataFiles.push(
              ...(await openDataFiles({ writer: followConnection, table, layout, files: [file], log, mayWrite })),
            )
        }
        return dataFiles
      },
      follow: (change) => layersLock.run(() => layers.follow(change)),
      refusal: (state) => writeRefusal(table, state),
      assertHeld,
    },
  })
}

export interface TableStoreOptions extends Omit<FileWriteContext, 'layers' | 'commits'> {
  /** Projects whose rows are being erased. */
  readonly hiddenProjects: ReadonlySet<string>
  /** Throws if the folder lock is lost. Called before a commit. */
  readonly assertHeld: () => Promise<void>
  readonly table: Table
  readonly storageOf: StorageOf
  /** Changes the memtables. Requires `layersLock`. */
  readonly writer: Writer
  /** Reads the Delta log and data files. Used by this table alone. */
  readonly followConnection: Writer
  /** Loads rollups; undefined if the table has none. Used by this table alone. */
  readonly rollupWriter: Writer | undefined
  /** Connects to DuckDB once more; the connection is closed by the table. */
  readonly connect: () => Promise<Writer>
  /** A WAL of more bytes is replayed after the table is open. */
  readonly logReplayedAtOpenBytesMax: number
  /** Blocks of key groups of all tables. */
  readonly keyBlocks: BlockCache
  /** Memory for Bloom filters of files in no group. */
  readonly filterRoom: FilterRoom
}

/** The parts of an open table. */
export interface TableParts {
  readonly context: FileWriteContext
  readonly wal: WriteAheadLog
  readonly replay: LogReplay
  readonly codec: BatchCodec
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

async function openOnce(options: TableStoreOptions): Promise<TableParts> {
  const { table, writer, rollupWriter, flusher, rewriter, layersLock, flushLock, rewriteLock, assertHeld, clock } =
    options
  const log = options.log.child({ table: table.name })
  const storage = options.storageOf(table.name)
  const { layout } = storage
  const codec = new BatchCodec(table)
  let commits: FileCommits<DataFile> | undefined
  // Until the table is open its files are those that the log has just named.
  const isNamed = async (dataFile: DataFile): Promise<boolean> => (await commits?.references(dataFile)) ?? true
  const { hiddenProjects, retention, keyBlocks, filterRoom } = options
  const { versionsKeptMs } = retention
  const shared = { table, layout, writer, rollupWriter, clock, log, hiddenProjects, versionsKeptMs, keyBlocks }
  const layers = new TableLayers({ ...shared, lock: layersLock, isNamed })
  const { logReplayedAtOpenBytesMax } = options
  const {
    deltaLog,
    logStorage,
    replay: runReplay,
  } = await openTable({
    storage,
    layers,
    codec,
    // Other tables may be opened at the same time.
    writer: options.followConnection,
    lock: layersLock,
    clock,
    log,
    logReplayedAtOpenBytesMax,
    filterRoom,
    connect: options.connect,
    follow: async () => commits?.follow(),
  })
  const apply = (rows: readonly DirtyRow[], bytes: number): void => layers.active.apply(rows, bytes, clock.nowMs())
  const replay = new LogReplay({ run: runReplay, apply, log })
  const wal = new WriteAheadLog({ storage: logStorage, codec, apply: replay.apply })
  commits = createFileCommits({
    storage,
    layers,
    deltaLog,
    followConnection: options.followConnection,
    layersLock,
    assertHeld,
    log,
  })
  const { memtableBytesMax, coldBytesMax, hasRoomFor } = options
  const work = { flusher, rewriter, layersLock, flushLock, rewriteLock, memtableBytesMax, coldBytesMax, hasRoomFor }
  const context = { layers, commits, ...work, retention, clock, log }
  return { context, wal, replay, codec, storage }
}
