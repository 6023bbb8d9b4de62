import { expect, test } from 'bun:test'
import process from 'node:process'
import type { Row, Table } from '../../src/lib/table.ts'
import { changeLimits } from './change-limits.ts'
import { tableFolder } from './folder-state.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { NotesModel } from './notes-model.ts'
import { noteRow, notesTableNamed, startMs } from './notes-table.ts'
import { Random, seedOr } from './random.ts'
import { StoreBench } from './store-bench.ts'
import { rowsIn, type VisibleRow } from './visible-rows.ts'

const sequences = Number(process.env['TRACELAKE_TEST_SEQUENCES'] ?? 120)
/** Sequences that share a store, one table each. */
const tablesPerStore = 12
const steps = 9
const groupMsMax = 600_000

const tables: readonly Table[] = Array.from({ length: tablesPerStore }, (_, index) => notesTableNamed(`notes_${index}`))
/** A view of each project, all of one moment. */
type Views = readonly HeldSnapshot[]

const projects = ['p', 'q']
const tableNames = tables.map(({ name }) => name)

const release = (views: Views) => Promise.all(views.map((view) => view.release()))

/**
 * Random writes, flushes, restarts and crashes; after every step each table must read like its
 * model.
 */
class Sequences {
  private readonly random: Random
  private readonly models = tables.map(() => new NotesModel())
  private held: { views: Views; expected: VisibleRow[][] } | undefined
  private bench: StoreBench

  constructor(bench: StoreBench, random: Random) {
    this.bench = bench
    this.random = random
  }

  async step(): Promise<void> {
    await Promise.all(this.models.map((model, index) => this.write(index, model)))
    const choice = this.random.next()
    if (choice < 0.2) await this.bench.store.flush({ retainIncomplete: true, mayWait: this.random.chance(0.7) })
    else if (choice < 0.28) await this.restart()
    else if (choice < 0.36) await this.crash()
    else if (choice < 0.46) await this.bench.store.compact()
    else if (choice < 0.6) await this.compactAndFlush()
    this.bench.nowMs += this.random.below(1000)
    const now = await this.views()
    await this.compare(now, this.expected())
    if (this.held !== undefined) await this.compare(this.held.views, this.held.expected)
    if (this.random.chance(0.3)) await this.release()
    if (this.held === undefined && this.random.chance(0.5)) this.held = { views: now, expected: this.expected() }
    else await release(now)
  }

  /** Opens the store again and checks what is on disk, where the store may be at work. */
  async finish(): Promise<void> {
    await this.release()
    await this.bench.reopen()
    for (const table of tables)
      expect(await findLastingFaults(tableFolder(this.bench.folder, table.name), table.key)).toEqual([])
    await this.bench[Symbol.asyncDispose]()
  }

  private async write(index: number, model: NotesModel): Promise<void> {
    for (let count = this.random.below(3); count > 0; count--) {
      const rows = Array.from({ length: this.random.between(1, 4) }, () => this.randomPart())
      for (const row of rows) model.write(row)
      await this.bench.store.write(tableNames[index]!, rows)
    }
  }

  /** Few keys, so that parts meet in every layer. */
  private randomPart(): Row {
    const { random } = this
    const touched = this.bench.nowMs * 1000
    const key = { project: random.pick(['p', 'p', 'q']), id: `id-${random.below(6)}`, touched }
    const author = random.pick(['ada', 'bob', 'ümit', '\u{1f600}'])
    const opened = startMs * 1000 + random.below(1e6)
    const choice = random.next()
    if (choice < 0.35) return noteRow({ ...key, title: `title ${random.below(100)}`, opened, author })
    if (choice < 0.6) return noteRow({ ...key, closed: opened + 10, votes: random.below(1000) - 500 })
    if (choice < 0.75) return noteRow({ ...key, body: JSON.stringify({ n: random.below(1e6) }), tags: [author, ''] })
    if (choice < 0.9) return noteRow({ ...key, author, votes: 0, title: 'closed at once', opened, closed: opened })
    return noteRow({ ...key, removed: touched })
  }

  /** Rows are moved from file to file, and others come, while some of them are replaced. */
  private async compactAndFlush(): Promise<void> {
    const compacted = this.bench.store.compact()
    await this.bench.store.flush({ retainIncomplete: true, mayWait: this.random.chance(0.7) })
    await Promise.all(this.models.map((model, index) => this.write(index, model)))
    await this.bench.store.flush({ retainIncomplete: true })
    await compacted
  }

  private async restart(): Promise<void> {
    await this.release()
    await this.bench.reopen()
  }

  private async crash(): Promise<void> {
    await this.release()
    const before = this.bench
    this.bench = await StoreBench.afterCrashOf(before)
    await before[Symbol.asyncDispose]()
  }

  private async release(): Promise<void> {
    if (this.held !== undefined) await release(this.held.views)
    this.held = undefined
  }

  private async views(): Promise<Views> {
    const views: HeldSnapshot[] = []
    for (const projectId of projects)
      views.push(await HeldSnapshot.ofLookup(this.bench.store, { tables: tableNames, projectId }))
    return views
  }

  private expected(): VisibleRow[][] {
    return this.models.flatMap((model) => projects.map((project) => model.visible(project)))
  }

  private async compare(views: Views, expected: VisibleRow[][]): Promise<void> {
    const actual: VisibleRow[][] = []
    for (const table of tables)
      for (const [index, project] of projects.entries())
        actual.push(await rowsIn(views[index]!.snapshot, table, project))
    expect(actual).toEqual(expected)
  }
}

for (let first = 0; first < sequences; first += tablesPerStore) {
  const seed = seedOr(20_240_501) + first
  test(
    `random sequences match their model (TRACELAKE_TEST_SEED=${seed - first}, sequence ${first})`,
    async () => {
      // Every file counts as large, so that changes wait; some of them until it is worth it.
      const restore = changeLimits({
        rewrittenFreelyBytesMax: 0,
        rewrittenShareMin: first % 2 === 0 ? 0.4 : 1,
        waitingChangesMax: first % 4 < 2 ? 4 : 20,
      })
      try {
        const run = new Sequences(await StoreBench.open(tables), new Random(seed))
        for (let step = 0; step < steps; step++) await run.step()
        await run.finish()
      } finally {
        restore()
      }
    },
    groupMsMax,
  )
}
