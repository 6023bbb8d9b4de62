import { releaseBytes } from '../../lib/bytes.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { valueAt } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { TextFilterBuilder, type TextFilterContents } from './text-filter-builder.ts'

/** Rows whose texts are copied from DuckDB together. */
const rowsAtOnce = 128

/**
 * The text filter of a data file of this table, read from `parquet`; undefined if it has so little
 * text that searching it takes no noticeable time.
 *
 * @param pause waits for work that matters more; it may throw
 */
export async function computeTextFilter(
  writer: Writer,
  table: Table,
  parquet: string,
  pause?: () => Promise<void>,
): Promise<TextFilterContents | undefined> {
  const widths = await textWidthsOf(writer, parquet, table.searched ?? [])
  if (widths.values().reduce((sum, bytes) => sum + bytes, 0) < storageLimits.textFilterBytesMin) return undefined
  const builder = new TextFilterBuilder()
  const slice = new TimeSlice()
  const texts = [...widths.keys()].map((name) => `"${name}"`).join(', ')
  // Rows come in the order of the file. Line feeds keep grams from spanning two rows or columns.
  const sql = `SELECT concat_ws(chr(10), '', ${texts}) FROM read_parquet(${textLiteral(parquet)})`
  for await (const rows of writer.textRows(sql)) {
    await pause?.()
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const some = rows.slice(from, from + rowsAtOnce)
      const isLast = from + rowsAtOnce >= rows.length
      for (const piece of some.pieces(Number.MAX_SAFE_INTEGER)) {
        builder.add(piece, some.length, isLast)
        releaseBytes(piece)
      }
      await slice.yieldIfExpired()
    }
  }
  return builder.finish()
}

/**
 * Those of the columns that a file has, and their bytes before compression. Files of other engines
 * may lack some.
 */
async function textWidthsOf(
  writer: Writer,
  parquet: string,
  columns: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (columns.length === 0) return new Map()
  const widths = await writer.read(
    { name: 'text', bytes: 'number' },
    `SELECT path_in_schema, sum(total_uncompressed_size)::DOUBLE FROM parquet_metadata(${textLiteral(parquet)})
     WHERE path_in_schema IN (${columns.map(textLiteral).join(', ')}) GROUP BY path_in_schema`,
  )
  const bytesOf = new Map(widths.map(({ name, bytes }) => [name, bytes]))
  return new Map(columns.flatMap((name) => (bytesOf.has(name) ? [[name, valueAt(bytesOf, name)]] : [])))
}
