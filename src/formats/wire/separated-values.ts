import { stringify } from 'csv-stringify/sync'
import type { Cell } from '../../lib/table.ts'

const encoder = new TextEncoder()

/**
 * CSV or TSV with a header row (RFC 4180). Cells that a spreadsheet would take for formulas get a
 * leading `'`, so that opening the file executes nothing.
 */
export async function* encodeSeparatedValues(
  names: readonly string[],
  chunks: AsyncGenerator<readonly (readonly Cell[])[]>,
  delimiter: ',' | '\t',
): AsyncGenerator<Uint8Array> {
  const options = {
    delimiter,
    record_delimiter: 'windows' as const,
    quoted_match: /[\r\n]/,
    // A row with one empty cell would be an empty line, which many readers skip.
    quoted_empty: names.length === 1,
  }
  // Sent with the first rows, so that a query failing before them yields an error response.
  let head = stringify([[...names]], options)
  for await (const columns of chunks) {
    const count = columns[0]?.length ?? 0
    const rows = Array.from({ length: count }, (_, row) => columns.map((column) => harmless(column[row] ?? '')))
    yield encoder.encode(head + stringify(rows, options))
    head = ''
  }
  if (head !== '') yield encoder.encode(head)
}

const formulaStart = /^[=+\-@\t\r]/
const plainNumber = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** A cell that a spreadsheet does not run as a formula. */
export const harmless = (cell: Exclude<Cell, null>): Exclude<Cell, null> =>
  typeof cell === 'string' && formulaStart.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell
