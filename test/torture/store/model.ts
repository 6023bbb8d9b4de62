import { rmSync } from 'node:fs'
import { backUp } from '../../../src/engine/backup/backup.ts'
import { ForeignWriter } from '../../store/foreign-writer.ts'
import { HeldSnapshot } from '../../store/held-snapshot.ts'
import { Random } from '../../store/random.ts'
import { StoreBench } from '../../store/store-bench.ts'
import { rowsIn, type VisibleRow, visibleRows } from '../../store/visible-rows.ts'
import { copyLive } from '../files/copy-live.ts'
import { unmountAll } from '../files/disks.ts'
import type { Report } from '../report.ts'
import { differences } from './differences.ts'
import { projects } from './oracle.ts'
import { orHang, TorturedStore } from './tortured-store.ts'

const stepsPerRound = 40

/** A snapshot that was taken earlier, and what it must show as long as it is held. */
interface Held {
  readonly snapshot: HeldSnapshot
  readonly rows: VisibleRow[]
}

/**
 * Random writes, flushes, compactions, restarts, crashes, backups, jumps of the clock and commits
 * of another engine. After every step each reader must see what the oracle says; a round ends at
 * the first difference, so what it prints is as short as possible.
 */
export class ModelRound {
  private readonly seed: number
  private readonly random: Random
  private readonly subject: TorturedStore
  private readonly report: Report
  private held: Held | undefined

  constructor(seed: number, report: Report) {
    this.seed = seed
    this.report = report
    this.random = new Random(seed)
    this.subject = new TorturedStore(this.random)
  }

  async run(): Promise<void> {
    const { subject } = this
    try {
      await subject.open()
      for (let step = 0; step < stepsPerRound && subject.found.length === 0; step++) {
        await this.step()
        await subject.compare('after the last step')
        await this.compareHeld()
        this.report.add('steps')
      }
      await this.release()
      if (subject.found.length === 0) await subject.verify()
    } catch (cause) {
      subject.found.push(cause instanceof Error ? `${cause.message}\n${cause.stack}` : String(cause))
    }
    await this.release().catch(() => {})
    await subject.end()
    unmountAll()
    this.report.check('a sequence', subject.found, `bun run torture --only model --seed ${this.seed} --count 1`)
  }

  private async step(): Promise<void> {
    const { random } = this
    const choice = random.next()
    for (const [share, what, act] of this.actions) {
      if (choice >= share) continue
      this.subject.did.push(what)
      await orHang(act(), what)
      return
    }
  }

  private readonly actions: readonly (readonly [number, string, () => Promise<void>])[] = [
    [0.35, 'write', () => this.write(0)],
    [0.5, 'write during a flush', () => this.all(this.subject.store.flush(), this.write(0), this.write(1))],
    [0.6, 'flush', () => this.subject.store.flush({ retainIncomplete: this.random.chance(0.5) })],
    [0.68, 'write during a compaction', () => this.all(this.subject.store.compact(), this.write(2))],
    [0.74, 'reopen', () => this.reopen()],
    [0.82, 'crash', () => this.crash()],
    [0.88, 'clock', () => this.moveClock()],
    [0.93, 'commit of another engine', () => this.foreignCommit()],
    [0.96, 'backup', () => this.backUp()],
    [1, 'hold a snapshot', () => this.hold()],
  ]

  private async all(...works: Promise<unknown>[]): Promise<void> {
    await Promise.all(works)
  }

  private async write(writer: number): Promise<void> {
    const { subject } = this
    const refusal = await subject.writer.write(subject.store, subject.bench.nowMs, writer)
    if (refusal !== undefined) subject.found.push(`a write was refused: ${refusal}`)
  }

  private async reopen(): Promise<void> {
    await this.release()
    await this.subject.bench.reopen()
  }

  private async crash(): Promise<void> {
    await this.release()
    const { subject } = this
    const before = subject.bench.folder
    const image = subject.freshFolder()
    copyLive(before, image)
    await subject.reopenImage(image)
    rmSync(before, { recursive: true, force: true })
    this.report.add('crashes')
  }

  /** Forward by up to a month, or back by up to a day. */
  private async moveClock(): Promise<void> {
    const { bench } = this.subject
    bench.nowMs += this.random.chance(0.7) ? this.random.below(30 * 86_400_000) : -this.random.below(86_400_000)
    this.report.add('jumps of the clock')
  }

  /** Merges the files, sometimes with a vacuum at once, while the store goes on. */
  private async foreignCommit(): Promise<void> {
    const { subject } = this
    const other = new ForeignWriter(subject.bench.tableFolder)
    if (other.adds.size === 0) return
    await other.optimize()
    // A vacuum without retention takes the files from held snapshots, as it does for every reader.
    if (this.held === undefined && this.random.chance(0.5)) other.vacuum()
    this.report.add('commits of another engine')
  }

  private async backUp(): Promise<void> {
    const { subject } = this
    const to = subject.freshFolder()
    await backUp({
      dataFolder: subject.bench.folder,
      to,
      tableNames: ['notes'],
      rootFiles: [],
      mayLink: this.random.chance(0.5),
      memoryBytesMax: 256e6,
      clock: { nowMs: () => subject.bench.nowMs },
      onProgress: () => {},
    })
    await using copy = await StoreBench.openAt(to, { nowMs: subject.bench.nowMs })
    for (const project of projects) {
      const seen = await visibleRows(copy.store, undefined, project)
      const found = differences(seen, subject.oracle.visible(project))
      subject.found.push(...found.map((line) => `in the backup: ${line}`))
    }
    this.report.add('backups')
  }

  private async hold(): Promise<void> {
    await this.release()
    const snapshot = await HeldSnapshot.ofLookup(this.subject.store, { projectId: 'p' })
    this.held = { snapshot, rows: this.subject.oracle.visible('p') }
  }

  private async compareHeld(): Promise<void> {
    if (this.held === undefined) return
    const { snapshot, rows } = this.held
    const found = differences(await rowsIn(snapshot.snapshot), rows)
    this.subject.found.push(...found.map((line) => `in a held snapshot: ${line}`))
  }

  private async release(): Promise<void> {
    const { held } = this
    this.held = undefined
    await held?.snapshot.release()
  }
}
