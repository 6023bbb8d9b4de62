import { DomainError } from '../../../errors.ts'
import { parseTime } from '../../../kernel/time.ts'
import type { TableField } from '../../table-fields.ts'
import type { ConvertTo, LiteralValue, QueryNode } from '../../table-query/query-tree.ts'
import type { Parameters } from '../parameters.ts'
import { timeText } from '../time-text.ts'
import { withoutPointZero } from '../value.ts'

/** What an expression yields in SQL. `json` is JSON as text; its own text is what comparisons use. */
export type ValueType = 'text' | 'number' | 'time' | 'boolean' | 'json' | 'texts' | 'null'

export interface Value {
  readonly sql: string
  readonly type: ValueType
  /** The node that it was made of. */
  readonly node: QueryNode
}

const numberText = '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$'

export function typeOf(node: QueryNode): ValueType {
  switch (node.kind) {
    case 'literal':
      return node.value === null ? 'null' : literalTypes[typeof node.value as keyof typeof literalTypes]
    case 'field':
      return fieldTypes[node.field.type]
    case 'convert':
      return convertedTypes[node.to]
    case 'size':
      return 'number'
    default:
      return 'boolean'
  }
}

const literalTypes = { string: 'text', number: 'number', bigint: 'number', boolean: 'boolean' } as const

const convertedTypes: Readonly<Record<ConvertTo, ValueType>> = {
  double: 'number',
  int: 'number',
  string: 'text',
  bool: 'boolean',
  exists: 'boolean',
}

const fieldTypes: Readonly<Record<TableField['type'], ValueType>> = {
  text: 'text',
  json: 'json',
  time: 'time',
  integer: 'number',
  number: 'number',
  texts: 'texts',
}

/** The type in which two values are compared: the more special of the two. */
export function commonType(left: ValueType, right: ValueType): 'time' | 'number' | 'boolean' | 'text' {
  for (const type of ['time', 'number', 'boolean'] as const) if (left === type || right === type) return type
  return 'text'
}

export function sqlAs(type: 'time' | 'number' | 'boolean' | 'text', value: Value, parameters: Parameters): string {
  if (value.type === type) return value.sql
  if (type === 'time') return timeSql(value, parameters)
  if (value.type === 'null') return 'NULL'
  if (type === 'text') return textSql(value, parameters)
  if (type === 'number') return numberSql(value)
  if (value.type === 'number') return `(${value.sql} <> 0)`
  return `CASE ${textSql(value, parameters)} WHEN 'true' THEN true WHEN '1' THEN true WHEN 'false' THEN false WHEN '0' THEN false END`
}

/** The number that a text holds; null where it holds none, though DuckDB takes "nan" and "inf" for some. */
export const numberInTextSql = (text: string): string =>
  `CASE WHEN regexp_full_match(${text}, '${numberText}') THEN TRY_CAST(${text} AS DOUBLE) END`

/** True is 1 and false is 0, a time unix seconds. */
function numberSql(value: Value): string {
  if (value.type === 'boolean') return `(${value.sql})::INTEGER::DOUBLE`
  if (value.type === 'time') return `(epoch_us(${value.sql}) / 1e6)`
  return value.type === 'texts' ? 'NULL::DOUBLE' : numberInTextSql(writtenSql(value))
}

/** A whole number in 64 bits; null for anything else, also for a text like "5.0". */
export function integerSql(value: Value, parameters: Parameters): string {
  if (value.type === 'texts') return 'NULL::DOUBLE'
  if (value.type !== 'text' && value.type !== 'json') {
    const number = sqlAs('number', value, parameters)
    return `CASE WHEN ${number} = trunc(${number}) THEN ${number} END`
  }
  const text = textSql(value, parameters)
  return `CASE WHEN regexp_full_match(${text}, '-?[0-9]+') THEN TRY_CAST(${text} AS BIGINT)::DOUBLE END`
}

