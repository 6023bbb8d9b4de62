import type { Writer } from '../duck/writer.ts'
import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import { columnIndex, mergeParts, type Row, rowBytes, type Table } from '../model/table.ts'
import type { Clock } from '../platform/clock.ts'
import { ensureFolder } from '../platform/files.ts'
import { DeltaLog } from './delta/delta-log.ts'
import { schemaString } from './delta/schema-string.ts'
import { flushGeneration, tableActions, walApplication } from './flush.ts'
import { chooseCarried, removeCarried } from './hot/carry.ts'
import { Generation, maskColumns, rowKey } from './hot/generation.ts'
import { materialize, type OlderLayers } from './hot/materialize.ts'
import type { Taking } from './hot/take-dirty.ts'
import { TableLayout } from './layout.ts'
import type { Mutex } from './mutex.ts'
import { Retired } from './retired.ts'
import { Room } from './room.ts'
import { mayMatch } from './segment/segment.ts'
import { openSegments, parquetSource, removeStrays, type SegmentList, segmentsHolding } from './segment/segments.ts'
import { fileColumns } from './segment/write-segment.ts'
import { TableFiles } from './table-files.ts'
import { BatchCodec } from './wal/batch-codec.ts'
import { recoverLog, removeLogFiles } from './wal/recover-log.ts'
import { WriteAheadLog } from './wal/write-ahead-log.ts'

export interface TableStoreOptions {
  readonly table: Table
  readonly dataFolder: string
  /** Changes the hot part; used only under `layers`. */
  readonly writer: Writer
  /** Writes files while everything else goes on; used only under `flushes`. */
  readonly flusher: Writer
  /** Held while a table is written to files: one at a time. */
  readonly flushes: Mutex
  /** Held while layers change, and by readers while they pin them. */
  readonly layers: Mutex
  readonly clock: Clock
  readonly log: Log
}

/** What a table holds now, and what was done for it since the start. */
export interface TableFigures {
  readonly table: string
  readonly hotRows: number
  readonly hotBytes: number
  readonly files: number
  readonly fileRows: number
  readonly fileBytes: number
  /** Taken in: rows, their bytes in memory, and how often the log was synced for them. */
  readonly log: { readonly rows: number; readonly bytes: number; readonly syncs: number }
  readonly flushes: number
  readonly flushFailures: number
}

/** What a reader needs of one table, fixed at one moment. */
export interface PinnedTable {
  readonly table: Table
  readonly layout: TableLayout
  readonly active: Generation
  readonly sealed: Generation | undefined
  readonly files: SegmentList
  /** Whether the generations held rows then; their key sets go on changing. */
  readonly activeHasRows: boolean
  readonly sealedHasRows: boolean
  /** The hot part has no say in what is read, neither by its rows nor by its masks. */
  readonly isFilesAlone: boolean
}

/** One table: its log, its hot generations and its files. */
export class TableStore {
  readonly table: Table
  private readonly layout: TableLayout
  private readonly writer: Writer
  private readonly flusher: Writer
  private readonly flushes: Mutex
  private readonly layers: Mutex
  private readonly clock: Clock
  private readonly log: Log
  private readonly projectCell: number
  private readonly idCell: number
  private deltaLog!: DeltaLog
  private wal!: WriteAheadLog
  private active: Generation
  private sealed: { generation: Generation; walSegment: number } | undefined
  private readonly retired = new Retired()
  private readonly room: Room
  private readonly files: TableFiles
  private flushing: Promise<void> | undefined
  private moving = false
  /** Why rows cannot move to disk, while they cannot. */
  private flushFailure: string | undefined
  private readonly flushCounts = { flushes: 0, flushFailures: 0 }

