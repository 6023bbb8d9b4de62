/** A cell of a file; null is an empty one. */
export type CsvCell = string | number | null

/** A line of a CSV file, without its end. */
export const csvLine = (cells: readonly CsvCell[]): string => cells.map(csvCell).join(',')

/** Lines as the bytes of a CSV file. */
export const csvBlob = (lines: readonly string[]): Blob => new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' })

/** Texts of models must not become formulas of a spreadsheet. */
function csvCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
