import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject, looksLikeIndex, objectInOrder, wellFormed } from '../../../lib/json-value.ts'
import type { ColumnChoice, ColumnType, InspectedColumn } from '../model/datasets.ts'
import type { Faults } from './faults.ts'
import type { ObjectRecord } from './json-lines.ts'
import type { FileReader, SourceRecord } from './records.ts'
import { type PlannedColumn, type RowText, rowTextsOf } from './row-text.ts'
import { Refused, TypeGuess, valueOfJson, valueOfText } from './values.ts'

/** Texts in place of cells of a line, by column. */
export interface CorrectedCells {
  get(column: string): string | undefined
}

/** A row to store, or undefined if a value is a fault. */
type Row = Readonly<Record<string, unknown>> | undefined

/** Guesses the types of columns from records, and counts them. */
export class ColumnGuesses {
  private readonly columns: {
    readonly name: string
    readonly guess: TypeGuess
    readonly type: ColumnType | undefined
  }[]
  rows = 0

  constructor(columns: FileReader['columns']) {
    this.columns = (columns ?? []).map(({ name, type }) => ({ name, type, guess: new TypeGuess() }))
  }

  add({ line, cells }: SourceRecord): void {
    this.rows++
    for (const [at, { guess }] of this.columns.entries()) {
      const cell = cells[at]
      const isEmpty = cell === undefined || cell === ''
      guess.add(line, typeof cell === 'string' ? cell : isEmpty ? '' : JSON.stringify(cell), isEmpty)
    }
  }

  /** The same for rows with members of any name. */
  addObject({ line, row }: ObjectRecord): void {
    for (const name of Object.keys(row)) {
      if (this.columns.some((column) => column.name === name)) continue
      const guess = new TypeGuess()
      guess.empty = this.rows
      this.columns.push({ name, guess, type: undefined })
    }
    this.rows++
    for (const { name, guess } of this.columns) {
      const value = Object.hasOwn(row, name) ? row[name] : undefined
      const isEmpty = value === undefined || value === null
      // Quotes tell a text from a number.
      guess.add(line, typeof value === 'string' ? `"${value}` : isEmpty ? '' : JSON.stringify(value), isEmpty)
    }
  }

  get names(): readonly string[] {
    return this.columns.map(({ name }) => name)
  }

  get result(): InspectedColumn[] {
    return this.columns.map(({ name, guess, type }, source) => {
      const known = type === undefined ? guess.result : ofFile(type, guess)
      return { source, name, ...known, empty_count: guess.empty }
    })
  }
}

/** Types that a file states; JSON may be messages. */
function ofFile(type: ColumnType, guess: TypeGuess): { readonly type: ColumnType; readonly why: string } {
  const guessed = guess.result
  if (type === 'json' && guessed.type === 'messages') return guessed
  return { type, why: 'The file says so.' }
}

/** The choice for each column of a file. @throws DomainError InvalidRequest */
function choicesByColumn(
  names: readonly string[],
  choices: readonly ColumnChoice[],
): ReadonlyMap<number, ColumnChoice> {
  const chosen = new Map<number, ColumnChoice>()
  for (const choice of choices) {
    const at = typeof choice.source === 'number' ? choice.source : names.indexOf(choice.source)
    if (at < 0 || at >= names.length) {
      throw new DomainError(
        'InvalidRequest',
        `Unknown column ${quoted(String(choice.source))} in \`columns\`: the file has ` +
          `${
            names
              .slice(0, 20)
              .map((name) => quoted(name))
              .join(', ') || 'no columns'
          }`,
      )
    }
    if (typeof choice.source === 'string' && names.indexOf(choice.source, at + 1) !== -1) {
      throw new DomainError(
        'InvalidRequest',
        `The file has the column ${quoted(choice.source)} twice: name it by its position in \`columns\``,
      )
    }
    chosen.set(at, choice)
  }
  return chosen
}

/**
 * How records of a file with columns become rows. Names that are empty or there twice are faults.
 *
 * @throws DomainError InvalidRequest for a choice of a column that the file does not have
 */
