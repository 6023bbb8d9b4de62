import { DomainError } from '../errors.ts'
import type { Column, ColumnType } from '../kernel/table.ts'
import { parseFieldPath } from './field-path.ts'
import { nearest } from './nearest.ts'

/** A value of a row: a whole column, or what lies at `path` inside a JSON column. */
export interface TableField {
  /** As it was asked for. */
  readonly name: string
  readonly column: string
  readonly type: ColumnType
  readonly path: readonly string[]
  /** The field is a type of feedback, which is read as the dialect in force spells it: built-in types begin with this. */
  readonly feedbackPrefix?: string | undefined
  /** All ways in which a text that equals the field may be stored; absent where there is only one. */
  readonly spellings?: ((text: string) => readonly string[]) | undefined
  /** All ways in which a part of a text that is searched in the field may be spelled there. */
  readonly partSpellings?: ((text: string) => readonly string[]) | undefined
}

/** What can be asked of a table. Names are data from the table's description, never from a request. */
export interface TableFields {
  readonly columns: readonly Pick<Column, 'name' | 'type'>[]
  /** Neutral name of a column in whichever dialect it was written. */
  readonly neutralName: (name: string) => string
  /** Names by which a suggestion is made. */
  readonly wireName: (name: string) => string
  /** First segment of built-in types of feedback in the dialect in force; for tables with the column `feedback_type`. */
  readonly feedbackPrefix?: string
  readonly spellings?: Readonly<Record<string, (text: string) => readonly string[]>>
  readonly partSpellings?: Readonly<Record<string, (text: string) => readonly string[]>>
}

/**
 * The field that `path` names: a column, or a path inside a JSON column (`payload.note`).
 *
 * @throws DomainError InvalidField naming the field and the nearest known one
 */
export function resolveTableField(fields: TableFields, path: string): TableField {
  const [first, ...rest] = parseFieldPath(path) as [string, ...string[]]
  const name = fields.neutralName(first)
  const column = fields.columns.find((known) => known.name === name)
  if (column === undefined || (rest.length > 0 && column.type !== 'json')) {
    const known = fields.columns.map((candidate) => fields.wireName(candidate.name))
    throw new DomainError(
      'InvalidField',
      `Read a field: Unknown field: ${path.slice(0, 80)}; did you mean "${nearest(first, known)}"?`,
      { extras: { field: path } },
    )
  }
  return {
    name: path,
    column: name,
    type: column.type,
    path: rest,
    feedbackPrefix: name === 'feedback_type' ? fields.feedbackPrefix : undefined,
    spellings: fields.spellings?.[name],
    partSpellings: fields.partSpellings?.[name],
  }
}
