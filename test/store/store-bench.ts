import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Table } from '../../src/kernel/table.ts'
import { limits } from '../../src/limits.ts'
import type { FindSpace } from '../../src/store/disk-space.ts'
import { Store } from '../../src/store/store.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { notesTable, startMs } from './notes-table.ts'

/** Files are removed faster than that. */
const removalMs = 100

/** One entry of the store's log. */
export interface LogEntry {
  readonly level: number
  readonly msg: string
  readonly [member: string]: unknown
}

export const warnLevel = 40
export const errorLevel = 50

interface BenchOptions {
  queryTimeoutMs?: number
  logReplayedAtOpenBytesMax?: number
  findSpace?: FindSpace
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
    await cp(other.folder, bench.folder, { recursive: true })
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
    const write = (line: string) => void this.log.push(JSON.parse(line) as LogEntry)
    this.store = await Store.open({
      dataFolder: this.folder,
      tables: this.tables,
      memoryBytesMax: 256e6,
      ...this.options,
      clock: { nowMs: () => this.nowMs },
      log: pino({ level: 'info' }, { write }),
    })
    this.isOpen = true
    return this
  }

  /**
   * Advances the clock past the retention of replaced files, and reads, which removes them. It
   * reads more than once: work in the background may hold some, or be removing them.
   */
  async removeReplaced(): Promise<void> {
    this.nowMs += limits.replacedFilesKeptMs
    for (let reads = 0; reads < 3; reads++) {
      const held = await HeldSnapshot.ofLookup(this.store, { tables: [this.tables[0]!.name] })
      await held.release()
      await Bun.sleep(removalMs)
    }
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

const freshFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'tracelake-store-'))