/** The text that comparisons use: that of a number is without `.0`. */
function textSql(value: Value, parameters: Parameters): string {
  const literal = literalOf(value)
  if (typeof literal === 'bigint') return parameters.bind(String(literal))
  if (value.type !== 'json' && value.type !== 'number') return writtenSql(value)
  // JSON text that ends so is a number; a text ends with a quote.
  return `(${withoutPointZero(`((${value.sql})::VARCHAR)`, writtenSql(value))})`
}

/** A value as it is written; a text inside JSON without its quotes. */
function writtenSql({ sql, type }: Value): string {
  if (type === 'json') return `(${sql} ->> '$')`
  if (type === 'time') return timeText(sql)
  if (type === 'texts') return `to_json(${sql})::VARCHAR`
  return type === 'text' ? sql : `(${sql})::VARCHAR`
}

/** A comparison of two values inside JSON: as numbers where both are, else as texts. */
export function jsonComparisonSql(sign: string, left: Value, right: Value, parameters: Parameters): string | undefined {
  if (left.type !== 'json' || right.type !== 'json') return undefined
  const areNumbers = [left, right].map(({ sql }) => `json_type(${sql}) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE')`)
  return `(CASE WHEN ${areNumbers.join(' AND ')} THEN ${numberSql(left)} ${sign} ${numberSql(right)}
    ELSE ${textSql(left, parameters)} ${sign} ${textSql(right, parameters)} END)`
}

/**
 * A comparison of a text or JSON value with an integer that a double does not hold, to the last digit where the value is an integer
 * too; undefined where no such integer is compared.
 */
export function integerComparisonSql(
  sign: string,
  left: Value,
  right: Value,
  parameters: Parameters,
): string | undefined {
  const [integer, other] = isLargeInteger(right) ? [right, left] : [left, right]
  if (!isLargeInteger(integer) || (other.type !== 'text' && other.type !== 'json')) return undefined
  const text = writtenSql(other)
  const literal = `${parameters.bind(String(literalOf(integer)))}::HUGEINT`
  const compared = (value: string, to: string) => (other === left ? `${value} ${sign} ${to}` : `${to} ${sign} ${value}`)
  return `(CASE WHEN regexp_full_match(${text}, '-?[0-9]{1,38}') THEN ${compared(`TRY_CAST(${text} AS HUGEINT)`, literal)}
    ELSE ${compared(numberInTextSql(text), `${literal}::DOUBLE`)} END)`
}

const literalOf = ({ node }: Value): LiteralValue | undefined => (node.kind === 'literal' ? node.value : undefined)

const isLargeInteger = (value: Value): boolean => typeof literalOf(value) === 'bigint'

/** A number is unix seconds, a text ISO 8601 (without an offset: UTC). */
function timeSql(value: Value, parameters: Parameters): string {
  const { node, type } = value
  if (node.kind === 'literal') {
    const micros = typeof node.value === 'string' || typeof node.value === 'number' ? parseTime(node.value) : undefined
    if (micros === undefined) {
      throw new DomainError(
        'InvalidRequest',
        `Read the query: ${typeof node.value === 'bigint' ? node.value : JSON.stringify(node.value)} is no time to compare with`,
      )
    }
    return parameters.bind({ micros })
  }
  if (type === 'number') return `to_timestamp(${value.sql})`
  return `TRY_CAST(${writtenSql(value)} AS TIMESTAMPTZ)`
}

export function sizeSql(value: Value): string {
  const { type } = value
  if (type !== 'texts' && type !== 'text' && type !== 'json') return 'NULL::DOUBLE'
  const { sql } = value
  if (type === 'texts') return `len(${sql})::DOUBLE`
  if (type === 'text') return `length(${sql})::DOUBLE`
  return `(CASE json_type(${sql}) WHEN 'ARRAY' THEN json_array_length(${sql})::BIGINT
    WHEN 'OBJECT' THEN len(json_keys(${sql})) WHEN 'VARCHAR' THEN length(${sql} ->> '$') END)::DOUBLE`
}
