/** Rows of cells of RFC 4180 text. @throws where a quoted cell does not end properly. */
export function parseDelimited(text: string, delimiter: ',' | '\t'): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter)
    row.push(cell.value)
    at = cell.end
    if (text[at] === delimiter) {
      at += 1
      if (at === text.length) row.push('')
      continue
    }
    if (at < text.length && text.slice(at, at + 2) !== '\r\n')
      throw new Error(`Parse the row at ${at}: it ends without CRLF`)
    rows.push(row)
    row = []
    at += 2
  }
  if (row.length > 0) rows.push(row)
  return rows
}

function plainCell(text: string, start: number, delimiter: string): { value: string; end: number } {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\r' && text[end] !== '\n') end += 1
  return { value: text.slice(start, end), end }
}

function quotedCell(text: string, start: number): { value: string; end: number } {
  let value = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) throw new Error(`Parse the cell at ${start}: its quotes do not end`)
    value += text.slice(from, quote)
    if (text[quote + 1] !== '"') return { value, end: quote + 1 }
    value += '"'
    from = quote + 2
  }
}
