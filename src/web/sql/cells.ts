import type { Cell, Result } from './run-statement.ts'

const numeric = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|UINTEGER|DOUBLE|FLOAT|DECIMAL\b.*|BIGNUM)$/

/** Whether a column has numbers. */
export const isNumeric = (type: string): boolean => numeric.test(type)

const charsMax = 400

/** A cell as text; undefined for NULL. */
export function cellText(cell: Cell): string | undefined {
  if (cell === null || cell === undefined) return undefined
  return typeof cell === 'string' ? cell : JSON.stringify(cell)
}

/** The beginning of a cell on one line. */
export const shortText = (cell: Cell): string | undefined =>
  cellText(cell)
    ?.slice(0, charsMax)
    .replace(/\s*\n\s*/g, ' ⏎ ')

/** A number of a cell; undefined for anything else. */
export function numberOf(cell: Cell): number | undefined {
  if (cell === null || cell === undefined || cell === '') return undefined
  const value = Number(cell)
  return Number.isFinite(value) ? value : undefined
}

const pixelsPerChar = 8.4

/** Widths of the columns of a result, from its first rows. */
export const widthsOf = ({ columns, rows }: Pick<Result, 'columns' | 'rows'>): readonly number[] =>
  columns.map(({ name, type }, index) => {
    const chars = rows.slice(0, 50).map((row) => shortText(row[index])?.length ?? 4)
    const wide = Math.max(name.length, Math.min(type.length, 16), ...chars)
    return Math.round(Math.min(420, Math.max(64, wide * pixelsPerChar + 24)))
  })

/** Names of types as people say them. */
export const typeWord = (type: string): string =>
  type.startsWith('TIMESTAMP') ? 'timestamp' : type.toLowerCase().replace('varchar', 'text')