  private constructor(options: TableStoreOptions) {
    this.table = options.table
    this.layout = new TableLayout(options.dataFolder, options.table.name)
    this.writer = options.writer
    this.flusher = options.flusher
    this.flushes = options.flushes
    this.layers = options.layers
    this.clock = options.clock
    this.log = options.log.child({ table: options.table.name })
    this.projectCell = columnIndex(this.table, this.table.key[0])
    this.idCell = columnIndex(this.table, this.table.key[1])
    this.active = new Generation(this.table, 1)
    this.files = new TableFiles(this.layout, this.retired)
    this.room = new Room({
      isFull: () => this.active.dirtyBytes > 8 * limits.dirtyBytesMax || this.active.bytes > 2 * limits.hotBytesMax,
      makeRoom: () => {
        if (this.flushFailure === undefined) this.moveSoon()
        return this.flushFailure === undefined
      },
    })
  }

  /** Opens the table, brings back what its log holds and removes what a crash left. */
  static async open(options: TableStoreOptions): Promise<TableStore> {
    const store = new TableStore(options)
    await store.open()
    return store
  }

  private async open(): Promise<void> {
    for (const folder of [this.layout.folder, this.layout.wal, this.layout.filters]) await ensureFolder(folder)
    const { deltaLog, state } = await DeltaLog.open(this.layout.deltaLog)
    this.deltaLog = deltaLog
    if (state.metaData?.schemaString !== schemaString(fileColumns(this.table))) {
      await deltaLog.commit(tableActions(this.table, this.clock.nowMs(), state.metaData))
    }
    const segments = await openSegments({ ...this.parts, writer: this.writer, files: state.files, log: this.log })
    this.files.begin(segments)
    await removeStrays(this.layout, segments)
    const codec = new BatchCodec(this.table)
    const firstSegment = await recoverLog({
      layout: this.layout,
      codec,
      flushedThrough: state.transactions.get(walApplication) ?? 0,
      log: this.log,
      apply: async (rows) => {
        // A large log is moved into DuckDB piece by piece, so that it is never twice in memory.
        for (let from = 0; from < rows.length; from += limits.dirtyRowsMax) {
          this.applyParts(rows.slice(from, from + limits.dirtyRowsMax))
          await this.layers.run(() => this.materializeAll())
        }
      },
    })
    this.wal = new WriteAheadLog({
      layout: this.layout,
      codec,
      firstSegment,
      apply: (rows, bytes) => this.apply(rows, bytes),
    })
  }

  /**
   * Stores parts of rows: durable and visible when this returns. All of them or none.
   *
   * @throws DomainError Overloaded, StoreUnavailable
   */
  async write(rows: readonly Row[]): Promise<void> {
    await this.room.waitFor(rows)
    await this.wal.append(rows)
  }

  get failure(): string | undefined {
    return this.wal.failure ?? this.flushFailure
  }

  /** What the table holds and what was done for it since the start. */
  get figures(): TableFigures {
    const sealed = this.sealed?.generation
    return {
      table: this.table.name,
      ...this.size,
      hotBytes: this.active.bytes + this.active.dirtyBytes + (sealed?.bytes ?? 0),
      log: this.wal.figures,
      ...this.flushCounts,
    }
  }

  /** Bytes and files on disk, rows in memory. */
  get size(): { fileBytes: number; files: number; fileRows: number; hotRows: number } {
    const { segments } = this.files
    return {
      fileBytes: segments.reduce((sum, segment) => sum + segment.bytes, 0),
      files: segments.length,
      fileRows: segments.reduce((sum, segment) => sum + segment.rows, 0),
      hotRows: this.active.rows + (this.sealed?.generation.rows ?? 0),
    }
  }

  /** Moves everything accepted so far into DuckDB and fixes the layers. Only under `layers`. */
  async pin(): Promise<PinnedTable> {
    await this.materializeAll()
    const sealed = this.sealed?.generation
    this.active.pins++
    if (sealed) sealed.pins++
    const files = this.files.pin()
    return {
      table: this.table,
      layout: this.layout,
      active: this.active,
      sealed,
      files,
      activeHasRows: this.active.keys.size > 0,
      sealedHasRows: sealed !== undefined && sealed.keys.size > 0,
      isFilesAlone: false,
    }
  }

