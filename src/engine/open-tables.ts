import { forEachConcurrent } from '../lib/concurrency.ts'
import { lakeLimits } from '../lib/limits/objects.ts'
import type { Table } from '../lib/table.ts'
import type { Log } from '../runtime/log.ts'
import type { TableStore } from './table/table-store.ts'

/**
 * Opens tables, and logs how many are open while that takes long. Keeps their order. See
 * docs/decisions/297-opening-a-lake.md.
 */
export async function openTables(
  tables: readonly Table[],
  { open, atOnce, log }: { open: (table: Table) => Promise<TableStore>; atOnce: number; log: Log },
): Promise<ReadonlyMap<string, TableStore>> {
  const opened = new Map<Table, TableStore>()
  const say = () => log.info({ opened: opened.size, of: tables.length }, 'opening tables')
  const timer = setInterval(say, lakeLimits.openingSaidMs)
  try {
    await forEachConcurrent(tables, atOnce, async (table) => void opened.set(table, await open(table)))
  } finally {
    clearInterval(timer)
  }
  return new Map(
    tables.flatMap((table) => {
      const store = opened.get(table)
      return store === undefined ? [] : [[table.name, store] as const]
    }),
  )
}
