import type { Writer } from '../../duck/writer.ts'
import { DomainError } from '../../errors.ts'
import type { Row, Table } from '../../kernel/table.ts'
import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Segment } from '../data-files/segment.ts'
import type { FlushedTable, StoreSize, TableFigures } from '../figures.ts'
import { TableLayout } from '../layout.ts'
import { BatchCodec } from '../wal/batch-codec.ts'
import { WriteAheadLog } from '../wal/write-ahead-log.ts'
import { commitsOf } from './commits-of-table.ts'
import { Compactor } from './compactor.ts'
import type { FileCommits } from './file-commits.ts'
import type { FileWriting } from './file-writing.ts'
import { FilesReplaced } from './files-replaced.ts'
import { type HeldFiles, holdFilesOf } from './held-files.ts'
import { IndexUpkeep } from './index-upkeep.ts'
import { openTable } from './open-table.ts'
import { type PinnedTable, pinTable, unpinTable } from './pinned-table.ts'
import { Room } from './room.ts'
import { RowMover } from './row-mover.ts'
import { TableLayers } from './table-layers.ts'

export interface TableStoreOptions extends Omit<FileWriting, 'layers' | 'commits'> {
  /** Throws where the folder is no longer ours: asked before a commit. */
  readonly assertHeld: () => Promise<void>
  readonly table: Table
  readonly dataFolder: string
  /** Changes the hot part; used only under `layersLock`. */
  readonly writer: Writer
  /** Looks at what other programs have committed; used by this table alone. */
  readonly scout: Writer
}

/** One table: its log, its layers, and what moves rows from the one through the others. */
export class TableStore {
  readonly table: Table
  readersWaiting = 0
  private readonly layers: TableLayers
  private readonly wal: WriteAheadLog
  private readonly mover: RowMover
  private readonly compactor: Compactor
  private readonly indexUpkeep: IndexUpkeep
  private readonly room: Room
  private readonly log: Log
  private readonly commits: FileCommits<Segment>
  private readonly clock: Clock

  private constructor(writing: FileWriting, wal: WriteAheadLog, mover: RowMover) {
    const { layers, commits } = writing
    this.table = layers.table
    this.log = writing.log
    this.commits = commits
    this.clock = writing.clock
    this.layers = layers
    this.wal = wal
    this.mover = mover
    this.compactor = new Compactor(writing)
    this.indexUpkeep = new IndexUpkeep(writing)
    this.room = new Room({
      isFull: () => layers.active.bytes > 2 * limits.hotBytesMax || this.isBacklogFull,
      makeRoom: () => {
        if (mover.failure === undefined) mover.materializeSoon()
        return mover.failure === undefined
      },
    })
  }

  /**
   * Whether more should not come before rows have moved: then a reader never waits for more than these bounds, and for less where it
   * waits already.
   */
  private get isBacklogFull(): boolean {
    const { dirtyBytes, unfinished, movableRows } = this.layers.active
    const { dirtyBytesMax, dirtyRowsMax, readerWaitsForRows } = limits
    if (this.readersWaiting > 0 && movableRows > readerWaitsForRows) return true
    const isMuchMovable = movableRows > 2 * dirtyRowsMax || dirtyBytes - unfinished.bytes > 2 * dirtyBytesMax
    return isMuchMovable || dirtyBytes > 8 * dirtyBytesMax
  }

  /** Opens the table, brings back what its log holds and removes what a crash left. */
  static async open(options: TableStoreOptions): Promise<TableStore> {
    const { table, writer, flusher, layersLock, flushLock, assertHeld, clock } = options
    const log = options.log.child({ table: table.name })
    const layout = new TableLayout(options.dataFolder, table.name)
    const codec = new BatchCodec(table)
    let commits: FileCommits<Segment> | undefined
    // Until the table is open the files are those that its log has just named.
    const isNamed = async (segment: Segment): Promise<boolean> => (await commits?.names(segment)) ?? true
    const layers = new TableLayers({ table, layout, writer, lock: layersLock, isNamed, clock, log })
    const { deltaLog, firstSegment } = await openTable({ layers, codec, writer, lock: layersLock, clock, log })
    const apply = (rows: readonly Row[], bytes: number): void => {
      layers.active.lay(rows, bytes, clock.nowMs())
      mover.materializeIfMany()
    }
    const wal = new WriteAheadLog({ layout, codec, firstSegment, apply, assertHeld })
    commits = commitsOf({ layers, deltaLog, scout: options.scout, layersLock, assertHeld, log })
    const { logKeptMs } = options
    const writing = { layers, commits, flusher, layersLock, flushLock, logKeptMs, clock, log }
    const mover = new RowMover(writing, wal)
    return new TableStore(writing, wal, mover)
  }

