import { assertNever } from '../../lib/errors.ts'
import type { ColumnField, Field } from '../catalog.ts'
import { type CastType, type Constant, typeOf, type Value, type ValueType } from '../expression.ts'
import { jsonTextSql, pathColumnSql, plainTextSql } from './json-value.ts'
import { feedbackTypeSql, timeText } from './output-values.ts'
import type { Scope } from './scope.ts'
import { usageFieldSql } from './usage-fields.ts'

/** A decimal number: the texts that count as numbers. */
const numberText = '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$'
const integerText = '^-?[0-9]{1,39}$'

const duckTypes: Readonly<Record<ValueType, string>> = {
  text: 'VARCHAR',
  time: 'TIMESTAMPTZ',
  integer: 'BIGINT',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  texts: 'VARCHAR[]',
  json: 'JSON',
}

/** SQL of a value in its own type; a value inside JSON is JSON text. */
export function valueSql(value: Value, scope: Scope): string {
  switch (value.kind) {
    case 'field':
      return fieldSql(value.field, scope)
    case 'constant':
      return constantSql(value.constant, scope)
    case 'cast':
      return castSql(value.to, value.input, scope, value.isRaw === true)
    case 'size':
      return sizeSql(value.input, scope)
    case 'orEmpty':
      return `coalesce(${valueSql(value.input, scope)}, '')`
    case 'truth':
      return scope.conditionSql(value.of, scope)
    default:
      return assertNever(value)
  }
}

export function fieldSql(field: Field, scope: Scope): string {
  switch (field.kind) {
    case 'column':
      return columnSql(field, scope)
    case 'feedback':
      if (scope.feedbackAlias === undefined) throw new Error('A feedback field is used where no feedback is in scope')
      return `${scope.feedbackAlias}."${field.column}"`
    case 'queueItem':
      if (scope.queueItemAlias === undefined) throw new Error('A queue field is used where no queue item is in scope')
      return `${scope.queueItemAlias}."${field.column}"`
    case 'json':
      return jsonTextSql(field, scope)
    case 'usage':
      return usageFieldSql(field, scope)
    case 'absent':
      return 'NULL::TIMESTAMPTZ'
    default:
      return assertNever(field)
  }
}

function columnSql({ column, nullIfEmpty, spelling }: ColumnField, { alias }: Scope): string {
  const stored = `${alias}."${column}"`
  if (nullIfEmpty) return `nullif(${stored}, '')`
  return spelling?.of === 'feedbackType' ? feedbackTypeSql(stored, spelling.prefix) : stored
}

export function constantSql(constant: Constant, { parameters }: Scope): string {
  if ('isNull' in constant) return `NULL::${duckTypes[constant.type]}`
  if (constant.type === 'time') return parameters.bind({ micros: constant.micros })
  if (constant.type !== 'integer') return parameters.bind(constant.value)
  const fits = BigInt.asIntN(64, constant.value) === constant.value
  return fits ? parameters.bind(constant.value) : `${parameters.bind(String(constant.value))}::HUGEINT`
}

/** Any value as DOUBLE: numbers, and texts that are numbers. */
export const doubleSql = (value: Value, scope: Scope): string => castSql('double', value, scope, false)

/** An exact integer of up to 128 bits; null for anything else. */
export function hugeIntegerSql(value: Value, scope: Scope): string {
  if (typeOf(value) === 'integer') return `${valueSql(value, scope)}::HUGEINT`
  const text = castSql('text', value, scope, false)
  return `CASE WHEN regexp_matches(${text}, '${integerText}') THEN TRY_CAST(${text} AS HUGEINT) END`
}

/** The value of a JSON number; null for texts too. */
export const jsonNumberSql = (value: Value, scope: Scope): string => `TRY_CAST(${valueSql(value, scope)} AS DOUBLE)`

