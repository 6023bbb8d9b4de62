import { joinPath } from '../runtime/platform/files/paths.ts'
import { localFiles, type StoredFiles } from './stored-files.ts'

/** A folder cannot be used for the requested purpose. The message says what to do about it. */
export class DataFolderError extends Error {
  override readonly name: string = 'DataFolderError'
}

/** What keeps the data files of a table, and their indexes, besides its folder. */
export interface FileKeeper {
  /** Forgets a data file that has been removed from the folder, and its index. */
  forget(fileName: string): Promise<void>
  /** Keeps the index of a data file, which has been written again. */
  keepIndex(fileName: string): Promise<void>
  /** Removes quarantined files that may have what is to be erased. */
  eraseQuarantined(mayHave: MayHave): Promise<void>
}

/** Whether a quarantined file may have what is to be erased. */
export type MayHave = (name: string, read: () => Promise<Uint8Array>) => Promise<boolean>

export const noKeeper: FileKeeper = {
  forget: async () => {},
  keepIndex: async () => {},
  eraseQuarantined: async () => {},
}

/**
 * Paths in the data folder (docs/data-on-disk.md). Names in a table's folder that begin with `_`
 * are hidden from other Delta Lake engines, so their VACUUM leaves the WAL alone. See
 * docs/decisions/002-hidden-log-folders.md.
 */
export class TableLayout {
  readonly folder: string
  readonly deltaLog: string
  readonly wal: string
  readonly filters: string
  readonly quarantine: string
  readonly unfinished: string
  readonly keeper: FileKeeper
  /** Reads the data files and indexes. */
  readonly files: StoredFiles

  constructor(dataFolder: string, tableName: string, keeper = noKeeper, files = localFiles) {
    this.keeper = keeper
    this.files = files
    this.folder = joinPath(tablesFolder(dataFolder), tableName)
    this.deltaLog = joinPath(this.folder, '_delta_log')
    this.wal = joinPath(this.folder, '_wal')
    this.filters = joinPath(this.folder, '_filters')
    this.quarantine = joinPath(this.folder, '_quarantine')
    this.unfinished = joinPath(this.folder, '_unfinished')
  }

  walSegment(number: number): string {
    return joinPath(this.wal, `${String(number).padStart(10, '0')}.arrows`)
  }

  /** Written and removed to probe whether the disk accepts writes. */
  get walProbe(): string {
    return joinPath(this.wal, 'probe')
  }

  parquet(fileName: string): string {
    return joinPath(this.folder, fileName)
  }

  /** The index of a data file. */
  index(fileName: string): string {
    return joinPath(this.filters, `${flatName(fileName)}.index`)
  }

  /** Whether the index of a data file can be read without fetching it. */
  hasIndexAtHand(fileName: string): boolean {
    return this.files.isAtHand(this.index(fileName))
  }

  /** The files that earlier versions wrote instead, by section. */
  earlierIndexes(fileName: string): { readonly [section in 'rollup' | 'bloom' | 'keys' | 'texts' | 'values']: string } {
    const name = joinPath(this.filters, flatName(fileName))
    return {
      rollup: `${name}.rollup`,
      bloom: `${name}.filter`,
      keys: `${name}.keys`,
      texts: `${name}.texts`,
      values: `${name}.values`,
    }
  }

  /** All files beside a data file that belong to it alone. */
  indexFiles(fileName: string): string[] {
    return [this.index(fileName), ...Object.values(this.earlierIndexes(fileName))]
  }
}

/** Other engines may put a file into a subfolder. */
const flatName = (fileName: string): string => fileName.replaceAll('/', '%2F')

export const temporaryFolder = (dataFolder: string): string => joinPath(dataFolder, 'tmp')
export const blobsFolder = (dataFolder: string): string => joinPath(dataFolder, 'blobs')
export const lockFile = (dataFolder: string): string => joinPath(dataFolder, 'lock.duckdb')
export const holderFile = (dataFolder: string): string => joinPath(dataFolder, 'server.json')

/** The version of the layout. */
export const formatFile = (dataFolder: string): string => joinPath(dataFolder, 'format.json')
export const tablesFolder = (dataFolder: string): string => joinPath(dataFolder, 'tables')
/** Says which lake the folder is a cache of. */
export const cacheMarkerFile = (dataFolder: string): string => joinPath(dataFolder, 'cache.json')
/** The manifest of a folder written by `backup`. */
export const backupNoteFile = (dataFolder: string): string => joinPath(dataFolder, 'backup.json')
/** Marks a backup folder as incomplete until its first backup has finished. */
export const unfinishedBackupFile = (dataFolder: string): string => joinPath(dataFolder, 'backup-unfinished.json')

/** The data file that an index file in `_filters` belongs to; undefined for group files. */
export function indexedFile(name: string): string | undefined {
  return /^(.*)\.(?:index|filter|keys|texts|rollup|values)$/.exec(name)?.[1]
}

/** The number of a WAL segment file; undefined for other files. */
export function walSegmentNumber(fileName: string): number | undefined {
  const match = /^(\d{10})\.arrows$/.exec(fileName)
  return match ? Number(match[1]) : undefined
}
