import { BatchRow } from '../../lib/batch-row.ts'
import { wordAt } from '../../lib/bytes.ts'
import { present } from '../../lib/present.ts'
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

/**
 * Hashes the filtered columns of rows, one after the other: two words for each column that has a
 * value, from `at`. The second one is never 0.
 */
type HashRow = (row: CellReader, into: Uint32Array, at: number) => void

function rowHasher(table: Table, hashing: Hashing): HashRow {
  const projectCell = columnIndex(table, table.key[0])
  // Adjacent rows often share a trace, or a parent.
  const columns = table.filtered.map((name) => {
    return { name, cell: columnIndex(table, name), lastProject: '', last: '', hash: { a: 0, b: 0 } }
  })
  return (row, into, at) => {
    const project = present(row.text(projectCell), 'The project of a row')
    for (const [index, column] of columns.entries()) {
      const value = row.text(column.cell)
      if (value === null) continue
      if (value !== column.last || project !== column.lastProject) {
        column.hash = hashValue(column.name, project, value, hashing)
        column.last = value
        column.lastProject = project
      }
      into[at + index * 2] = column.hash.a
      into[at + index * 2 + 1] = column.hash.b
    }
  }
}

/** Collects what the Bloom filter and the lists of hashes of a data file need, row by row. */
export class FileIndexBuilder {
  private readonly hashRow: HashRow
  private readonly hashesOfRow: Uint32Array
  /** By filtered column: the list of its values, and the last hash, which adjacent rows share. */
  private readonly columns: { readonly list: KeyHashCollector; last: ValueHash }[]
  private readonly keys = new KeyHashCollector()
  private readonly others = new KeyHashCollector()
  /** Keys of rows that turned out not to belong to the file. */
  private readonly excluded = new KeyHashCollector()
  private readonly id: string
  /** Rows that are hashed later; undefined if they are hashed at once. */
  private deferred: CellReader[] | undefined
  private settling = Promise.resolve()

  constructor(table: Table, hashing: Hashing = 'xxh64') {
    this.id = table.key[1]
    this.hashRow = rowHasher(table, hashing)
    this.hashesOfRow = new Uint32Array(table.filtered.length * 2)
    this.columns = table.filtered.map((name) => {
      return { list: name === this.id ? this.keys : this.others, last: { a: 0, b: 0 } }
    })
  }

  /**
   * From now on, `add` only takes note of rows, whose cells must stay as they are. Those that end
   * are still hashed at once.
   */
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
    if (this.deferred === undefined || (row instanceof BatchRow && row.ends)) this.hash(row)
    else this.deferred.push(row)
  }

  private hash(row: CellReader): void {
    this.hashesOfRow.fill(0)
    this.hashRow(row, this.hashesOfRow, 0)
    this.addHashed(this.hashesOfRow, 0)
  }

  /** The same for a row whose values have been hashed; see `hashesOf`. */
  addHashed(hashes: Uint32Array, row: number): void {
    for (const [index, column] of this.columns.entries()) {
      const at = (row * this.columns.length + index) * 2
      const [a, b] = [wordAt(hashes, at), wordAt(hashes, at + 1)]
      if (b === 0 || (a === column.last.a && b === column.last.b)) continue
      column.last = { a, b }
      column.list.add(column.last)
    }
  }

  /**
   * Excludes a row that goes elsewhere from the keys. The Bloom filter, and the hashes of other
   * values, may still contain its values.
   */
  exclude(project: string, id: string): void {
    this.excluded.add(hashValue(this.id, project, id))
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
    const filter = BloomFilter.withCapacity(this.keys.count + this.others.count)
    const slice = new TimeSlice()
    for (const list of [this.keys, this.others])
      for (let index = 0; index < list.count; index++) {
        if (slice.expired) await slice.yield()
        filter.add(list.at(index))
      }
    return filter
  }
}

/** The hashes of the filtered columns of rows, one after the other; 0 for null. */
export function hashesOf(table: Table, rows: readonly CellReader[]): Uint32Array<ArrayBuffer> {
  const [hashRow, width] = [rowHasher(table, 'xxh64'), table.filtered.length * 2]
  const hashes = new Uint32Array(rows.length * width)
  for (const [index, row] of rows.entries()) hashRow(row, hashes, index * width)
  return hashes
}
