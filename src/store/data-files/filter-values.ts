import { columnIndex, type Row, type Table } from '../../kernel/table.ts'
import { Turn } from '../../platform/yield.ts'
import { hashValue, IdFilter } from '../keys/id-filter.ts'
import { KeyHashes, type SortedHashes } from '../keys/key-hashes.ts'

/** Collects what a file's filter and its key file will have to know, while the rows pass by. */
export class FilterValues {
  private readonly project: number
  private readonly columns: readonly { name: string; cell: number }[]
  /** What was seen last, per column: neighbours often share a trace. */
  private readonly last: { project: string; value: string }[]
  private readonly hashes: number[] = []
  private readonly keys = new KeyHashes()
  /** Of rows that turned out not to belong to the file. */
  private readonly left = new KeyHashes()
  private readonly id: string

  constructor(table: Table) {
    this.id = table.key[1]
    this.project = columnIndex(table, table.key[0])
    this.columns = table.filtered.map((name) => ({ name, cell: columnIndex(table, name) }))
    this.last = this.columns.map(() => ({ project: '', value: '' }))
  }

  add(row: Row): void {
    const project = row[this.project] as string
    this.columns.forEach(({ name, cell }, index) => {
      const value = row[cell]
      const last = this.last[index]!
      if (typeof value !== 'string' || (value === last.value && project === last.project)) return
      last.value = value
      last.project = project
      const hash = hashValue(name, project, value)
      this.hashes.push(hash.a, hash.b)
      if (name === this.id) this.keys.add(hash)
    })
  }

  /** A row goes elsewhere: its key is none of the file's. The filter may know its values all the same. */
  leave(project: string, id: string): void {
    this.left.add(hashValue(this.id, project, id))
  }

  toKeys(): SortedHashes {
    return this.keys.sorted(this.left)
  }

  async toFilter(): Promise<IdFilter> {
    const filter = IdFilter.ofSize(this.hashes.length / 2)
    const turn = new Turn()
    for (let i = 0; i < this.hashes.length; i += 2) {
      if (turn.isOver) await turn.next()
      filter.add({ a: this.hashes[i]!, b: this.hashes[i + 1]! })
    }
    return filter
  }
}