  /**
   * Holds the files for a row of which the hot part knows nothing; `nowhere` where surely no file has it either, undefined where they
   * cannot answer alone or the row may be wide. Only under `layers`.
   */
  pinFilesOf(projectId: string, id: string): PinnedTable | 'nowhere' | undefined {
    const key = rowKey(projectId, id)
    const { active, table, layout } = this
    const sealed = this.sealed?.generation
    if (active.knows(key) || sealed?.knows(key)) return undefined
    const wanted = { projectId, anyOf: new Map([[table.key[1], [id]]]) }
    const matching = this.files.segments.filter((segment) => mayMatch(table, segment, wanted))
    if (matching.length === 0) return 'nowhere'
    if (matching.some(({ bytes, rows }) => bytes > rows * limits.pointRowBytesMax)) return undefined
    active.pins++
    if (sealed) sealed.pins++
    const files = this.files.pin()
    return { table, layout, active, sealed, files, activeHasRows: false, sealedHasRows: false, isFilesAlone: true }
  }

  async unpin(pinned: PinnedTable): Promise<void> {
    pinned.active.pins--
    if (pinned.sealed) pinned.sealed.pins--
    pinned.files.pins--
    await this.retired.sweep()
  }

  /** Flushes if the hot part is large, old or left alone. Called by a timer. */
  async flushIfDue(): Promise<void> {
    if (this.flushing) return
    const { firstAtMs, lastAtMs, bytes, rows, masked } = this.active
    const nowMs = this.clock.nowMs()
    const isLarge = bytes + this.active.dirtyBytes > limits.hotBytesMax || rows > limits.hotRowsMax
    const isIdle = nowMs - lastAtMs > limits.flushIdleMs
    const isOld = firstAtMs !== undefined && nowMs - firstAtMs > limits.flushAgeMs
    if (
      this.sealed !== undefined ||
      isLarge ||
      ((isIdle || isOld) && rows + masked.size > 0 && firstAtMs !== undefined)
    ) {
      await this.flush({ keepRunning: true })
    }
  }

  /** Writes the hot part to disk. Flushes do not overlap; a second caller waits for the first. */
  async flush(options: { keepRunning: boolean }): Promise<void> {
    while (this.flushing) await this.flushing
    this.flushing = this.sealAndFlush(options)
    try {
      await this.flushing
      this.flushFailure = undefined
    } catch (cause) {
      this.flushFailure = 'rows cannot be moved to disk'
      this.flushCounts.flushFailures++
      throw cause
    } finally {
      this.flushing = undefined
    }
  }

  /** Flushes, then closes the log. Nothing may be written afterwards. */
  async close(): Promise<void> {
    try {
      // A flush that failed before left a sealed generation, which goes first.
      if (this.sealed) await this.flush({ keepRunning: false })
      await this.flush({ keepRunning: false })
      await this.retired.sweep()
    } finally {
      await this.wal.close()
    }
  }

  private async sealAndFlush({ keepRunning }: { keepRunning: boolean }): Promise<void> {
    if (this.sealed === undefined) await this.wal.exclusively(() => this.layers.run(() => this.seal(keepRunning)))
    const sealed = this.sealed
    if (sealed === undefined) return
    const { generation, walSegment } = sealed
    const { segments } = this.files
    const flushed = await this.flushes.run(() =>
      flushGeneration({
        ...this.parts,
        writer: this.flusher,
        deltaLog: this.deltaLog,
        generation,
        segments,
        walSegment,
        nowMs: this.clock.nowMs(),
      }),
    )
    await this.layers.run(async () => {
      this.files.replace(flushed)
      this.sealed = undefined
    })
    this.retired.add({
      isFree: () => generation.pins === 0,
      remove: () => this.layers.run(() => this.dropGenerationTables(generation)),
    })
    await removeLogFiles(this.layout, walSegment)
    await this.retired.sweep()
    this.flushCounts.flushes++
    this.log.info(
      {
        rows: generation.keys.size,
        hidden: generation.masked.size,
        rewritten: flushed.removed.length,
        files: flushed.segments.length,
      },
      'flushed',
    )
  }

