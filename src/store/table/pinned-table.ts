import type { Table } from '../../kernel/table.ts'
import type { DataFileList } from '../data-files/open-data-files.ts'
import type { TableLayout } from '../layout.ts'
import type { Memtable } from '../memtable/memtable.ts'
import type { DamagedFiles } from './damaged-files.ts'
import type { TableLayers } from './table-layers.ts'

/** What a reader needs of one table, fixed at one moment and held until it is unpinned. */
export interface PinnedTable {
  readonly table: Table
  readonly layout: TableLayout
  readonly active: Memtable
  readonly sealed: Memtable | undefined
  readonly files: DataFileList
  /** Files of the table that are known to be damaged by now. */
  readonly damaged: DamagedFiles
  /** Whether the generations held rows then; their key sets go on changing. */
  readonly activeHasRows: boolean
  readonly sealedHasRows: boolean
}

/** Holds the layers. Only under the lock on layers, after they were materialized: what is still in memory does not show. */
export function pinTable(layers: TableLayers): PinnedTable {
  const { table, layout, active } = layers
  const sealed = layers.sealed?.memtable
  active.pins++
  if (sealed) sealed.pins++
  return {
    table,
    layout,
    active,
    sealed,
    files: layers.files.pin(),
    damaged: layers.damaged,
    activeHasRows: active.keys.size > 0,
    sealedHasRows: sealed !== undefined && sealed.keys.size > 0,
  }
}

/** Lets go of the layers, and removes what nobody holds any more. */
export async function unpinTable({ deferredDeletes }: TableLayers, pinned: PinnedTable): Promise<void> {
  pinned.active.pins--
  if (pinned.sealed) pinned.sealed.pins--
  pinned.files.pins--
  // What cannot be removed is no fault of the reader: the timer tries again, and reports.
  await deferredDeletes.sweep().catch(() => {})
}
