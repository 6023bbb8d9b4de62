import { Mutex } from '../../lib/concurrency.ts'
import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { parquetSource } from '../data-files/open-data-files.ts'
import type { LogRetention } from '../delta/delta-log.ts'
import type { BlockCache } from '../key-index/block-cache.ts'
import { KeyIndex } from '../key-index/key-index.ts'
import type { TableLayout } from '../layout.ts'
import { KnownRows } from '../lineage/lessons.ts'
import type { DrainMode } from '../memtable/drain-dirty.ts'
import { materialize } from '../memtable/materialize.ts'
import { createTables, dropTables, Memtable, maskColumns } from '../memtable/memtable.ts'
import { removeRetained, type WaitingKeys } from '../memtable/retained-rows.ts'
import type { OlderLayers } from '../memtable/stored-rows.ts'
import { Rollups } from '../rollups/rollups.ts'
import { type RowKey, splitKey } from '../row-key.ts'
import type { StoreSize } from '../stats.ts'
import { TextFilters } from '../text-filter/text-filters.ts'
import { ValueIndexes } from '../value-index/value-indexes.ts'
import { atHand, bringChangedKeys, bringStoredRows } from './bring-stored-rows.ts'
import { DamagedFiles } from './damaged-files.ts'
import { DeferredDeletes } from './deferred-deletes.ts'
import type { FileChange } from './file-commits.ts'
import { HiddenKeys } from './hidden-keys.ts'
import { type PreparedSeal, prepareSeal, type SealOptions } from './prepare-seal.ts'
import { TableFiles } from './table-files.ts'

/** A memtable that is being flushed, and the last WAL segment whose rows it holds. */
export interface Sealed {
  readonly memtable: Memtable
  readonly walSegment: number
  /** Of these rows the active memtable hides what the files have. */
  readonly waiting: WaitingKeys
}

export interface LayersOptions {
  readonly table: Table
  readonly layout: TableLayout
  /** Changes the memtables. Requires `layersLock`. */
  readonly writer: Writer
  /** Loads rollups; undefined if the table has none. Used by this table alone. */
  readonly rollupWriter: Writer | undefined
  /** The store's layers lock. */
  readonly layersLock: Mutex
  /** Whether the Delta log on disk references a file. */
  readonly isNamed: (dataFile: DataFile) => Promise<boolean>
  /** Projects whose rows are being erased. */
  readonly hiddenProjects: ReadonlySet<string>
  readonly retention: LogRetention
  /** Blocks of key groups of all tables. */
  readonly keyBlocks: BlockCache
  readonly clock: Clock
  readonly log: Log
}

/**
 * The layers of a table, newest first: the active memtable, perhaps a sealed memtable, and the
 * files. Layers are changed and pinned only under the store's layers lock, held by the caller.
 * Applying parts to the active memtable does not need it; that happens in WAL order.
 */
export class TableLayers {
  readonly table: Table
  readonly layout: TableLayout
  /** Accepts rows. Replaced in `seal`. */
  active: Memtable
  /** From `seal` until `replaceSealed`. */
  sealed: Sealed | undefined
  /** While set, collects memtables whose rows have been written to files. */
  flushed: Memtable[] | undefined
  readonly files: TableFiles
  readonly deferredDeletes: DeferredDeletes
  /** Which of the files are damaged. */
  readonly damaged: DamagedFiles
  /** Which files contain which keys. */
  readonly keyIndex: KeyIndex
  /** Which rows of the files may contain which texts. */
  readonly textFilters: TextFilters
  /** Sums over the rows of the data files. */
  readonly rollups: Rollups
  /** Which rows of the files have which values, and how many. */
  readonly valueIndexes: ValueIndexes
  /** Projects whose rows are being erased: none of them is read. */
  readonly hiddenProjects: ReadonlySet<string>
  /**
   * Held while the active memtable is being sealed, and while it is taught what no row in the WAL
   * says.
   */
  readonly sealing = new Mutex()
  /** The knowledge of rows about the rows below them. */
  readonly knownRows = new KnownRows()
  /** The rows of the files that memtables hide. */
  readonly hiddenKeys = new HiddenKeys()
  private readonly writer: Writer
  /** Changes the active memtable while that is one transaction. */
  private loader: Writer | undefined
  private readonly lock: Mutex

