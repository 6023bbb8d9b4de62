import type { Table } from '../../lib/table.ts'
import { cellAt, keyPositions, positionOf } from '../../lib/typed-rows.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { openWithoutFilters } from '../data-files/open-data-files.ts'
import { KeyIndex } from '../key-index/key-index.ts'
import type { TableLayout } from '../layout.ts'
import { type RowKey, rowKey } from '../row-key.ts'
import type { TableOnDisk } from '../table/table-on-disk.ts'
import { BatchCodec } from '../wal/batch-codec.ts'
import { readSegment } from '../wal/segment-reader.ts'

/**
 * Whether the log has something that the files lack. Deletions stay in the log for a while after
 * the rows are gone, so that no late retry brings one back; they do not count.
 *
 * @param table undefined for one of a later version, whose log cannot be read
 */
export async function hasRowsInLogOnly(
  writer: Writer,
  table: Table | undefined,
  layout: TableLayout,
  { state, logFiles }: TableOnDisk,
): Promise<boolean> {
  if (table === undefined) return logFiles.some(({ bytes }) => bytes.length > 0)
  const codec = new BatchCodec(table)
  const deletedAt = positionOf(table, table.tombstoneColumn, 'time')
  const { project, id } = keyPositions(table)
  const deleted = new Set<RowKey>()
  for (const { bytes } of logFiles) {
    const { rows, damaged } = readSegment(bytes, codec)
    if (damaged.length > 0 || rows.some((row) => cellAt(row, deletedAt) === null)) return true
    for (const row of rows) deleted.add(rowKey(cellAt(row, project), cellAt(row, id)))
  }
  if (deleted.size === 0) return false
  const files = await openWithoutFilters(writer, table, layout, state.files)
  const { matchingKeys } = await new KeyIndex(table, layout).lookUp(files, [...deleted])
  return matchingKeys.length > 0
}
