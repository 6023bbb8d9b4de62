import { valueAt } from '../../lib/present.ts'
import type { Row, Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { type RowKey, splitKey } from '../row-key.ts'
import { type Memtable, maskColumns } from './memtable.ts'
import { tombstoneOf } from './retained-rows.ts'

/** The tombstones of deleted rows that stay in data files when a memtable is flushed. */
export const waitingTombstones = (
  table: Table,
  { tombstones }: Memtable,
  waiting: ReadonlySet<RowKey>,
): ReadonlyMap<RowKey, Row> => new Map([...waiting].map((key) => [key, tombstoneOf(table, valueAt(tombstones, key))]))

/** Lets the next memtable, which nothing reads yet, hide the rows of these tombstones. */
export async function keepWaiting(
  writer: Writer,
  table: Table,
  next: Memtable,
  tombstones: ReadonlyMap<RowKey, Row>,
): Promise<void> {
  if (tombstones.size === 0) return
  const keys = tombstones.keys().map(splitKey).toArray()
  await writer.transaction(() => writer.append(next.maskName, maskColumns(table), keys))
  for (const [key, row] of tombstones) {
    next.masked.add(key)
    next.tombstones.set(key, row)
  }
}
