import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { areSameBytes } from '../../runtime/platform/files/bytes.ts'
import { findBytes } from '../../runtime/platform/files/files.ts'
import type { TableLayout } from '../layout.ts'
import { bytesOf, TextFilterFile } from '../text-filter/text-filter-file.ts'
import { computeTextFilter } from '../text-filter/write-text-filter.ts'

/** A missing text filter only makes searches slower; one that lacks a text hides its row. */
export async function textFilterFaults(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  fileName: string,
): Promise<string[]> {
  const path = layout.texts(fileName)
  const bytes = await findBytes(path)
  if (bytes === undefined) return []
  if ((await TextFilterFile.find(path)) === undefined)
    return ['has a damaged text filter; delete it, and a running server rebuilds it']
  const contents = await computeTextFilter(writer, table, layout.parquet(fileName))
  if (contents !== undefined && areSameBytes(bytesOf(contents), bytes)) return []
  return ['has a text filter of other texts; delete it, and a running server rebuilds it']
}