export function rowsOfColumns(
  reader: FileReader,
  choices: readonly ColumnChoice[],
  defaults: {
    readonly typeOf: (at: number) => ColumnType
    readonly emptyOf: (name: string) => 'null' | 'absent' | undefined
  },
  faults: Faults,
): {
  readonly names: readonly string[]
  readonly rowOf: (record: SourceRecord, corrected?: CorrectedCells) => Row
  /** The row as text, if it can be printed directly. */
  readonly textOf: (record: SourceRecord) => RowText | undefined
} {
  const names = (reader.columns ?? []).map(({ name }) => name)
  const chosen = choicesByColumn(names, choices)
  const planned: PlannedColumn[] = []
  for (const [at, source] of names.entries()) {
    const choice = chosen.get(at)
    if (choice?.skip === true) continue
    const name = choice?.name ?? source
    if (name === '') faults.add(1, `${at + 1}`, '', 'the column has no name; give it one or skip it')
    if (planned.some((other) => other.name === name)) {
      faults.add(1, name, name, 'two columns have this name; rename one or skip it')
    }
    const empty = choice?.empty ?? defaults.emptyOf(source) ?? 'null'
    planned.push({ at, name, type: choice?.type ?? defaults.typeOf(at), empty })
  }
  const readCell = (cell: unknown, type: ColumnType) =>
    reader.isText && typeof cell === 'string' ? valueOfText(cell, type) : valueOfJson(cell, type)
  const isPlain = planned.every(({ name }) => !looksLikeIndex(name) && name !== '__proto__')
  const rowOf = ({ line, cells }: SourceRecord, corrected?: CorrectedCells): Row => {
    const entries: [string, unknown][] = []
    let isWhole = true
    for (const column of planned) {
      const cell = corrected?.get(column.name) ?? cells[column.at]
      const isEmpty = cell === undefined || (reader.isText && cell === '' && column.type !== 'text')
      if (isEmpty) {
        if (column.empty !== 'absent') entries.push([column.name, column.empty === 'text' ? '' : null])
        continue
      }
      const value = readCell(cell, column.type)
      if (value instanceof Refused) {
        isWhole = false
        faults.addOfLine(line, column.name, typeof cell === 'string' ? cell : JSON.stringify(cell), value.reason)
      } else entries.push([column.name, value])
    }
    if (!isWhole) return undefined
    return isPlain ? Object.fromEntries(entries) : objectInOrder(entries)
  }
  const textOf = reader.isText && isPlain && faults.count === 0 ? rowTextsOf(planned) : () => undefined
  return { names: planned.map(({ name }) => name), rowOf, textOf }
}

/** How objects of JSON Lines become rows: members without a choice are kept. */
export function rowsOfObjects(
  choices: readonly ColumnChoice[],
  faults: Faults,
): (record: ObjectRecord, corrected?: CorrectedCells) => Row {
  const byName = new Map<string, ColumnChoice>()
  for (const choice of choices) {
    if (typeof choice.source === 'string') byName.set(choice.source, choice)
    else throw new DomainError('InvalidRequest', 'Name the members of JSON Lines in `columns` by `source` as text')
  }
  return ({ line, row }, corrected) => {
    const whole = wellFormedRow(row)
    if (byName.size === 0) return whole
    const entries: [string, unknown][] = []
    const names = new Set<string>()
    let isWhole = true
    const refuse = (column: string, value: unknown, reason: string) => {
      isWhole = false
      faults.addOfLine(line, column, typeof value === 'string' ? value : JSON.stringify(value), reason)
    }
    for (const [source, value] of Object.entries(whole)) {
      const choice = byName.get(source)
      if (choice?.skip === true) continue
      const name = choice?.name ?? source
      if (names.has(name)) refuse(name, name, 'two members have this name; rename one or skip it')
      names.add(name)
      const read = valueOfJson(corrected?.get(name) ?? value, choice?.type ?? 'auto')
      if (read instanceof Refused) refuse(name, value, read.reason)
      else entries.push([name, read])
    }
    return isWhole ? objectInOrder(entries) : undefined
  }
}

/** DuckDB refuses JSON with lone surrogates, which JSON Lines may escape. */
function wellFormedRow(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!JSON.stringify(row).includes('\\ud')) return row
  const whole = wellFormed(row)
  return isJsonObject(whole) ? whole : row
}
