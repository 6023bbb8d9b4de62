import { cpSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { FindSpace } from '../../src/engine/disk-space.ts'
import type { LakeOptions } from '../../src/engine/lake-parts.ts'
import { Store } from '../../src/engine/store.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import type { Table } from '../../src/lib/table.ts'
import { readDeltaTable } from './folder-state.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { notesTable, startMs } from './notes-table.ts'

/** Time between two looks at the folder, and how often it is looked at. */
const removalMs = 100
const looksMax = 300

/** One entry of the store's log. */
export interface LogEntry {
  readonly level: number
  readonly msg: string
  readonly [member: string]: unknown
}

/** The longest time that a timer can have. */
const neverMs = 2 ** 31 - 1

export const warnLevel = 40
export const errorLevel = 50

interface BenchOptions {
  memoryBytesMax?: number
  queryTimeoutMs?: number
  logReplayedAtOpenBytesMax?: number
  findSpace?: FindSpace
  coldBytesMax?: number
  lake?: LakeOptions
  /** False for a store whose timer does nothing, so that only what the test asks for happens. */
  isMaintained?: boolean
}

/**
 * A store on a temporary folder with a settable clock. Disposing it closes the store and removes
 * the folder.
 */
export class StoreBench implements AsyncDisposable {
  readonly folder: string
  readonly log: LogEntry[] = []
  nowMs = startMs
  store!: Store
  private readonly tables: readonly Table[]
  readonly options: BenchOptions = {}
  private isOpen = false

  private constructor(folder: string, tables: readonly Table[]) {
    this.folder = folder
    this.tables = tables
  }

  static async open(tables: readonly Table[] = [notesTable], options: BenchOptions = {}): Promise<StoreBench> {
    const bench = new StoreBench(await freshFolder(), tables)
    Object.assign(bench.options, options)
    return await bench.reopen()
  }

  /** A bench on a folder that may have contents. Disposing it removes the folder. */
  static async openAt(
    folder: string,
    options: BenchOptions & { nowMs?: number; tables?: readonly Table[] } = {},
  ): Promise<StoreBench> {
    const { nowMs = startMs, tables = [notesTable], ...others } = options
    const bench = new StoreBench(folder, tables)
    bench.nowMs = nowMs
    Object.assign(bench.options, others)
    return await bench.reopen()
  }

  /**
   * A bench on a copy of another's folder, as a crash at this moment would leave it. The other one
   * goes on.
   */
  static async afterCrashOf(other: StoreBench, tables = other.tables): Promise<StoreBench> {
    const bench = await StoreBench.closedCopyOf(other, tables)
    return await bench.reopen()
  }

  /** The same without opening the copy, so that the test can damage it. */
  static async closedCopyOf(other: StoreBench, tables = other.tables): Promise<StoreBench> {
    const bench = new StoreBench(await freshFolder(), tables)
    await copyLive(other.folder, bench.folder)
    bench.nowMs = other.nowMs
    return bench
  }

  get tableFolder(): string {
    return join(this.folder, 'tables', this.tables[0]!.name)
  }

  /** Log entries at or above a level. */
  entries(level: number): LogEntry[] {
    return this.log.filter((entry) => entry.level >= level)
  }

  /** Closes the store if it is open, and reopens it. */
  async reopen(): Promise<this> {
    await this.close()
    const { isMaintained = true, ...options } = this.options
    const write = (line: string) => void this.log.push(JSON.parse(line) as LogEntry)
    const { flushCheckMs } = storageLimits
    if (!isMaintained) Object.assign(storageLimits, { flushCheckMs: neverMs })
    try {
      this.store = await Store.open({
        dataFolder: this.folder,
        tables: this.tables,
        // Less would make memtables smaller, which are then flushed before a test asks for it.
        memoryBytesMax: 2 ** 30,
        ...options,
        clock: { nowMs: () => this.nowMs },
        log: pino({ level: 'info' }, { write }),
      })
    } finally {
      Object.assign(storageLimits, { flushCheckMs })
    }
    this.isOpen = true
    return this
  }

  /**
   * Advances the clock past the retention of replaced files, and reads, which removes them, until
   * they are gone: work in the background may hold some, or be removing them. Those that the test
   * holds stay.
   */
  async removeReplaced({ isHeld = false } = {}): Promise<void> {
    this.nowMs += storageLimits.replacedFilesKeptMs
    for (let looks = 0; looks < 3 || (looks < looksMax && !isHeld && (await this.hasReplaced())); looks++) {
      const held = await HeldSnapshot.ofLookup(this.store, { tables: [this.tables[0]!.name] })
      await held.release()
      await Bun.sleep(removalMs)
    }
  }

  /** Whether the folder has data files, or indexes of them, that the table has replaced. */
  private async hasReplaced(): Promise<boolean> {
    const named = new Set((await readDeltaTable(this.tableFolder)).files.map(({ path }) => path))
    const names = [this.tableFolder, join(this.tableFolder, '_filters')].flatMap((folder) => readdirSync(folder))
    const dataFiles = names.flatMap((name) => /^part-.*?\.parquet(?=\.|$)/.exec(name)?.[0] ?? [])
    return dataFiles.some((name) => !named.has(name))
  }

  async close(): Promise<void> {
    if (!this.isOpen) return
    this.isOpen = false
    await this.store.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** Copies a folder in one go, as it is between two steps of the store. */
async function copyLive(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      cpSync(from, to, { recursive: true })
      return
    } catch (cause) {
      // A step in progress may have removed or renamed a file.
      if ((cause as { code?: string }).code !== 'ENOENT' || attempt === looksMax) throw cause
      await rm(to, { recursive: true })
      await Bun.sleep(removalMs)
    }
  }
}

const freshFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'tracelake-store-'))
