import { jsonPointer } from '../../lib/json-pointer.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import type { Sql } from '../../lib/sql.ts'
import { formatTime } from '../../lib/time.ts'
import { type OutputOptions, type OutputType, previewed } from '../call-output.ts'
import type { AskedColumn } from '../columns.ts'
import { type AnswerColumn, answerColumns, nulls, summaryParts } from './call-answer.ts'
import { type CallCells, jsonText, type Scalar } from './call-value.ts'
import { timeText } from './output-values.ts'
import { Parameters } from './parameters.ts'
import { previewSql } from './preview.ts'

/** One value of a call in an answer: its name, and its SQL over the stored columns of alias `c`. */
export interface OutputColumn extends Omit<AnswerColumn, 'value'> {
  readonly sql: string
}

/**
 * All members of a call in the order of the answer. `z.total` is the size of its trace, and
 * `f.entries` the feedback on it, if requested.
 */
export function outputColumns(options: OutputOptions, parameters: Parameters): OutputColumn[] {
  const { previewChars, omitNull = false } = options
  const members = answerColumns(options, parameters).map(({ value, ...column }) => ({ ...column, sql: value.sql }))
  if (previewChars === undefined) return members
  return [
    ...members,
    ...previewed.map((name): OutputColumn => {
      const sql = previewSql(`c."${name}"`, previewChars, parameters)
      return { name: `${name}_preview`, type: 'text', sql, ...(omitNull && { optional: true }) }
    }),
  ]
}

/** `summary.usage` as JSON text. */
export const usageSql = `json_extract(c."summary", '/usage')::VARCHAR`

/**
 * SQL of one JSON object with `columns`: plain values first, then the JSON ones spliced in
 * unchanged. One call of `json_object` for all plain values binds in a fraction of the time of
 * concatenating each. `end` follows the object.
 */
export const jsonLineSql = (columns: readonly OutputColumn[], end: '' | '\n' = ''): string =>
  `concat(${lineParts(columns).join(', ')}, '}${end}')`

/**
 * The same in two texts, cut inside the summary, which comes last, where more members can be
 * inserted.
 */
export function splitJsonLineSql(
  columns: readonly OutputColumn[],
  options: OutputOptions,
): { head: string; tail: string } {
  const { head, tail } = summaryParts(options)
  const others = columns.filter(({ name }) => name !== 'summary')
  return {
    head: `concat(${[...lineParts(others), `',"summary":'`, head.sql].join(', ')})`,
    tail: `concat(${tail.sql}, '}')`,
  }
}

/**
 * A last member that marks the end of the object of plain values, where it is cut to splice in
 * others. No text inside can look the same, because quotes are escaped there; and unlike the length
 * in characters, the mark is found without decoding the text.
 */
const endMark = ',"":0}'

function lineParts(columns: readonly OutputColumn[]): string[] {
  const { plain, optional, json } = inOrder(columns)
  const members = plain.map((column) => `'${column.name}', ${plainValue(column)}`)
  return [
    `split_part(json_object(${[...members, `'', 0`].join(', ')}), '${endMark}', 1)`,
    ...optional.map((column) => `coalesce(',"${column.name}":' || to_json(${plainValue(column)})::VARCHAR, '')`),
    ...json.map(({ name, sql, optional }) =>
      optional ? `coalesce(',"${name}":' || nullif(${sql}, 'null'), '')` : `',"${name}":', coalesce(${sql}, 'null')`,
    ),
  ]
}

/** In the order in which a JSON object has them. */
const inOrder = <C extends Omit<AnswerColumn, 'value'>>(columns: readonly C[]) => ({
  plain: columns.filter(({ type, optional }) => type !== 'json' && !optional),
  optional: columns.filter(({ type, optional }) => type !== 'json' && optional),
  json: columns.filter(({ type }) => type === 'json'),
})

const plainValue = ({ type, sql }: OutputColumn): string =>
  type === 'time' && sql !== nulls.time.sql ? timeText(sql) : sql

/** Options of an answer that the row of a call suffices for: nothing is joined to it or priced. */
export type RowOptions = OutputOptions & {
  readonly costs?: false
  readonly feedback?: false
  readonly totalStorageSize: false
  readonly previewChars?: undefined
}

