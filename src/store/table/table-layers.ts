import type { Writer } from '../../duck/writer.ts'
import { columnIndex, type Row, type Table } from '../../kernel/table.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Segment } from '../data-files/segment.ts'
import { parquetSource } from '../data-files/segments.ts'
import type { StoreSize } from '../figures.ts'
import { KeyIndex } from '../key-index/key-index.ts'
import type { TableLayout } from '../layout.ts'
import { type Carried, chooseCarried, removeCarried } from '../memtable/carry.ts'
import { Generation } from '../memtable/generation.ts'
import { createTables, dropTables, maskColumns } from '../memtable/generation-tables.ts'
import { materialize, type OlderLayers } from '../memtable/materialize.ts'
import type { Taking } from '../memtable/take-dirty.ts'
import type { Mutex } from '../mutex.ts'
import { type RowKey, splitKey } from '../row-key.ts'
import { DamagedFiles } from './damaged-files.ts'
import type { FileChange } from './file-commits.ts'
import { Retired } from './retired.ts'
import { TableFiles } from './table-files.ts'

/** A generation that is on its way to files, and the last log segment whose rows it holds. */
export interface Sealed {
  readonly generation: Generation
  readonly walSegment: number
}

/**
 * What a table consists of now, the newest first: the generation that takes rows, one that may be on its way to files, and the files.
 * Layers change, and are pinned, only under the store's lock on layers; the callers hold it. Parts may be laid over the active
 * generation without it, in the order of the log.
 */
export class TableLayers {
  readonly table: Table
  readonly layout: TableLayout
  /** Takes rows. Another one takes its place in `seal`. */
  active: Generation
  /** From `seal` until `replaceSealed`. */
  sealed: Sealed | undefined
  readonly files: TableFiles
  readonly retired: Retired
  /** Which of the files are not what was written. */
  readonly damaged: DamagedFiles
  /** Which of the files have which keys. */
  readonly keyIndex: KeyIndex
  private readonly writer: Writer
  private readonly lock: Mutex
  private readonly log: Log

  constructor(options: {
    table: Table
    layout: TableLayout
    /** Changes the hot part; used only under the lock. */
    writer: Writer
    /** The store's lock on layers. */
    lock: Mutex
    /** Whether the Delta log, as it is on the disk now, names a file. */
    isNamed: (segment: Segment) => Promise<boolean>
    clock: Clock
    log: Log
  }) {
    this.table = options.table
    this.layout = options.layout
    this.writer = options.writer
    this.lock = options.lock
    this.retired = new Retired(options.clock)
    this.log = options.log
    this.damaged = new DamagedFiles(this.layout, options.isNamed)
    this.files = new TableFiles(this.layout, this.retired)
    this.keyIndex = new KeyIndex(this.table, this.layout, options.log)
    this.active = new Generation(this.table, 1)
  }

  get size(): StoreSize {
    const { segments } = this.files
    return {
      fileBytes: segments.reduce((sum, segment) => sum + segment.bytes, 0),
      files: segments.length,
      fileRows: segments.reduce((sum, segment) => sum + segment.rows, 0),
      hotRows: this.active.rows + (this.sealed?.generation.rows ?? 0),
    }
  }

  /** Bytes of rows in memory. */
  get hotBytes(): number {
    return this.active.bytes + this.active.dirtyBytes + (this.sealed?.generation.bytes ?? 0)
  }

  /** Moves all parts that are dirty now into DuckDB; those that come meanwhile may stay. Under the lock. */
  async materializeAll(): Promise<void> {
    // The oldest go first, so what is there now has gone when as many have.
    let left = this.active.dirty.size
    do {
      const moved = await this.materialize('all')
      left = moved === 0 ? 0 : left - moved
    } while (left > 0)
  }

  /**
   * Moves dirty parts of the active generation into DuckDB, as many as move at a time. Under the lock.
   *
   * @returns how many
   * @throws FilesReplaced where other programs' commits have to be followed first
   */
  async materialize(taking: Taking): Promise<number> {
    // Most tables of a server that starts are neither read nor written for a while.
    if (!this.active.hasTables) await createTables(this.writer, this.table, this.active)
    return await materialize(this.writer, this.table, this.active, this.older(), taking)
  }