  /** Ends the active generation and its log segment and begins the next with what is carried over. */
  private async seal(keepRunning: boolean): Promise<void> {
    await this.materializeAll()
    const generation = this.active
    const { writer, table } = this
    const carried = await chooseCarried({ writer, table, generation, nowMs: this.clock.nowMs(), keepRunning })
    if (generation.keys.size === carried.tableKeys.length && generation.masked.size === 0) {
      generation.firstAtMs = undefined
      return
    }
    const next = new Generation(this.table, generation.number + 1)
    await this.createGenerationTables(next)
    const walSegment = await this.wal.rotate(carried.rows)
    await removeCarried(this.writer, this.table, generation, carried)
    this.sealed = { generation, walSegment }
    this.active = next
    this.applyParts(carried.rows)
    this.active.firstAtMs = undefined
  }

  private apply(rows: readonly Row[], bytes: number): void {
    this.applyRows(rows, bytes)
    const { dirty, dirtyBytes, unfinished } = this.active
    const isMuch =
      dirtyBytes - unfinished.bytes > limits.dirtyBytesMax || dirty.size - unfinished.rows > limits.dirtyRowsMax
    if (isMuch) this.moveSoon()
  }

  private applyParts(rows: readonly Row[]): void {
    this.applyRows(
      rows,
      rows.reduce((sum, row) => sum + rowBytes(row), 0),
    )
  }

  /** Lays parts over what is dirty. The rows belong to the hot part from here on. */
  private applyRows(rows: readonly Row[], bytes: number): void {
    const { active, projectCell, idCell } = this
    const nowMs = this.clock.nowMs()
    active.firstAtMs ??= nowMs
    active.lastAtMs = nowMs
    active.dirtyBytes += bytes
    for (const row of rows) {
      const key = rowKey(row[projectCell] as string, row[idCell] as string)
      const known = active.dirty.get(key)
      const merged = known === undefined ? row : mergeParts(this.table, known, row)
      if (merged !== known) active.dirty.set(key, merged)
    }
  }

  /** Moves dirty rows into DuckDB in the background, and starts a flush where that makes the hot part too large. */
  private moveSoon(): void {
    if (this.moving) return
    this.moving = true
    this.layers
      .run(() => this.materialize('unfinished stay'))
      .finally(() => {
        this.moving = false
      })
      .then(() =>
        this.active.bytes > limits.hotBytesMax || this.active.rows > limits.hotRowsMax ? this.flushIfDue() : undefined,
      )
      .catch((err: unknown) => this.log.error({ err }, 'rows could not be moved; they stay in the log and in memory'))
  }

  private materializeAll(): Promise<void> {
    return this.materialize('all')
  }

  private async materialize(taking: Taking): Promise<void> {
    // Most tables of a server that starts are neither read nor written for a while.
    if (!this.active.hasTables) await this.createGenerationTables(this.active)
    await materialize(this.writer, this.table, this.active, this.olderLayers(), taking)
  }

  private olderLayers(): OlderLayers {
    const sealed = this.sealed?.generation
    return {
      sealedTable: sealed?.tableName,
      sealedHolds: (key) => sealed?.keys.has(key) ?? false,
      hiddenFromFiles: (key) => sealed?.masked.has(key) ?? false,
      filesThatMayHold: (keys) => {
        const { segments, mayHold } = segmentsHolding(this.table, this.files.segments, keys)
        return segments.length === 0 ? undefined : { mayHold, source: parquetSource(this.layout, segments) }
      },
    }
  }

  private get parts(): { table: Table; layout: TableLayout } {
    return { table: this.table, layout: this.layout }
  }

  private async createGenerationTables(generation: Generation): Promise<void> {
    await this.writer.createTable(generation.tableName, fileColumns(this.table))
    await this.writer.createTable(generation.maskName, maskColumns(this.table))
    generation.hasTables = true
  }

  private async dropGenerationTables(generation: Generation): Promise<void> {
    await this.writer.dropTable(generation.tableName)
    await this.writer.dropTable(generation.maskName)
  }
}