function castSql(to: CastType, input: Value, scope: Scope, isRaw: boolean): string {
  const from = typeOf(input)
  if (from === to) return valueSql(input, scope)
  switch (to) {
    case 'text':
      return textSql(input, scope, isRaw)
    case 'double':
      return doubleOf(input, scope)
    case 'integer':
      return integerSql(input, scope)
    case 'boolean':
      return booleanSql(input, scope)
    default:
      return assertNever(to)
  }
}

function textSql(input: Value, scope: Scope, isRaw: boolean): string {
  const field = jsonField(input)
  if (isRaw && field !== undefined) return plainTextSql(field, scope)
  const sql = valueSql(input, scope)
  const type = typeOf(input)
  if (type === 'time') return timeText(sql)
  if (type === 'double') return stripTrailingZero(`((${sql})::VARCHAR)`, `(${sql})::VARCHAR`)
  if (type !== 'json') return `(${sql})::VARCHAR`
  // JSON text with this ending is a number; a string ends with a quote.
  return stripTrailingZero(sql, `(${sql}::JSON ->> '$')`)
}

/** Text without a trailing `.0`; `otherwise` if it has none. */
const stripTrailingZero = (text: string, otherwise: string): string =>
  `CASE WHEN ends_with(${text}, '.0') THEN ${text}[:-3] ELSE ${otherwise} END`

const jsonField = (value: Value) => (value.kind === 'field' && value.field.kind === 'json' ? value.field : undefined)

function doubleOf(input: Value, scope: Scope): string {
  const field = jsonField(input)
  const stored = field && pathColumnSql(field, scope)
  // Only a string begins with a quotation mark, and only numbers among the rest can be converted.
  if (field !== undefined && stored !== undefined)
    return `(CASE WHEN starts_with(${stored}, '"') THEN ${numberOfText(plainTextSql(field, scope))}
      ELSE TRY_CAST(${stored} AS DOUBLE) END)`
  // The text of a JSON number always has this form.
  if (field !== undefined) return numberOfText(plainTextSql(field, scope))
  const sql = valueSql(input, scope)
  switch (typeOf(input)) {
    case 'text':
      return numberOfText(sql)
    case 'time':
      return `(epoch_us(${sql}) / 1000000)`
    default:
      return `(${sql})::DOUBLE`
  }
}

/**
 * The number that a text is, or null. The text occurs once, because DuckDB evaluates an expression
 * in two branches of a CASE twice.
 */
export const numberOfText = (text: string): string => `TRY_CAST(regexp_extract(${text}, '${numberText}') AS DOUBLE)`

function integerSql(input: Value, scope: Scope): string {
  const type = typeOf(input)
  if (type === 'boolean') return `(${valueSql(input, scope)})::BIGINT`
  if (type === 'time') return `(epoch_us(${valueSql(input, scope)}) // 1000000)`
  const text = castSql('text', input, scope, false)
  return `CASE WHEN regexp_matches(${text}, '${integerText}') THEN TRY_CAST(${text} AS BIGINT) END`
}

function booleanSql(input: Value, scope: Scope): string {
  const text = castSql('text', input, scope, false)
  return `CASE ${text} WHEN 'true' THEN true WHEN '1' THEN true WHEN 'false' THEN false WHEN '0' THEN false END`
}

function sizeSql(input: Value, scope: Scope): string {
  switch (typeOf(input)) {
    case 'json': {
      const json = `${valueSql(input, scope)}::JSON`
      return `(CASE json_type(${json}) WHEN 'ARRAY' THEN json_array_length(${json}) WHEN 'OBJECT' THEN
        len(json_keys(${json}))
        WHEN 'VARCHAR' THEN length(${json} ->> '$') END)::BIGINT`
    }
    case 'text':
      return `length(${valueSql(input, scope)})::BIGINT`
    case 'texts':
      return `coalesce(len(${valueSql(input, scope)}), 0)::BIGINT`
    default:
      // DuckDB counts the parameters of a statement, so nothing may be bound that is not in it.
      return 'NULL::BIGINT'
  }
}
