import { ownMembersStart } from '../../formats/dialect/spellings.ts'
import { jsonPointer } from '../../lib/json-pointer.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import type { Sql } from '../../lib/sql.ts'
import { type OutputMember, type OutputOptions, type OutputType, previewed } from '../call-output.ts'
import type { AskedColumn, CallMember } from '../columns.ts'
import { timeText } from './output-values.ts'
import type { Parameters } from './parameters.ts'
import { previewSql } from './preview.ts'
import { spanTextSql } from './span-text.ts'

/** One value of a call in an answer: its name, and its SQL over the stored columns of alias `c`. */
export interface OutputColumn {
  readonly name: string
  readonly type: OutputType
  readonly sql: string
  /** Omitted from JSON if it is null. */
  readonly optional?: true
}

/**
 * All members of a call in the order of the answer. `z.total` is the size of its trace, if
 * requested.
 */
export function outputColumns(options: OutputOptions, parameters: Parameters): OutputColumn[] {
  const { previewChars, omitNull = false } = options
  const members = options.members.flatMap((member): OutputColumn[] => {
    const { name, type } = member
    if (name === 'ext_username' && options.usernames === undefined) return []
    if (omitNull && !isAsked(name, options)) return []
    const column = { name: options.nameOf(name), type, sql: memberSql(member, options, parameters) }
    return [name === 'ext_username' || (omitNull && !always.has(name)) ? { ...column, optional: true } : column]
  })
  if (previewChars === undefined) return members
  return [
    ...members,
    ...previewed.map((name): OutputColumn => {
      const sql = previewSql(`c."${name}"`, previewChars, parameters)
      return { name: `${name}_preview`, type: 'text', sql, ...(omitNull && { optional: true }) }
    }),
  ]
}

/** Members that every call has. */
const always: ReadonlySet<string> = new Set(['id', 'project_id', 'trace_id', 'op_name', 'started_at', 'summary'])

/** Whether a member may have a value in the answer. */
function isAsked(name: CallMember, { selected, storageSize, totalStorageSize, usernames }: OutputOptions): boolean {
  switch (name) {
    case 'summary':
      return true
    case 'storage_size_bytes':
      return storageSize
    case 'total_storage_size_bytes':
      return totalStorageSize
    case 'ext_username':
      return usernames !== undefined
    default:
      return selected.has(name)
  }
}

function memberSql({ name, type }: OutputMember, options: OutputOptions, parameters: Parameters): string {
  const isSelected = options.selected.has(name)
  switch (name) {
    case 'summary': {
      const { head, tail } = summaryParts(options)
      return `${head} || ${tail}`
    }
    case 'attributes':
      return isSelected ? attributesSql : "'{}'"
    case 'inputs':
      return isSelected ? `coalesce(c."inputs", '{}')` : "'{}'"
    case 'deleted_at':
      return nullTime
    case 'expire_at':
      if (!isSelected || options.retentionDays === undefined) return nullTime
      return `c."started_at" + INTERVAL ${Math.trunc(options.retentionDays)} DAY`
    case 'storage_size_bytes':
      return options.storageSize ? 'c."payload_bytes"' : 'NULL::BIGINT'
    case 'total_storage_size_bytes':
      return options.totalStorageSize ? 'CASE WHEN c."parent_id" IS NULL THEN z."total" END' : 'NULL::BIGINT'
    case 'ext_username':
      return usernameSql(options.usernames ?? new Map(), parameters)
    case 'ext_user_id':
      return isSelected || options.usernames ? 'c."ext_user_id"' : 'NULL'
    case 'display_name':
      return isSelected ? `nullif(c."display_name", '')` : 'NULL'
    default:
      return isSelected ? `c."${name}"` : nulls[type]
  }
}

const nullTime = 'NULL::TIMESTAMPTZ'
const nulls: Readonly<Record<OutputType, string>> = {
  text: 'NULL',
  json: 'NULL',
  time: nullTime,
  integer: 'NULL::BIGINT',
}

/** Attributes, including the OpenTelemetry span of calls made from one. */
export const attributesSql = `CASE WHEN c."otel_dump" IS NULL THEN coalesce(c."attributes", '{}')
  ELSE '{"otel_span":' || (${spanTextSql('c')}) ||
    CASE WHEN coalesce(c."attributes", '{}') = '{}' THEN '}' ELSE ',' || substr(c."attributes", 2) END END`

/**
 * The summary with the server's own members first, before those that the client has set. In two
 * parts; more members of the server can be inserted between them.
 */
export function summaryParts({ selected, namespace, feedback }: OutputOptions): { head: string; tail: string } {
  const head = `'{"${namespace}":{"status":"' || c."status" || '"' || coalesce(',"latency_ms":' ||
    c."latency_ms", '') ||
    CASE WHEN coalesce(c."display_name", '') = '' THEN ',"trace_name":' ELSE ',"display_name":' END ||
      to_json(c."trace_name")::VARCHAR ||
    CASE WHEN coalesce(c."error_inside", 'null') = 'null' THEN '' ELSE ',"error_inside":' || c."error_inside" END`
  const last = feedback ? `',"feedback":[' || coalesce(f."entries", '') || ']'` : `''`
  if (!selected.has('summary')) return { head, tail: `${last} || '}}'` }
  return {
    head,
    tail: `${last} || CASE WHEN coalesce(c."summary", '{}') = '{}' THEN '}}'
      WHEN starts_with(c."summary", '${ownMembersStart}') THEN ',' || substr(c."summary", ${ownMembersStart.length + 1})
      ELSE '},' || substr(c."summary", 2) END`,
  }
}

/** `summary.usage` as JSON text. */
export const usageSql = `json_extract(c."summary", '/usage')::VARCHAR`

function usernameSql(usernames: ReadonlyMap<string, string>, parameters: Parameters): string {
  const ids = parameters.bind({ texts: [...usernames.keys()] })
  const names = parameters.bind({ texts: [...usernames.values()] })
  return `map_extract_value(map(${ids}, ${names}), c."ext_user_id")`
}

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
    head: `concat(${[...lineParts(others), `',"summary":'`, head].join(', ')})`,
    tail: `concat(${tail}, '}')`,
  }
}

/**
 * A last member that marks the end of the object of plain values, where it is cut to splice in
 * others. No text inside can look the same, because quotes are escaped there; and unlike the length
 * in characters, the mark is found without decoding the text.
 */
const endMark = ',"":0}'

function lineParts(columns: readonly OutputColumn[]): string[] {
  const plain = columns.filter((column) => column.type !== 'json' && !column.optional)
  const members = plain.map((column) => `'${column.name}', ${plainValue(column)}`)
  const optional = columns
    .filter((column) => column.type !== 'json' && column.optional)
    .map((column) => `coalesce(',"${column.name}":' || to_json(${plainValue(column)})::VARCHAR, '')`)
  const spliced = columns
    .filter((column) => column.type === 'json')
    .map(({ name, sql, optional }) =>
      optional ? `coalesce(',"${name}":' || nullif(${sql}, 'null'), '')` : `',"${name}":', coalesce(${sql}, 'null')`,
    )
  return [`split_part(json_object(${[...members, `'', 0`].join(', ')}), '${endMark}', 1)`, ...optional, ...spliced]
}

const plainValue = ({ type, sql }: OutputColumn): string => (type === 'time' && sql !== nullTime ? timeText(sql) : sql)

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
export function rowsFileSql(path: string, columns: readonly OutputColumn[]): Sql {
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
