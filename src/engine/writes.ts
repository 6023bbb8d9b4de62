import { type CellReader, cellReader, type Row } from '../lib/table.ts'
import type { DirtyRow } from './memtable/memtable.ts'
import { refuseIfUnavailable, type StoreParts } from './store-parts.ts'
import type { TableStore } from './table/table-store.ts'
import type { EncodedRows } from './wal/batch-codec.ts'
import { Watchers } from './watchers.ts'

/** What may refuse a write. */
type Admission = Pick<StoreParts, 'lock' | 'refusal' | 'space' | 'erasing'>

/** The writes that `Store` offers. */
export class Writes {
  readonly watchers = new Watchers()
  private readonly parts: Admission

  constructor(parts: Admission) {
    this.parts = parts
  }

  async write(table: TableStore, rows: readonly Row[]): Promise<void> {
    const watched = this.watchers.isWatched(table.table.name) ? rows.map(cellReader) : []
    await this.admit(table, rows, watched, () => table.write(rows))
  }

  async writeEncoded(table: TableStore, encoded: EncodedRows, before: readonly Row[]): Promise<void> {
    const rows = before.length === 0 ? encoded.rows : [...before, ...encoded.rows]
    const watched = before.length === 0 ? encoded.rows : [...before.map(cellReader), ...encoded.rows]
    await this.admit(table, rows, watched, () => table.writeEncoded(encoded, before))
  }

  /** Stores rows unless there is a reason to refuse them, and lets watchers see them. */
  private async admit(
    { table }: TableStore,
    rows: readonly DirtyRow[],
    watched: readonly CellReader[],
    write: () => Promise<void>,
  ): Promise<void> {
    refuseIfUnavailable(this.parts)
    this.parts.space.refuseIfShort(table, rows)
    const tellStored = this.watchers.show(table.name, watched)
    await this.parts.erasing.write(table, rows, write)
    tellStored()
  }
}