  constructor(options: LayersOptions) {
    const { table, layout, rollupWriter, layersLock: lock, clock, log } = options
    this.table = table
    this.layout = layout
    this.writer = options.writer
    this.lock = lock
    this.deferredDeletes = new DeferredDeletes(clock)
    this.damaged = new DamagedFiles(layout, options.isNamed, log)
    this.files = new TableFiles(layout, this.deferredDeletes, options.retention.versionsKeptMs)
    this.hiddenProjects = options.hiddenProjects
    this.keyIndex = new KeyIndex(table, layout, options.keyBlocks, log)
    this.textFilters = new TextFilters(layout, log)
    this.rollups = new Rollups({ table, layout, writer: rollupWriter, lock, clock, log })
    this.valueIndexes = new ValueIndexes(table, layout, log)
    this.active = new Memtable(table, 1)
  }

  get size(): StoreSize {
    const { dataFiles } = this.files
    return {
      fileBytes: dataFiles.reduce((sum, dataFile) => sum + dataFile.bytes, 0),
      files: dataFiles.length,
      fileRows: dataFiles.reduce((sum, dataFile) => sum + dataFile.rows, 0),
      memtableRows: this.active.rows + (this.sealed?.memtable.rows ?? 0),
    }
  }

  /** Bytes of rows in memory. */
  get memtableBytes(): number {
    return this.active.bytes + this.active.dirtyBytes + (this.sealed?.memtable.bytes ?? 0)
  }

  /** Drains all parts that are dirty now; parts that arrive may stay. Requires the lock. */
  async materializeAll(): Promise<void> {
    // The oldest parts go first, so after this many all current ones are done.
    let left = this.active.dirty.size
    do {
      const moved = await this.materialize('all')
      left = moved === 0 ? 0 : left - moved
    } while (left > 0 || this.active.lessons.size > 0)
  }

  /**
   * Drains one step of the active memtable's dirty parts into DuckDB. Requires the lock.
   *
   * @returns how many parts were drained
   * @throws FilesReplaced, StoredRowsAway if something has to be done first without the lock
   */
  async materialize(mode: DrainMode): Promise<number> {
    // At startup most tables are neither read nor written for a while.
    if (!this.active.hasTables) await createTables(this.writer, this.table, this.active)
    const writers = { memtable: this.loader ?? this.writer, older: this.writer }
    const drain = () => materialize(writers, this.table, this.active, this.older(), mode)
    return await atHand(this, drain, bringStoredRows)
  }

  /**
   * Runs `task`, and commits all that is drained meanwhile in one transaction of `loader`. DuckDB
   * takes over the rows of the first transaction on a table as they are, but copies those of later
   * ones. Readers have to wait, and nothing may be sealed meanwhile.
   */
  async drainTogether(loader: Writer, task: () => Promise<void>): Promise<void> {
    await this.lock.run(async () => {
      if (!this.active.hasTables) await createTables(this.writer, this.table, this.active)
      await loader.begin()
      this.loader = loader
    })
    await task()
    await this.lock.run(async () => {
      await loader.commit()
      this.loader = undefined
    })
  }

  /**
   * Prepares to seal the active memtable. Requires the lock; and until it is sealed, that nothing
   * is appended to the WAL, and that nothing is taught (`sealing`).
   *
   * @returns undefined if all rows stay in memory
   * @throws FilesReplaced, StoredRowsAway as `materialize` does
   */
  async prepareSeal(options: SealOptions): Promise<PreparedSeal | undefined> {
    const { writer, table, active: memtable, keyIndex } = this
    await this.materializeAll()
    const { findInDamagedFiles } = this
    const around = { writer, table, memtable, dataFiles: this.intact, keyIndex, findInDamagedFiles }
    return await atHand(this, () => prepareSeal(around, options), bringChangedKeys)
  }

