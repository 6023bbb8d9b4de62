import type { Mutex } from '../../lib/concurrency.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { present } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { findSection, isEmpty } from '../index-file/index-file.ts'
import { isUsedVersion } from '../index-file/index-file-format.ts'
import type { TableLayout } from '../layout.ts'
import { stepOfSumsSql } from './rollup-steps.ts'
import { type HiddenInFile, type SubtractedRows, subtractRows } from './subtract-rows.ts'
import { hasOwnMark } from './write-rollup.ts'

/** The members of a data file that rollups use. */
interface RolledFile {
  readonly fileName: string
  readonly rows: number
  readonly add: { readonly modificationTime: number }
}

/** The rollup of a data file, with its sums in memory. */
interface LoadedRollup {
  /** Number of the data file in the DuckDB table. */
  readonly number: number
  /** Parquet file with its rows. */
  readonly path: string
  /** Microseconds by which it adds up rows. */
  readonly stepMicros: number
}

/** The rollups in memory at one moment; never changed. */
export interface LoadedRollups {
  /** DuckDB table of their rows, without the lists, and with the number of the file. */
  readonly tableName: string
  /** By name of the data file. */
  readonly files: ReadonlyMap<string, LoadedRollup>
  /** Hidden rows of files that are subtracted, by name. */
  readonly hidden: ReadonlyMap<string, SubtractedRows>
}

const nothingLoaded: LoadedRollups = { tableName: '', files: new Map(), hidden: new Map() }

/**
 * The rollups of a table's data files. They are loaded into memory in the background once a request
 * could use them, and dropped after a while without such a request. See
 * docs/decisions/160-rollups-by-hour.md.
 */
export class Rollups {
  /** The rollups for readers that begin now. */
  loaded = nothingLoaded
  /** Whether a rollup could not be read, so that the next update lists the folder again. */
  areSuspect = false
  private readonly table: Table
  private readonly layout: TableLayout
  private readonly writer: Writer | undefined
  private readonly lock: Mutex
  private readonly clock: Clock
  private readonly log: Log
  /** Names of data files, by whether they have a usable rollup. */
  private readonly states = new Map<string, 'present' | 'absent' | 'unnecessary'>()
  private usedMs = Number.NEGATIVE_INFINITY
  private generation = 0
  private lastNumber = 0
  /** Rows of data files that requests have found hidden. */
  private hidden: readonly HiddenInFile[] = []
  /** Rows in the DuckDB table, by file number; those of files that are gone included. */
  private readonly rows = new Map<number, number>()
  private loading: Promise<void> | undefined
  private isClosed = false

  constructor(options: {
    table: Table
    layout: TableLayout
    /** A connection of its own; undefined if the table has no rollups. */
    writer: Writer | undefined
    /** The store's layers lock: readers pin and begin under it. */
    lock: Mutex
    clock: Clock
    log: Log
  }) {
    this.table = options.table
    this.layout = options.layout
    this.writer = options.writer
    this.lock = options.lock
    this.clock = options.clock
    this.log = options.log
  }

  /**
   * Called when a request could use rollups: loads those of the given files in the background, and
   * subtracts what is hidden.
   */
  use(dataFiles: readonly RolledFile[], hidden: readonly HiddenInFile[]): void {
    this.usedMs = this.clock.nowMs()
    this.hidden = hidden
    this.update(dataFiles).catch((err: unknown) => this.log.warn({ err }, 'cannot load rollups of data files'))
  }

  /** Loads missing rollups, and drops those that are no longer needed. */
  async update(dataFiles: readonly RolledFile[]): Promise<void> {
    if (this.writer === undefined || this.isClosed || this.loading !== undefined) return await this.loading
    this.loading = this.run(this.writer, dataFiles)
    try {
      await this.loading
    } finally {
      this.loading = undefined
    }
  }

