import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { TableLayout } from '../layout.ts'
import type { DataFile } from './data-file.ts'
import { newFileName } from './file-names.ts'
import { splitRows } from './split-rows.ts'
import { discardFile } from './uncommitted-files.ts'
import { indexRows, writeDataFile } from './write-data-file.ts'

/**
 * Writes the rows of an existing file again: one data file, or several with consecutive ranges of
 * the sort order where the file has more than memory should hold at once. Files of other engines
 * have any size.
 *
 * @returns no files if the source has no rows
 */
export async function rewriteRows(options: {
  writer: Writer
  table: Table
  layout: TableLayout
  /** See `writeDataFile`. */
  source: string
  nowMs: number
}): Promise<DataFile[]> {
  const { writer, table, layout } = options
  const written: DataFile[] = []
  try {
    for (const source of await splitRows(writer, table, options.source)) {
      const values = await indexRows(writer, table, source)
      const file = await writeDataFile({ ...options, source, fileName: newFileName(), values })
      if (file !== undefined) written.push(file)
    }
  } catch (cause) {
    // If even this fails, the first error says why, and the next start cleans up.
    for (const { fileName } of written) await discardFile(layout, fileName).catch(() => {})
    throw cause
  }
  return written
}
