/** Rows of a CSV text (RFC 4180). */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}