  /** Waits for the step in progress and prevents further ones. */
  async close(): Promise<void> {
    this.isClosed = true
    // The caller of that step receives its failure.
    await this.loading?.catch(() => {})
  }

  /** Data files of the table that may need a rollup and have none. */
  async filesWithout<F extends RolledFile>(dataFiles: readonly F[]): Promise<F[]> {
    if (this.writer === undefined) return []
    const names = new Set(dataFiles.map(({ fileName }) => fileName))
    for (const name of this.states.keys()) if (!names.has(name)) this.states.delete(name)
    const without: F[] = []
    for (const dataFile of dataFiles) {
      const { fileName, rows } = dataFile
      if (rows < storageLimits.rollupFileRowsMin || !this.layout.hasIndexAtHand(fileName)) continue
      if (!this.states.has(fileName)) await this.find(fileName)
      if (this.states.get(fileName) === 'absent') without.push(dataFile)
    }
    return without
  }

  /**
   * Call when the index of a file has been rebuilt.
   *
   * @param path its new rollup; undefined if it turned out to need none
   */
  wasRebuilt(fileName: string, path: string | undefined): void {
    this.states.set(fileName, path === undefined ? 'unnecessary' : 'present')
    const { files } = this.loaded
    const loaded = files.get(fileName)
    if (loaded === undefined || path === undefined) return
    // The sums are those of the same rows.
    this.loaded = { ...this.loaded, files: new Map([...files, [fileName, { ...loaded, path }]]) }
  }

  /** Path of the rollup of a data file; takes note of whether it has one. */
  private async find(fileName: string): Promise<string | undefined> {
    const place = await findSection(this.layout, fileName, 'rollup')
    const isUsable = place !== undefined && isUsedVersion('rollup', place.version)
    this.states.set(fileName, !isUsable ? 'absent' : isEmpty(place) ? 'unnecessary' : 'present')
    return isUsable && !isEmpty(place) ? place.path : undefined
  }

  private async run(writer: Writer, dataFiles: readonly RolledFile[]): Promise<void> {
    const isInUse = this.clock.nowMs() - this.usedMs < storageLimits.rollupsKeptMs
    const names = new Set(isInUse ? dataFiles.map(({ fileName }) => fileName) : [])
    if (this.areSuspect) for (const name of await this.vanished()) names.delete(name)
    await this.dropGone(writer, names)
    if (!isInUse) return
    // The newest are requested most often.
    const missing = dataFiles.filter(
      ({ fileName, rows }) =>
        rows >= storageLimits.rollupFileRowsMin &&
        this.layout.hasIndexAtHand(fileName) &&
        !this.loaded.files.has(fileName) &&
        (this.states.get(fileName) ?? 'present') === 'present',
    )
    const newestFirst = missing.toSorted((a, b) => b.add.modificationTime - a.add.modificationTime)
    for (let from = 0; from < newestFirst.length; from += storageLimits.rollupsLoadedAtOnce) {
      if (this.isClosed || this.rowsInMemory >= storageLimits.rollupRowsInMemoryMax) return
      await this.load(writer, newestFirst.slice(from, from + storageLimits.rollupsLoadedAtOnce))
    }
    await this.subtractHidden(writer)
  }

  private async subtractHidden(writer: Writer): Promise<void> {
    const { table, hidden } = this
    this.hidden = []
    for (const inFile of hidden) {
      const { tableName, files, hidden: all } = this.loaded
      if (this.isClosed) return
      const file = files.get(inFile.fileName)
      if (file === undefined) continue
      const number = this.lastNumber + 1
      const known = all.get(inFile.fileName)
      const subtracted = await subtractRows(
        writer,
        { table, tableName, number, stepMicros: file.stepMicros },
        inFile,
        known,
      )
      if (subtracted === known) continue
      if (subtracted.numbers !== known?.numbers) {
        this.lastNumber = number
        this.rows.set(number, subtracted.rows)
      }
      this.loaded = { ...this.loaded, hidden: new Map(all).set(inFile.fileName, subtracted) }
    }
  }

