import { type CellReader, columnIndex, type Table } from '../../kernel/table.ts'
import { TimeSlice } from '../../platform/event-loop.ts'
import { BloomFilter, hashValue } from '../keys/bloom-filter.ts'
import { KeyHashCollector, type SortedHashes } from '../keys/key-hashes.ts'

/** Collects what the Bloom filter and the key file of a data file need, row by row. */
export class FileIndexBuilder {
  private readonly project: number
  private readonly columns: readonly { name: string; cell: number }[]
  /** The last value per column: adjacent rows often share a trace. */
  private readonly last: { project: string; value: string }[]
  private readonly hashes: number[] = []
  private readonly keys = new KeyHashCollector()
  /** Keys of rows that turned out not to belong to the file. */
  private readonly excluded = new KeyHashCollector()
  private readonly id: string

  constructor(table: Table) {
    this.id = table.key[1]
    this.project = columnIndex(table, table.key[0])
    this.columns = table.filtered.map((name) => ({ name, cell: columnIndex(table, name) }))
    this.last = this.columns.map(() => ({ project: '', value: '' }))
  }

  add(row: CellReader): void {
    const project = row.text(this.project)!
    this.columns.forEach(({ name, cell }, index) => {
      const value = row.text(cell)
      const last = this.last[index]!
      if (value === null || (value === last.value && project === last.project)) return
      last.value = value
      last.project = project
      const hash = hashValue(name, project, value)
      this.hashes.push(hash.a, hash.b)
      if (name === this.id) this.keys.add(hash)
    })
  }

  /**
   * Excludes a row that goes elsewhere from the key file. The Bloom filter may still contain its
   * values.
   */
  exclude(project: string, id: string): void {
    this.excluded.add(hashValue(this.id, project, id))
  }

  toKeys(): SortedHashes {
    return this.keys.sorted(this.excluded)
  }

  async toFilter(): Promise<BloomFilter> {
    const filter = BloomFilter.withCapacity(this.hashes.length / 2)
    const slice = new TimeSlice()
    for (let i = 0; i < this.hashes.length; i += 2) {
      if (slice.expired) await slice.yield()
      filter.add({ a: this.hashes[i]!, b: this.hashes[i + 1]! })
    }
    return filter
  }
}
