import { DomainError } from '../lib/errors.ts'
import { columnIndex, type Table } from '../lib/table.ts'
import { type DirtyRow, toRow } from './memtable/dirty-row.ts'

/** Projects that are being erased: they have no rows for readers, and accept none. */
export class ErasingProjects {
  /** Read by the tables. */
  readonly hidden = new Set<string>()
  private readonly writing = new Set<Promise<void>>()

  /** Hides a project, and waits for the writes that have begun before. */
  async begin(projectId: string): Promise<void> {
    this.hidden.add(projectId)
    await Promise.allSettled(this.writing)
  }

  end(projectId: string): void {
    this.hidden.delete(projectId)
  }

  /** @throws DomainError StoreUnavailable for rows of a hidden project */
  async write(table: Table, rows: readonly DirtyRow[], work: () => Promise<void>): Promise<void> {
    if (this.hidden.size > 0) this.refuse(table, rows)
    const writing = work()
    this.writing.add(writing)
    try {
      await writing
    } finally {
      this.writing.delete(writing)
    }
  }

  private refuse(table: Table, rows: readonly DirtyRow[]): void {
    const project = columnIndex(table, table.key[0])
    for (const row of rows) {
      const projectId = toRow(row)[project] as string
      if (this.hidden.has(projectId))
        throw new DomainError(
          'StoreUnavailable',
          `Cannot write to the project "${projectId}": it is being erased; try again in a few minutes`,
        )
    }
  }
}