  /** Names of data files whose rollup is in memory, but not where it was on disk any more. */
  private async vanished(): Promise<string[]> {
    this.areSuspect = false
    const names: string[] = []
    for (const [name, { path }] of this.loaded.files) if ((await this.find(name)) !== path) names.push(name)
    return names
  }

  private get rowsInMemory(): number {
    return this.rows.values().reduce((sum, rows) => sum + rows, 0)
  }

  private async load(writer: Writer, dataFiles: readonly RolledFile[]): Promise<void> {
    const files = new Map(this.loaded.files)
    for (const { fileName } of dataFiles) {
      const path = await this.find(fileName)
      if (path === undefined) continue
      if (!(await this.isIntact(writer, fileName, path))) {
        this.states.set(fileName, 'absent')
        continue
      }
      const number = ++this.lastNumber
      const rollup = present(this.table.rollup, 'The rollup of the table')
      const select = `SELECT ${number}::INTEGER AS file, * EXCLUDE ("${rollup.lists}")
        FROM read_parquet(${textLiteral(path)})`
      await this.insert(writer, select)
      const { rows, stepMicros } = await writer.readOne(
        { rows: 'number', stepMicros: 'number' },
        `SELECT count(*)::DOUBLE, ${stepOfSumsSql(rollup)} FROM "${this.loaded.tableName}" WHERE file = ${number}`,
      )
      this.rows.set(number, rows)
      files.set(fileName, { number, path, stepMicros })
    }
    this.loaded = { ...this.loaded, files }
  }

  private async insert(writer: Writer, select: string): Promise<void> {
    const { tableName } = this.loaded
    if (tableName !== '') return await writer.execute(`INSERT INTO "${tableName}" ${select}`)
    const created = this.nextTableName()
    await writer.execute(`CREATE OR REPLACE TABLE "${created}" AS ${select}`)
    this.loaded = { ...this.loaded, tableName: created }
  }

  private nextTableName(): string {
    return `rollup_${this.table.name}_${++this.generation}`
  }

  /** Whether a rollup holds what was written to it, by this version. Otherwise it is rebuilt. */
  private async isIntact(writer: Writer, fileName: string, path: string): Promise<boolean> {
    try {
      if (await hasOwnMark(writer, this.table, path)) return true
    } catch (err) {
      this.log.warn({ err, file: fileName }, 'cannot read the rollup of a data file')
    }
    this.log.warn({ file: fileName }, 'the rollup of a data file is damaged or of another version')
    return false
  }

  /** Removes the rows of files that are gone once they are the larger part. */
  private async dropGone(writer: Writer, names: ReadonlySet<string>): Promise<void> {
    const { tableName } = this.loaded
    const files = new Map([...this.loaded.files].filter(([name]) => names.has(name)))
    const hidden = new Map([...this.loaded.hidden].filter(([name]) => names.has(name)))
    if (tableName === '') return
    const ofHidden = hidden.values().flatMap((rows) => rows.numbers)
    const numbers = new Set([...files.values().map(({ number }) => number), ...ofHidden])
    const keptRows = [...numbers].reduce((sum, number) => sum + (this.rows.get(number) ?? 0), 0)
    if (files.size > 0 && keptRows * 2 >= this.rowsInMemory) {
      this.loaded = { tableName, files, hidden }
      return
    }
    const next = files.size === 0 ? '' : this.nextTableName()
    if (next !== '') {
      const list = [...numbers].join(', ')
      await writer.execute(`CREATE OR REPLACE TABLE "${next}" AS FROM "${tableName}" WHERE file IN (${list})`)
    }
    // Readers that have pinned the old table have begun, and go on seeing it.
    await this.lock.run(async () => {
      this.loaded = { tableName: next, files, hidden }
      await writer.dropTable(tableName)
    })
    for (const number of this.rows.keys()) if (!numbers.has(number)) this.rows.delete(number)
  }
}
