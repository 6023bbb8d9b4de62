import { cacheLimits } from '../lib/limits/objects.ts'
import type { Log } from '../runtime/log.ts'
import type { ObjectStore } from '../runtime/objects/object-store.ts'
import type { LockedFolder } from './folder/locked-folder.ts'
import type { FileCache } from './lake/cache/file-cache.ts'
import type { Fenced } from './lake/fenced-log.ts'
import type { LakeFiles } from './lake/lake-files.ts'
import type { Prefetch } from './lake/prefetch.ts'
import type { PreparedLake } from './lake/prepared-lake.ts'
import type { ParquetFiles } from './parquet/parquet-files.ts'
import { folderStorage, type StorageOf } from './table/table-storage.ts'
import type { TableStore } from './table/table-store.ts'

export interface LakeOptions {
  readonly store: ObjectStore
  /** Names this process for those who look into the store. */
  readonly node: string
  /** Bytes of files that the data folder may keep. */
  readonly cacheBytesMax?: number
  /** The data folder, if it is locked already. */
  readonly folder?: LockedFolder
  /** Filled with the logs of the tables, by name. */
  readonly logs?: Map<string, { readonly unflushed: number }>
  /** What was read before this node owned the lake. */
  readonly prepared?: PreparedLake | undefined
  /** Why rows cannot be stored now; undefined if they can. */
  readonly refusal?: () => string | undefined
  /** Called when another node turns out to own what only one may write. */
  readonly onReplaced?: () => void
}

/** The logs of tables in a lake, with the number of objects whose rows are in no file yet. */
export type LogLengths = ReadonlyMap<string, { readonly unflushed: number }>

/** The files of a lake that its folder has. */
export interface LakeAccess {
  readonly cache: FileCache
  /** Start it once the server listens. */
  readonly prefetch: Prefetch
  /**
   * Brings all data files of some tables, for a process that reads them in the folder, and keeps
   * them until the result is disposed of.
   *
   * @throws DomainError QueryTooLarge if a table is larger than the cache; StoreUnavailable
   */
  holdFiles(tableNames: readonly string[], signal: AbortSignal): Promise<AsyncDisposable>
}

// What belongs to lakes is imported lazily: few stores need it.

export async function openLakeFiles(folder: string, { store, cacheBytesMax = cacheLimits.bytesMax }: LakeOptions) {
  const { FileCache } = await import('./lake/cache/file-cache.ts')
  const { LakeFiles } = await import('./lake/lake-files.ts')
  const cache = await FileCache.open({ store, folder, bytesMax: cacheBytesMax, owns: ['blobs'] })
  return new LakeFiles({ store, folder, cache })
}

export async function storageOf(
  { dataFolder, lake, log }: { readonly dataFolder: string; readonly lake?: LakeOptions; readonly log: Log },
  around: {
    readonly assertHeld: () => Promise<void>
    readonly onFenced: (fenced: Fenced) => void
    readonly lakeFiles: LakeFiles | undefined
  },
): Promise<StorageOf> {
  const { assertHeld, onFenced, lakeFiles: files } = around
  if (lake === undefined || files === undefined) return folderStorage(dataFolder, assertHeld)
  const { lakeStorage } = await import('./lake/lake-table.ts')
  return lakeStorage({ ...lake, dataFolder, files, log, onFenced })
}

export async function lakeAccess(
  files: LakeFiles,
  around: {
    readonly tables: ReadonlyMap<string, TableStore>
    readonly parquet: ParquetFiles
    readonly log: Log
  },
): Promise<LakeAccess> {
  const { Prefetch } = await import('./lake/prefetch.ts')
  const { tables, parquet, log } = around
  const { cache } = files
  return {
    cache,
    prefetch: new Prefetch({ files, parquet, tables: () => [...tables.values()].map((table) => table.stored()), log }),
    holdFiles: async (tableNames, signal) => {
      await using held = new AsyncDisposableStack()
      for (const [name, table] of tables)
        if (tableNames.includes(name)) held.use(await table.holdFiles(cache.counts.bytesMax, signal))
      return held.move()
    },
  }
}
