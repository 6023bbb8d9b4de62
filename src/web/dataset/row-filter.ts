import { isInSplit, readSplit } from '../../lib/splits.ts'
import { typeAt } from '../json/scan.ts'
import { typedOf } from './cells.ts'

/** Which rows are shown. */
export interface RowFilter {
  readonly matches: (cells: ReadonlyMap<string, string>, rowDigest: string) => boolean
}

const operators = ['!=', '>=', '<=', '=', '>', '<', '~'] as const
type Operator = (typeof operators)[number]

/**
 * Reads a filter: conditions on columns joined by `and`, such as `passengers > 2 and split = test`,
 * where `~` asks for a part of a text. Without a column of this name, `split = test:10` asks for
 * the rows of a split (see `readSplit`). Anything else is a text that some cell contains.
 *
 * @returns undefined for no filter
 */
export function readFilter(text: string, columns: readonly string[]): RowFilter | undefined {
  if (text.trim() === '') return undefined
  const conditions = text
    .split(/\s+and\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/i)
    .map((part) => readCondition(part.trim(), columns))
  return { matches: (cells, digest) => conditions.every((holds) => holds(cells, digest)) }
}

type Condition = RowFilter['matches']

function readCondition(part: string, columns: readonly string[]): Condition {
  const [, name = '', operator = '', value = ''] = /^(.+?)\s*(!=|>=|<=|=|>|<|~)\s*(.*)$/s.exec(part) ?? []
  const column = columns.find((each) => each.toLowerCase() === name.toLowerCase())
  const known = operators.find((each) => each === operator)
  const split = column === undefined && name.toLowerCase() === 'split' ? readSplit(value) : undefined
  if (split !== undefined && (known === '=' || known === '!='))
    return (_, digest) => isInSplit(split, digest) === (known === '=')
  if (column === undefined || known === undefined) return contains(part)
  const wanted = /^".*"$/s.test(value) ? value.slice(1, -1) : value
  return (cells) => holds(cells.get(column), known, wanted)
}

function contains(text: string): Condition {
  const wanted = (/^".*"$/s.test(text) ? text.slice(1, -1) : text).toLowerCase()
  return (cells) => {
    for (const cell of cells.values()) if (shownText(cell).toLowerCase().includes(wanted)) return true
    return false
  }
}

/** The text of a cell as people read it. */
const shownText = (cell: string): string => (typeAt(cell, 0) === 'string' ? typedOf(cell) : cell)

function holds(cell: string | undefined, operator: Operator, wanted: string): boolean {
  if (cell === undefined) return operator === '!=' ? wanted !== '' : operator === '=' && wanted === ''
  const text = shownText(cell)
  if (operator === '~') return text.toLowerCase().includes(wanted.toLowerCase())
  const order = orderOf(text, wanted)
  switch (operator) {
    case '=':
      return order === 0
    case '!=':
      return order !== 0
    case '>':
      return order > 0
    case '<':
      return order < 0
    case '>=':
      return order >= 0
    case '<=':
      return order <= 0
  }
}

/** Numbers by their size, everything else by its letters. */
function orderOf(text: string, wanted: string): number {
  const [a, b] = [Number(text), Number(wanted)]
  const areNumbers = text.trim() !== '' && wanted.trim() !== '' && !Number.isNaN(a) && !Number.isNaN(b)
  if (areNumbers && Number.isSafeInteger(Math.trunc(a)) && Number.isSafeInteger(Math.trunc(b))) return a - b
  return text === wanted ? 0 : text < wanted ? -1 : 1
}