  /**
   * Ends the active generation and begins the next with what is carried over; does nothing where all of it is. Under the lock, and
   * while nothing is logged.
   */
  async seal(options: {
    nowMs: number
    keepRunning: boolean
    /** Begins the next log segment with the carried rows, durably; returns the number of the one that ended. */
    endLogSegment: (carried: readonly Row[]) => Promise<number>
  }): Promise<void> {
    const { nowMs, keepRunning, endLogSegment } = options
    const { writer, table, active: generation } = this
    await this.materializeAll()
    const isBehindDamage = (keys: readonly RowKey[]) => this.keysOfDamaged(keys)
    const carried = await chooseCarried({ writer, table, generation, nowMs, keepRunning, isBehindDamage })
    if (generation.keys.size === carried.tableKeys.length && generation.masked.size === 0) {
      generation.firstAtMs = undefined
      generation.oldestAtMs = this.oldestRunning(carried)
      return
    }
    const next = new Generation(table, generation.number + 1)
    await createTables(writer, table, next)
    const walSegment = await endLogSegment(carried.rows)
    await removeCarried(writer, table, generation, carried)
    this.sealed = { generation, walSegment }
    this.active = next
    next.layUncounted(carried.rows, nowMs)
    next.firstAtMs = undefined
    next.oldestAtMs = this.oldestRunning(carried)
  }

  /** Lets files take the place of the sealed generation, whose tables go when nobody reads them. Under the lock. */
  replaceSealed({ generation }: Sealed, flushed: FileChange<Segment>): void {
    this.files.replace(flushed)
    this.sealed = undefined
    const remove = () => this.lock.run(() => dropTables(this.writer, generation))
    this.retired.add({ isFree: () => generation.pins === 0, remove }, { keptMs: 0 })
  }

  /**
   * Moves to files that another program has committed. Rows in memory are newer than what comes in them under the same keys, and hide it. Under
   * the lock.
   */
  async follow(change: FileChange<Segment>): Promise<void> {
    const known = new Set(this.files.segments)
    const come = change.segments.filter((segment) => !known.has(segment) && segment.add.dataChange)
    if (come.length > 0)
      for (const generation of [this.active, this.sealed?.generation])
        if (generation !== undefined && generation.keys.size > 0) await this.hide(generation, come)
    this.files.follow(change)
  }

  private async hide(generation: Generation, segments: readonly Segment[]): Promise<void> {
    const keys = [...generation.keys].filter((key) => !generation.masked.has(key))
    const { mayHold } = await this.keyIndex.holding(segments, keys)
    if (mayHold.length === 0) return
    await this.writer.append(generation.maskName, maskColumns(this.table), mayHold.map(splitKey))
    for (const key of mayHold) generation.mask(key)
  }

  /** When the oldest row came that is not in the files yet (milliseconds); undefined where all are. */
  get oldestUnflushedMs(): number | undefined {
    const times = [this.active.oldestAtMs, this.sealed?.generation.oldestAtMs].flatMap((time) => time ?? [])
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** Of what is carried over only rows that could be shown are missing in the files; they come last. */
  private oldestRunning({ rows, tableKeys }: Carried): number | undefined {
    if (tableKeys.length === 0) return undefined
    const touched = columnIndex(this.table, this.table.updatedAtColumn)
    return rows
      .slice(-tableKeys.length)
      .reduce((oldest, row) => Math.min(oldest, (row[touched] as number) / 1000), Number.POSITIVE_INFINITY)
  }

  /** Files that are not known to be damaged. */
  get intact(): readonly Segment[] {
    const { segments } = this.files
    return this.damaged.count === 0 ? segments : segments.filter((segment) => !this.damaged.has(segment))
  }

  /** Those of the keys whose row lies in a file that is damaged. */
  private async keysOfDamaged(keys: readonly RowKey[]): Promise<readonly RowKey[]> {
    const damaged = this.damaged.among(this.files.segments)
    return damaged.length === 0 ? [] : (await this.keyIndex.holding(damaged, keys)).mayHold
  }

  private async findDamage(segments: readonly Segment[]): Promise<boolean> {
    let found = false
    for (const segment of segments) if (await this.damaged.check(segment, this.log)) found = true
    return found
  }

  private older(): OlderLayers {
    const sealed = this.sealed?.generation
    return {
      sealedTable: sealed?.tableName,
      sealedHolds: (key) => sealed?.keys.has(key) ?? false,
      hiddenFromFiles: (key) => sealed?.masked.has(key) ?? false,
      filesHolding: (keys) => this.keyIndex.holding(this.intact, keys),
      damagedHolding: (keys) => this.keysOfDamaged(keys),
      findDamage: (segments) => this.findDamage(segments),
      filesSource: (segments) => parquetSource(this.layout, segments),
    }
  }
}
