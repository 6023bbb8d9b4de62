import { harmless } from '../../formats/wire/separated-values.ts'

/** Forms of an answer; `texts` has cells as short texts, for agents. */
export type SqlFormat = 'json' | 'jsonl' | 'csv' | 'texts'

/** The rows of an answer as text, bounded in bytes, written while they arrive. */
export class StatementOutput {
  private readonly format: SqlFormat
  private readonly bytesMax: number
  private readonly cellCharsMax: number
  private readonly pieces: string[] = []
  private bytes = 0
  rows = 0

  constructor(format: SqlFormat, bytesMax: number, cellCharsMax = Number.POSITIVE_INFINITY) {
    this.format = format
    this.bytesMax = bytesMax
    this.cellCharsMax = cellCharsMax
  }

  /** Adds a row; false if there is no more space for it. */
  add(names: readonly string[], row: readonly unknown[]): boolean {
    const text = this.textOf(names, row)
    const bytes = Buffer.byteLength(text)
    if (this.bytes + bytes > this.bytesMax) return false
    this.bytes += bytes
    this.rows++
    this.pieces.push(text)
    return true
  }

  /** The rows: elements of a JSON array, lines of JSON, or lines of CSV below their names. */
  end(names: readonly string[]): string {
    if (this.format === 'json' || this.format === 'texts') return `[${this.pieces.join(',')}]`
    return this.format === 'csv' ? csvLine(names) + this.pieces.join('') : this.pieces.join('')
  }

  private textOf(names: readonly string[], row: readonly unknown[]): string {
    switch (this.format) {
      case 'csv':
        return csvLine(row.map(cellText))
      case 'jsonl':
        return `${JSON.stringify(Object.fromEntries(names.map((name, index) => [name, row[index]])))}\n`
      case 'texts':
        return JSON.stringify(row.map((cell) => cellText(cell)?.slice(0, this.cellCharsMax) ?? null))
      case 'json':
        return JSON.stringify(row)
    }
  }
}

/** A line of CSV (RFC 4180). An empty cell is NULL; an empty text is quoted. */
const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: string | null): string {
  if (cell === null) return ''
  const text = String(harmless(cell))
  return /[",\r\n]|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A cell as text: numbers with all their digits, lists and structs as JSON. */
const cellText = (cell: unknown): string | null =>
  cell === null || cell === undefined ? null : typeof cell === 'string' ? cell : JSON.stringify(cell)

/** Names as members of an object: repeated ones get a number. */
export function distinctNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    let distinct = name
    for (let count = 2; used.has(distinct); count++) distinct = `${name}_${count}`
    used.add(distinct)
    return distinct
  })
}
