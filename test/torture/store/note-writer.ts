import type { Store } from '../../../src/engine/store.ts'
import type { Row } from '../../../src/lib/table.ts'
import { noteRow, startMs } from '../../store/notes-table.ts'
import type { Random } from '../../store/random.ts'
import { type Batch, Oracle } from './oracle.ts'

/** Few keys, so that the parts of a note meet in every layer. */
const keysPerWriter = 5

/** Sends random parts of notes and tells the oracle. */
export class NoteWriter {
  readonly oracle: Oracle
  private readonly random: Random
  private readonly onBegun: (batch: Batch) => void
  /**
   * A removed note is not written to again: how long a deletion is remembered depends on the clock.
   */
  private readonly generations = new Map<string, number>()

  /** @param onBegun called with each batch before it is sent */
  constructor(random: Random, oracle = new Oracle(), onBegun: (batch: Batch) => void = () => {}) {
    this.random = random
    this.oracle = oracle
    this.onBegun = onBegun
  }

  /**
   * Sends one batch. @param writer keys of their own, so that batches sent at once do not meet
   * @returns what it was refused with; undefined if it was acknowledged
   */
  async write(store: Store, nowMs: number, writer = 0): Promise<unknown> {
    const rows = Array.from({ length: this.random.between(1, 4) }, () => this.part(nowMs * 1000, writer))
    const batch: Batch = this.oracle.begin(rows)
    this.onBegun(batch)
    try {
      await store.write('notes', [...batch.rows])
      batch.state = 'acknowledged'
      return undefined
    } catch (cause) {
      batch.state = 'refused'
      return cause
    }
  }

  private part(touched: number, writer: number): Row {
    const { random } = this
    const project = random.pick(['p', 'p', 'q'])
    const name = `w${writer}-${random.below(keysPerWriter)}`
    const place = `${project} ${name}`
    const generation = this.generations.get(place) ?? 0
    const key = { project, id: `${name}.${generation}`, touched }
    const author = random.pick(['ada', 'bob', 'ümit', '\u{1f600}'])
    const opened = startMs * 1000 + random.below(1e6)
    const body = JSON.stringify({ n: random.below(1e6), text: 'x'.repeat(this.length()) })
    const choice = random.next()
    if (choice < 0.3) return noteRow({ ...key, title: `title ${random.below(100)}`, opened, author })
    if (choice < 0.5) return noteRow({ ...key, closed: opened + 10, votes: random.below(1000) - 500 })
    if (choice < 0.7) return noteRow({ ...key, body, tags: [author, ''] })
    if (choice < 0.93)
      return noteRow({ ...key, author, votes: 0, body, title: 'closed at once', opened, closed: opened })
    this.generations.set(place, generation + 1)
    return noteRow({ ...key, removed: touched })
  }

  /** Mostly short, occasionally larger than a few sectors or pages. */
  private length(): number {
    return this.random.chance(0.1) ? this.random.below(20_000) : this.random.below(300)
  }
}