  /**
   * Seals the active memtable, and starts a new one with the rows that stay in memory. Requires
   * what `prepareSeal` does.
   *
   * @param walSegment the last one of the sealed memtable: the next one begins with these rows
   */
  async seal({ next, waiting, retained, oldestUnflushedMs, nowMs }: PreparedSeal, walSegment: number): Promise<void> {
    const { writer, table, active: memtable } = this
    await removeRetained(writer, table, memtable, { retained, waiting })
    this.sealed = { memtable, walSegment, waiting }
    this.active = next
    next.applyUnaccounted(retained.rows, nowMs)
    next.firstWriteMs = undefined
    next.oldestUnflushedMs = oldestUnflushedMs
  }

  /**
   * Replaces the sealed memtable by files. Its tables are dropped once unreferenced. Requires the
   * lock.
   */
  replaceSealed({ memtable }: Sealed, flushed: FileChange<DataFile>): void {
    this.files.replace(flushed)
    this.flushed?.push(memtable)
    this.sealed = undefined
    const remove = () => this.lock.run(() => dropTables(this.writer, memtable))
    this.deferredDeletes.add({ isUnreferenced: () => memtable.pins === 0, remove }, { retentionMs: 0 })
  }

  /**
   * Removes what is no longer needed. Callers need not know if that fails, because the timer
   * retries and reports it, nor wait for it in an object store.
   */
  async removeUnneeded(): Promise<void> {
    const removed = this.deferredDeletes.sweep().catch(() => {})
    if (this.layout.files.filters === undefined) await removed
  }

  /**
   * Switches to the files that another engine committed. Rows in memory are newer than the rows of
   * new files with the same keys, and hide them. Requires the lock.
   */
  async follow(change: FileChange<DataFile>): Promise<void> {
    const known = new Set(this.files.dataFiles)
    const added = change.dataFiles.filter((dataFile) => !known.has(dataFile) && dataFile.add.dataChange)
    if (added.length > 0)
      for (const memtable of [this.active, this.sealed?.memtable])
        if (memtable !== undefined && memtable.keys.size > 0) await this.hide(memtable, added)
    this.files.follow(change)
    this.knownRows.clear()
  }

  private async hide(memtable: Memtable, dataFiles: readonly DataFile[]): Promise<void> {
    const keys = [...memtable.keys].filter((key) => !memtable.masked.has(key))
    const { matchingKeys } = await this.keyIndex.lookUp(dataFiles, keys)
    if (matchingKeys.length === 0) return
    await this.writer.append(memtable.maskName, maskColumns(this.table), matchingKeys.map(splitKey))
    for (const key of matchingKeys) memtable.masked.add(key)
  }

  /**
   * When the oldest row arrived that is not in the files yet (milliseconds); undefined if there is
   * none.
   */
  get oldestUnflushedMs(): number | undefined {
    const times = [this.active.oldestUnflushedMs, this.sealed?.memtable.oldestUnflushedMs].flatMap((time) => time ?? [])
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** Files that are not known to be damaged. */
  get intact(): readonly DataFile[] {
    const { dataFiles } = this.files
    return this.damaged.count === 0 ? dataFiles : dataFiles.filter((dataFile) => !this.damaged.has(dataFile))
  }

  /** See `OlderLayers`. */
  private readonly findInDamagedFiles = async (keys: () => readonly RowKey[]): Promise<readonly RowKey[]> => {
    const damaged = this.damaged.among(this.files.dataFiles)
    return damaged.length === 0 ? [] : (await this.keyIndex.lookUp(damaged, keys())).matchingKeys
  }

  private older(): OlderLayers {
    return {
      sealed: this.sealed?.memtable,
      knownRows: this.knownRows,
      findInFiles: (keys) => this.keyIndex.lookUp(this.intact, keys),
      findInDamagedFiles: this.findInDamagedFiles,
      findDamage: (dataFiles) => this.damaged.areSome(dataFiles),
      filesSource: (dataFiles) => parquetSource(this.layout, dataFiles),
    }
  }
}
