import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFolderFaults, tableFolder } from '../../store/folder-state.ts'
import type { Random } from '../../store/random.ts'
import { errorLevel, StoreBench, warnLevel } from '../../store/store-bench.ts'
import { type VisibleRow, visibleRows } from '../../store/visible-rows.ts'
import { mount } from '../files/disks.ts'
import { type Canary, FaultyDisk } from '../files/faulty-disk.ts'
import { differences } from './differences.ts'
import { NoteWriter } from './note-writer.ts'
import { type Oracle, projects } from './oracle.ts'
import { folderFaults } from './verify-notes.ts'

const hangsMs = 120_000

/** A store on a faulty disk, and the oracle that knows what it must contain. */
export class TorturedStore {
  readonly random: Random
  readonly found: string[] = []
  /** What was done, for the report of a fault. */
  readonly did: string[] = []
  readonly writer: NoteWriter
  disk!: FaultyDisk
  bench!: StoreBench
  private readonly parent = mkdtempSync(join(tmpdir(), 'tracelake-torture-'))
  private readonly canary: Canary | undefined
  private folders = 0
  /**
   * The process has ended with a disk that refused a write and may have refused to take it back: it
   * may be there, completely.
   */
  isUnsettled = false

  constructor(random: Random, canary?: Canary) {
    this.random = random
    this.canary = canary
    this.writer = new NoteWriter(random)
  }

  get oracle(): Oracle {
    return this.writer.oracle
  }

  get store() {
    return this.bench.store
  }

  /** A path for another data folder. */
  freshFolder(): string {
    return join(this.parent, `data-${this.folders++}`)
  }

  /** Opens a folder on a disk of its own; an empty one if there is none. */
  async open(folder = this.freshFolder()): Promise<void> {
    mkdirSync(folder, { recursive: true })
    this.disk = new FaultyDisk(folder, this.random, this.canary)
    mount(this.disk)
    const nowMs = this.bench?.nowMs
    this.bench = await orHang(StoreBench.openAt(folder, nowMs === undefined ? {} : { nowMs }), 'opening')
  }

  /** After the process has died: opens what it left, and finds out which requests are there. */
  async reopenImage(image: string): Promise<void> {
    const dead = this.bench
    await dead.close().catch(() => {})
    await this.open(image)
    this.isUnsettled = true
    await this.compare('after the death')
  }

  /** Compares what readers see with the oracle. */
  async compare(when: string): Promise<void> {
    if (this.isUnsettled) {
      const marked: VisibleRow[] = []
      for (const project of projects) marked.push(...(await visibleRows(this.store, undefined, project)))
      this.oracle.settle(marked)
      this.isUnsettled = false
    }
    for (const project of projects) {
      const expected = this.oracle.visible(project)
      const seen = await orHang(visibleRows(this.store, undefined, project), 'a read')
      this.found.push(...differences(seen, expected).map((line) => `${when}: ${line}`))
    }
  }

  /** Closes the store and verifies the folder with the product and with other readers. */
  async verify(): Promise<void> {
    // What could not be removed while the disk failed, a start removes.
    await orHang(this.bench.reopen(), 'opening')
    await this.compare('after a restart')
    await orHang(this.bench.close(), 'closing')
    const { folder } = this.bench
    for (const fault of await folderFaults(folder)) this.found.push(`verify: ${fault}`)
    for (const fault of await findFolderFaults(tableFolder(folder, 'notes'), ['project', 'id']))
      this.found.push(`the folder: ${fault}`)
  }

  /** What the log says at the level of warnings and above. */
  get complaints(): readonly string[] {
    return this.bench.log.filter(({ level }) => level >= warnLevel).map(({ msg }) => msg)
  }

  get errors(): readonly string[] {
    return this.bench.log.filter(({ level }) => level >= errorLevel).map(({ msg }) => msg)
  }

  /** Ends everything; the folders are kept if something was found. */
  async end(): Promise<void> {
    await this.bench?.close().catch(() => {})
    if (this.found.length === 0) rmSync(this.parent, { recursive: true, force: true })
    else this.found.push(`done: ${this.did.join(' · ')}`, `the folders are kept in ${this.parent}`)
  }
}

/** Fails if something takes longer than anything should. */
export async function orHang<T>(work: Promise<T>, what: string): Promise<T> {
  const timer = Promise.withResolvers<never>()
  const late = setTimeout(() => timer.reject(new Error(`${what} hangs`)), hangsMs)
  try {
    return await Promise.race([work, timer.promise])
  } finally {
    clearTimeout(late)
  }
}
