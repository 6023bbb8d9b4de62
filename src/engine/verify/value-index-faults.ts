import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { areSameBytes } from '../../runtime/platform/files/bytes.ts'
import { findBytes } from '../../runtime/platform/files/files.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { TableLayout } from '../layout.ts'
import { ValueIndexFile } from '../value-index/value-index-file.ts'
import { bytesOfValueIndex } from '../value-index/value-index-format.ts'
import { computeValueIndex } from '../value-index/write-value-index.ts'

/** A missing value index only makes reads slower; one that lacks a row hides it. */
export async function valueIndexFaults(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  dataFile: DataFile,
): Promise<string[]> {
  const path = layout.values(dataFile.fileName)
  const bytes = await findBytes(path)
  if (bytes === undefined) return []
  if ((await ValueIndexFile.find(path)) === undefined)
    return ['has a damaged value index; delete it, and a running server rebuilds it']
  const contents = await computeValueIndex(writer, table, dataFile, layout.parquet(dataFile.fileName))
  if (areSameBytes(bytesOfValueIndex(contents), bytes)) return []
  return ['has a value index of other rows; delete it, and a running server rebuilds it']
}
