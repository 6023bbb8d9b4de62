import { columnIndex, type Row, type Table } from '../../model/table.ts'
import { Turn } from '../../platform/yield.ts'
import { hashValue, IdFilter } from './id-filter.ts'

/** Collects the values that a file's filter will have to know, while the rows pass by. */
export class FilterValues {
  private readonly project: number
  private readonly columns: readonly { name: string; cell: number }[]
  /** What was seen last, per column: neighbours often share a trace. */
  private readonly last: { project: string; value: string }[]
  private readonly hashes: number[] = []

  constructor(table: Table) {
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
      const { a, b } = hashValue(name, project, value)
      this.hashes.push(a, b)
    })
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