export const isOfRow = (options: OutputOptions): options is RowOptions =>
  !options.costs && !options.feedback && !options.totalStorageSize && options.previewChars === undefined

/**
 * Writes the same JSON object for rows that are read without DuckDB: setting up the expressions for
 * one row costs more than reading it.
 */
export function rowLines(options: RowOptions): (row: CallCells) => string {
  const { plain, optional, json } = inOrder(answerColumns(options, new Parameters()))
  return (row) => {
    const members: Record<string, Scalar> = {}
    for (const { name, type, value } of plain) members[name] = plainCell(type, value.of(row))
    let line = jsonText(members).slice(0, -1)
    for (const { name, type, value } of optional) {
      const cell = plainCell(type, value.of(row))
      if (cell !== null) line += `,"${name}":${jsonText(cell)}`
    }
    for (const { name, value, optional } of json) {
      const text = value.of(row) ?? 'null'
      if (!optional || text !== 'null') line += `,"${name}":${text}`
    }
    return `${line}}`
  }
}

const plainCell = (type: OutputType, cell: Scalar): Scalar =>
  type === 'time' && typeof cell === 'number' ? formatTime(cell) : cell

/**
 * Columns of a table (CSV, Arrow, Parquet): the requested ones, with the value inside if they have
 * a path, or all members.
 */
export function tableColumns(
  asked: readonly AskedColumn[] | undefined,
  members: readonly OutputColumn[],
  nameOf: (member: string) => string,
  parameters: Parameters,
): OutputColumn[] {
  if (asked === undefined) return [...members]
  const previews = members.filter(({ name }) => name.endsWith('_preview'))
  const byName = new Map(members.map((column) => [column.name, column]))
  const seen = new Set<string>()
  const inside = asked.flatMap((column): OutputColumn[] => {
    if (seen.has(column.name)) return []
    seen.add(column.name)
    const whole = byName.get(nameOf(column.member))
    if (whole === undefined) return []
    if (column.path.length === 0) return [{ ...whole, name: column.name }]
    const pointer = parameters.bind(jsonPointer(column.path))
    return [{ name: column.name, type: 'text', sql: `json_extract_string(${whole.sql}, ${pointer})` }]
  })
  return [...inside, ...previews]
}

/** JSON text as it is stored, except that a string has no quotes and `null` is SQL null. */
const plainJsonSql = (sql: string): string =>
  `CASE WHEN starts_with(${sql}, '"') THEN json_extract_string(${sql}, '$') ELSE nullif(${sql}, 'null') END`

/**
 * A value as a table cell. With `humanReadable`, times are text as in the API and JSON strings have
 * no quotes.
 */
export function tableValueSql({ sql, type }: OutputColumn, humanReadable: boolean): string {
  if (type === 'integer') return sql
  if (type === 'time') return humanReadable ? timeText(sql) : sql
  return type === 'json' && humanReadable ? plainJsonSql(sql) : `(${sql})::VARCHAR`
}

/**
 * Rows of a file of JSON lines with members `c0`, `c1`, … in the order of `columns`; times are
 * microseconds.
 */
export function rowsFileSql(path: string, columns: readonly Pick<OutputColumn, 'name' | 'type'>[]): Sql {
  // Neither DuckDB nor Parquet has rows without a column.
  if (columns.length === 0) return rowsFileSql(path, [{ name: 'NULL', type: 'json' }])
  const types = columns.map(({ type }, index) => `c${index}: '${isWhole(type) ? 'BIGINT' : 'VARCHAR'}'`)
  const items = columns.map(({ name, type }, index) => {
    const value = type === 'time' ? `make_timestamp(c${index})::TIMESTAMPTZ` : `c${index}`
    return `${value} AS "${name.replaceAll('"', '""')}"`
  })
  return {
    text: `SELECT ${items.join(', ')} FROM read_json($1, format = 'newline_delimited', columns = {${types.join(', ')}},
      maximum_object_size = ${responseLimits.rowsFileLineBytesMax})`,
    values: [path],
  }
}

const isWhole = (type: OutputColumn['type']): boolean => type === 'time' || type === 'integer'