  /**
   * Stores parts of rows: durable and visible when this returns. All of them or none.
   *
   * @throws DomainError Overloaded, StoreUnavailable
   */
  async write(rows: readonly Row[]): Promise<void> {
    if (this.commits.refusal !== undefined) throw new DomainError('StoreUnavailable', this.commits.refusal)
    await this.room.waitFor(rows)
    await this.wal.append(rows)
  }

  /** Why the table takes no writes, while it takes none. */
  get failure(): string | undefined {
    return this.commits.refusal ?? this.commits.failure ?? this.wal.failure ?? this.mover.failure
  }

  get figures(): TableFigures {
    const { size, hotBytes } = this.layers
    return {
      table: this.table.name,
      ...size,
      hotBytes,
      damagedFiles: this.damagedFiles,
      index: this.layers.keyIndex.figures,
      log: this.wal.figures,
      ...this.mover.figures,
      ...this.compactor.figures,
      ...this.commits.figures,
      unflushedAgeMs: this.unflushedAgeMs,
    }
  }

  private get unflushedAgeMs(): number {
    const { oldestUnflushedMs } = this.layers
    return oldestUnflushedMs === undefined ? 0 : Math.max(0, this.clock.nowMs() - oldestUnflushedMs)
  }

  /** Files that are damaged and whose rows are therefore not served. */
  get damagedFiles(): number {
    return this.layers.damaged.among(this.layers.files.segments).length
  }

  /** Reads all files, one after the other, and finds those that are damaged. */
  async checkFiles(): Promise<void> {
    await this.commits.follow()
    for (const segment of this.layers.intact) {
      try {
        await this.layers.damaged.check(segment, this.log)
      } catch (cause) {
        // The table no longer has it.
        if (!(cause instanceof FilesReplaced)) throw cause
      }
    }
  }

  get size(): StoreSize {
    return this.layers.size
  }

  /** Moves everything accepted so far into DuckDB. Only under `layersLock`. */
  materialize(): Promise<void> {
    return this.layers.materializeAll()
  }

  /** What the table consists of, held for a reader. Only under `layersLock`, after `materialize`. */
  pin(): PinnedTable {
    return pinTable(this.layers)
  }

  /** The files that alone can answer for a row, held until they are released; see `holdFilesOf`. Only under `layersLock`. */
  holdFilesOf(projectId: string, id: string): HeldFiles | undefined {
    return holdFilesOf(this.layers, projectId, id)
  }

  unpin(pinned: PinnedTable): Promise<void> {
    return unpinTable(this.layers, pinned)
  }

  /** Where the log could not be written, finds out whether it can be again. Called by a timer. */
  probeLog(): Promise<void> {
    return this.wal.probe()
  }

  /** Follows what other programs have committed. Called by a timer; what fails is reported and tried again. */
  followOthers(): Promise<void> {
    return this.commits.follow()
  }

  /** The same before a read; never fails. */
  followOthersBeforeRead(): Promise<void> {
    return this.commits.followBeforeRead()
  }

  /** Flushes if the hot part is large, old or left alone. Called by a timer. */
  flushIfDue(): Promise<void> {
    return this.mover.flushIfDue()
  }

  /** Puts small files together where many have piled up. Called by a timer. */
  compactIfDue(): Promise<void> {
    return this.compactor.compactIfDue()
  }

  /** Makes what is missing of the key index. Called by a timer. */
  indexIfDue(): Promise<void> {
    return this.indexUpkeep.runIfDue()
  }

  /** Puts all files together that are not full. */
  compact(): Promise<void> {
    return this.compactor.compactAll()
  }

  /** Removes files that were replaced a while ago. Called by a timer. */
  removeReplaced(): Promise<void> {
    return this.layers.retired.sweep()
  }

  /** Writes the hot part to disk; with `keepRunning`, rows that still wait for their other half stay for a while. */
  flush(options: { keepRunning: boolean }): Promise<void> {
    return this.mover.flush(options)
  }

  /** Writes everything to disk but what cannot be shown. */
  async flushAll(): Promise<FlushedTable> {
    await this.mover.flushAll()
    return { table: this.table.name, version: this.commits.deltaLog.state.version, rows: this.size.fileRows }
  }

  /** Flushes, then closes the log, and leaves no file behind that the table does not need. Nothing may be written afterwards. */
  async close(): Promise<void> {
    try {
      await this.compactor.close()
      await this.indexUpkeep.close()
      // What other programs do not let us write stays in the log.
      if (this.commits.refusal === undefined) await this.mover.flushAll()
      await this.layers.retired.sweepEverything()
    } finally {
      await this.wal.close()
    }
  }
}
