import { type CellKind, type Column, type EditKind, editKindOf, readTyped, typedOf } from './cells.ts'
import type { EditedCell, EditedCells } from './edits.ts'

/**
 * Rows and cells of a text that a spreadsheet copies: cells between tabs, rows between line breaks;
 * a cell in quotes holds tabs, line breaks and doubled quotes. A `=` at its start is text.
 */
export function cellsOfPaste(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  const input = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  for (let at = 0; ; ) {
    const [cell, end] = input[at] === '"' ? quotedAt(input, at) : plainAt(input, at)
    rows.at(-1)?.push(cell)
    if (end >= input.length) return rows
    if (input[end] === '\n') rows.push([])
    at = end + 1
    if (at === input.length) {
      rows.at(-1)?.push('')
      return rows
    }
  }
}

function plainAt(input: string, at: number): [cell: string, end: number] {
  const length = input.slice(at).search(/[\t\n]/)
  const end = length < 0 ? input.length : at + length
  return [input.slice(at, end), end]
}

/** A cell in quotes; a quote that nothing closes, or that text follows, is text itself. */
function quotedAt(input: string, at: number): [cell: string, end: number] {
  let cell = ''
  for (let next = at + 1; ; ) {
    const quote = input.indexOf('"', next)
    if (quote < 0) return plainAt(input, at)
    cell += input.slice(next, quote)
    if (input[quote + 1] !== '"') {
      const end = quote + 1
      return end >= input.length || input[end] === '\t' || input[end] === '\n' ? [cell, end] : plainAt(input, at)
    }
    cell += '"'
    next = quote + 2
  }
}

/** Cells as the text that spreadsheets paste. */
export const pasteOfCells = (rows: readonly (readonly (string | undefined)[])[]): string =>
  rows.map((row) => row.map((cell) => quotedCell(typedOf(cell))).join('\t')).join('\n')

const quotedCell = (text: string): string => (/["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** What a paste would do. */
export interface PastePlan {
  /** Column of each pasted column; undefined for one that is left out. */
  readonly columns: readonly (string | undefined)[]
  readonly rows: readonly EditedCells[]
  /** Columns that are not there yet. */
  readonly newColumns: readonly string[]
  /** Cells that do not fit their column. */
  readonly faults: number
}

/** Whether the first row of a paste names columns. */
export const hasHead = ([first = []]: readonly (readonly string[])[], columns: readonly string[]): boolean =>
  first.length > 0 && first.every((name) => name.trim() !== '') && first.some((name) => columns.includes(name.trim()))

/**
 * Plans a paste: by the names in its head, or into the columns from `from` on. Each cell is read as
 * its column: what is no number in a column of numbers is a fault.
 */
export function planPaste(
  cells: readonly (readonly string[])[],
  columns: readonly Column[],
  { from, withHead }: { readonly from: number; readonly withHead: boolean },
): PastePlan {
  const width = Math.max(0, ...cells.map((row) => row.length))
  const [head = []] = withHead ? cells : []
  const names = withHead
    ? Array.from({ length: width }, (_, at) => head[at]?.trim() || undefined)
    : Array.from({ length: width }, (_, at) => columns[from + at]?.name)
  const known = new Map(columns.map(({ name, kind }) => [name, kind]))
  const rows = cells.slice(withHead ? 1 : 0).map((row) =>
    Object.fromEntries(
      row.flatMap((typed, at) => {
        const name = names[at]
        return name === undefined ? [] : [[name, pastedCell(typed, known.get(name))] as const]
      }),
    ),
  )
  return {
    columns: names,
    rows,
    newColumns: names.flatMap((name) => (name !== undefined && !known.has(name) ? [name] : [])),
    faults: rows.reduce((sum, row) => sum + Object.values(row).filter((cell) => 'fault' in cell).length, 0),
  }
}

/** A pasted cell, read as what its column holds. */
export function pastedCell(typed: string, column: CellKind = 'text'): EditedCell {
  const kind: EditKind = column === 'null' || column === 'missing' ? 'text' : editKindOf(column)
  if (typed === '' && kind !== 'text') return { json: null }
  const folded = kind === 'boolean' ? typed.toLowerCase() : typed
  const read = readTyped(folded, kind)
  return 'fault' in read ? { typed, as: kind, fault: read.fault } : { json: read.json ?? null }
}
