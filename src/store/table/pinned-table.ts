import { limits } from '../../limits.ts'
import type { Table } from '../../model/table.ts'
import type { Generation } from '../hot/generation.ts'
import { rowKey } from '../hot/row-key.ts'
import type { TableLayout } from '../layout.ts'
import { mayMatch } from '../segment/segment.ts'
import type { SegmentList } from '../segment/segments.ts'
import type { TableLayers } from './table-layers.ts'

/** What a reader needs of one table, fixed at one moment and held until it is unpinned. */
export interface PinnedTable {
  readonly table: Table
  readonly layout: TableLayout
  readonly active: Generation
  readonly sealed: Generation | undefined
  readonly files: SegmentList
  /** Whether the generations held rows then; their key sets go on changing. */
  readonly activeHasRows: boolean
  readonly sealedHasRows: boolean
  /** The hot part has no say in what is read, neither by its rows nor by its masks. */
  readonly isFilesAlone: boolean
}

/** Moves everything accepted so far into DuckDB and holds the layers. Only under the lock on layers. */
export async function pinTable(layers: TableLayers): Promise<PinnedTable> {
  await layers.materialize('all')
  const { table, layout, active } = layers
  const sealed = layers.sealed?.generation
  return {
    table,
    layout,
    active,
    sealed,
    files: hold(layers),
    activeHasRows: active.keys.size > 0,
    sealedHasRows: sealed !== undefined && sealed.keys.size > 0,
    isFilesAlone: false,
  }
}

/**
 * Holds the files for a row of which the hot part knows nothing; `nowhere` where surely no file has it either, undefined where they
 * cannot answer alone or the row may be wide. Only under the lock on layers.
 */
export function pinFilesOf(layers: TableLayers, projectId: string, id: string): PinnedTable | 'nowhere' | undefined {
  const key = rowKey(projectId, id)
  const { active, table, layout } = layers
  const sealed = layers.sealed?.generation
  if (active.knows(key) || sealed?.knows(key)) return undefined
  const wanted = { projectId, anyOf: new Map([[table.key[1], [id]]]) }
  const matching = layers.files.segments.filter((segment) => mayMatch(table, segment, wanted))
  if (matching.length === 0) return 'nowhere'
  if (matching.some(({ bytes, rows }) => bytes > rows * limits.pointRowBytesMax)) return undefined
  const files = hold(layers)
  return { table, layout, active, sealed, files, activeHasRows: false, sealedHasRows: false, isFilesAlone: true }
}

/** Lets go of the layers, and removes what nobody holds any more. */
export async function unpinTable({ retired }: TableLayers, pinned: PinnedTable): Promise<void> {
  pinned.active.pins--
  if (pinned.sealed) pinned.sealed.pins--
  pinned.files.pins--
  await retired.sweep()
}

function hold({ active, sealed, files }: TableLayers): SegmentList {
  active.pins++
  if (sealed) sealed.generation.pins++
  return files.pin()
}
