import { numberAt, wordAt } from '../../lib/bytes.ts'
import { itemAt, present } from '../../lib/present.ts'
import { type CellReader, columnIndex, type Table } from '../../lib/table.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import {
  BloomFilter,
  type Hashing,
  hashValue,
  KeyHashCollector,
  type SortedHashes,
  type ValueHash,
} from '../keys/bloom-filter.ts'

/** Collects what the Bloom filter and the lists of hashes of a data file need, row by row. */
export class FileIndexBuilder {
  private readonly project: number
  private readonly columns: readonly { name: string; cell: number }[]
  /** The last value per column: adjacent rows often share a trace. */
  private readonly last: { project: string; value: string }[]
  private readonly lastHashed: ValueHash[]
  private readonly hashes: number[] = []
  private readonly keys = new KeyHashCollector()
  private readonly others = new KeyHashCollector()
  /** Keys of rows that turned out not to belong to the file. */
  private readonly excluded = new KeyHashCollector()
  private readonly id: string
  private readonly hashing: Hashing
  /** Rows that are hashed later; undefined if they are hashed at once. */
  private deferred: CellReader[] | undefined
  private settling = Promise.resolve()

  constructor(table: Table, hashing: Hashing = 'xxh64') {
    this.hashing = hashing
    this.id = table.key[1]
    this.project = columnIndex(table, table.key[0])
    this.columns = table.filtered.map((name) => ({ name, cell: columnIndex(table, name) }))
    this.last = this.columns.map(() => ({ project: '', value: '' }))
    this.lastHashed = this.columns.map(() => ({ a: 0, b: 0 }))
  }

  /** From now on, `add` only takes note of rows, whose cells must stay as they are. */
  defer(): void {
    this.deferred ??= []
  }

  /** Hashes the rows that `add` took note of, yielding to other requests. */
  async settle(): Promise<void> {
    const rows = this.deferred
    this.deferred = undefined
    if (rows === undefined) return
    const slice = new TimeSlice()
    this.settling = (async () => {
      for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
        this.hash(row)
        if (slice.expired) await slice.yield()
      }
    })()
    await this.settling
  }

  add(row: CellReader): void {
    if (this.deferred === undefined) this.hash(row)
    else this.deferred.push(row)
  }

  private hash(row: CellReader): void {
    const project = present(row.text(this.project), 'The project of a row')
    this.columns.forEach(({ name, cell }, index) => {
      const value = row.text(cell)
      const last = itemAt(this.last, index)
      if (value === null || (value === last.value && project === last.project)) return
      last.value = value
      last.project = project
      const hash = hashValue(name, project, value, this.hashing)
      this.hashes.push(hash.a, hash.b)
      this.listOf(name).add(hash)
    })
  }

  /** The same for a row whose values have been hashed; see `hashesOf`. */
  addHashed(hashes: Uint32Array, row: number): void {
    const width = this.columns.length * 2
    for (let index = 0; index < this.columns.length; index++) {
      const at = row * width + index * 2
      const a = wordAt(hashes, at)
      const b = wordAt(hashes, at + 1)
      if (b === 0) continue
      const last = itemAt(this.lastHashed, index)
      if (a === last.a && b === last.b) continue
      this.lastHashed[index] = { a, b }
      this.hashes.push(a, b)
      this.listOf(itemAt(this.columns, index).name).add({ a, b })
    }
  }

  private listOf(column: string): KeyHashCollector {
    return column === this.id ? this.keys : this.others
  }

  /**
   * Excludes a row that goes elsewhere from the keys. The Bloom filter, and the hashes of other
   * values, may still contain its values.
   */
  exclude(project: string, id: string): void {
    this.excluded.add(hashValue(this.id, project, id, this.hashing))
  }

  /** Call `settle` first. */
  toKeys(): SortedHashes {
    return this.keys.sorted(this.excluded)
  }

  /** The hashes of values of other filtered columns. */
  toOthers(): SortedHashes {
    return this.others.sorted()
  }

  async toFilter(): Promise<BloomFilter> {
    await this.settle()
    await this.settling
    const filter = BloomFilter.withCapacity(this.hashes.length / 2)
    const slice = new TimeSlice()
    for (let i = 0; i < this.hashes.length; i += 2) {
      if (slice.expired) await slice.yield()
      filter.add({ a: numberAt(this.hashes, i), b: numberAt(this.hashes, i + 1) })
    }
    return filter
  }
}

/**
 * The hashes of the filtered columns of rows: for each row and column two words, which are 0 for
 * null. A hash never has a 0 as its second word.
 */
export function hashesOf(table: Table, rows: readonly CellReader[]): Uint32Array<ArrayBuffer> {
  const project = columnIndex(table, table.key[0])
  const columns = table.filtered.map((name) => ({ name, cell: columnIndex(table, name) }))
  const width = columns.length * 2
  const hashes = new Uint32Array(rows.length * width)
  // Adjacent rows often share a trace, or a parent.
  const last = columns.map(() => ({ project: '', value: '', a: 0, b: 0 }))
  for (const [index, row] of rows.entries()) {
    const ofProject = present(row.text(project), 'The project of a row')
    for (const [position, { name, cell }] of columns.entries()) {
      const value = row.text(cell)
      if (value === null) continue
      const at = index * width + position * 2
      const before = itemAt(last, position)
      if (value === before.value && ofProject === before.project) {
        hashes[at] = before.a
        hashes[at + 1] = before.b
        continue
      }
      const hash = hashValue(name, ofProject, value)
      last[position] = { project: ofProject, value, ...hash }
      hashes[at] = hash.a
      hashes[at + 1] = hash.b
    }
  }
  return hashes
}
