import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { fileExists } from '../../runtime/platform/files/files.ts'
import { indexRows } from '../data-files/write-data-file.ts'
import { KeyFile } from '../keys/key-file.ts'
import type { TableLayout } from '../layout.ts'

/**
 * Lists the faults of a key file. A missing one is rebuilt by the server; one that lacks a row lets
 * its next part become a second row.
 *
 * @param source the rows of the data file, as a FROM item `t`
 */
export async function keyFaults(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  { fileName, source }: { fileName: string; source: string },
): Promise<string[]> {
  const path = layout.keys(fileName)
  if (!(await fileExists(path))) return []
  const keys = (await indexRows(writer, table, source)).toKeys()
  const indexes = Array.from({ length: keys.length / 2 }, (_, index) => index)
  const held = await (await KeyFile.find(path))?.findPresent(keys, indexes)
  if (held === undefined) return ['has a damaged key file; the server rebuilds it']
  const denied = indexes.length - held.length
  return denied === 0 ? [] : [`has a key file that lacks ${denied} of its rows; delete it, and the server rebuilds it`]
}
