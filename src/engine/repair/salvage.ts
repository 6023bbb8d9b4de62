import type { Table } from '../../lib/table.ts'
import { textLiteral, typedNulls } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { type ByteRange, findChangedRanges } from '../data-files/file-checksum.ts'
import { fileColumnList, fileColumns } from '../data-files/file-columns.ts'
import { ownFileScan } from '../data-files/file-scan.ts'
import { parquetSource } from '../data-files/open-data-files.ts'
import type { TableFile } from '../delta/delta-state.ts'
import type { TableLayout } from '../layout.ts'
import { sameKey } from '../row-key.ts'

/** The DuckDB table that receives the readable rows. */
export const salvagedTable = 'salvaged'

/**
 * Copies the trustworthy rows of a damaged file into the table `salvaged`, by row group: those
 * whose bytes match the checksum, or, in a file without checksums, those that can be decoded.
 * Without its footer nothing of a file can be salvaged.
 *
 * @returns how many rows were copied
 */
export async function salvage(writer: Writer, table: Table, layout: TableLayout, file: TableFile): Promise<number> {
  await writer.createTable(salvagedTable, fileColumns(table))
  const { fileName, missing } = ownFileScan(table, file)!
  const path = layout.parquet(fileName)
  const source = `(SELECT *${missing.length === 0 ? '' : `, ${typedNulls(missing)}`}
    FROM read_parquet(${textLiteral(path)}, file_row_number = true)) t`
  let rows = 0
  for (const { from, to } of await trustedGroups(writer, path, file)) {
    try {
      await writer.execute(
        `INSERT INTO "${salvagedTable}" BY NAME SELECT ${fileColumnList(table)} FROM ${source}
         WHERE t.file_row_number >= ${from} AND t.file_row_number < ${to}`,
      )
      rows += to - from
    } catch {
      // Not decodable: its rows count as lost.
    }
  }
  return rows
}

/**
 * Removes rows from `salvaged` that other files have in a newer version.
 * @returns how many
 */
export async function removeSuperseded(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  others: readonly DataFile[],
): Promise<number> {
  if (others.length === 0) return 0
  const count = async () => (await writer.rows(`SELECT count(*) FROM "${salvagedTable}"`))[0]![0] as number
  const before = await count()
  await writer.execute(
    `DELETE FROM "${salvagedTable}" t USING ${parquetSource(layout, others)} k WHERE ${sameKey(table, 'k')}`,
  )
  return before - (await count())
}

/** Row groups as ranges of row numbers. */
async function trustedGroups(writer: Writer, path: string, { add }: TableFile): Promise<ByteRange[]> {
  try {
    const changed = await findChangedRanges(path, add)
    const found = await writer.rows(
      `SELECT row_group_id, any_value(row_group_num_rows)::DOUBLE,
         min(CASE WHEN dictionary_page_offset > 0 THEN least(dictionary_page_offset, data_page_offset) ELSE
           data_page_offset END)::DOUBLE,
         sum(total_compressed_size)::DOUBLE
       FROM parquet_metadata(${textLiteral(path)}) GROUP BY 1 ORDER BY 1`,
    )
    const groups = found as [number, number, number, number][]
    const dataEnd = Math.max(0, ...groups.map(([, , offset, bytes]) => offset + bytes))
    // The footer is damaged, so nothing it says can be trusted.
    if (changed?.some(({ to }) => to > dataEnd)) return []
    let row = 0
    return groups.flatMap(([, rows, offset, bytes]) => {
      const from = row
      row += rows
      const isChanged = changed?.some((stretch) => stretch.from < offset + bytes && stretch.to > offset)
      return isChanged ? [] : [{ from, to: row }]
    })
  } catch {
    // Missing, truncated, or without a readable footer.
    return []
  }
}
