import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { type CountableField, columnField, type JsonField, type UsageField } from '../../../query/catalog.ts'
import { lowerRows, type RowsWanted } from '../../../query/check/lower.ts'
import { fieldValue } from '../../../query/expression.ts'
import type { SortKey } from '../../../query/sort.ts'
import { fieldTextSql } from '../../../query/sql/field-text.ts'
import { type InlineValues, inlineScope, inlineSql } from '../../../query/sql/inline-values.ts'
import { orderSql, sortColumns } from '../../../query/sql/order.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { rowsSql, scopeOf } from '../../../query/sql/rows.ts'
import type { Scope } from '../../../query/sql/scope.ts'
import { fieldSql, jsonNumberSql } from '../../../query/sql/value.ts'

/** Which values come first, and how many rows they should be of. */
interface TopValues {
  readonly field: JsonField
  readonly direction: SortKey['direction']
  readonly rows: number
}

const topShape = rowShape({ value: 'json?' })

/**
 * The JSON texts at a path that come first in an order of it: as few as make up so many rows, with
 * all that tie with the last of them. Null: rows without a value.
 */
export function compileTopValues(
  inline: InlineValues,
  rest: Omit<RowsWanted, 'columns' | 'projectId'>,
  { field, direction, rows }: TopValues,
): Sql<RowOfShape<typeof topShape>> {
  const parameters = new Parameters()
  const wanted = { ...rest, projectId: inline.projectId, columns: [], values: [{ name: 'value', field }] }
  const others = rowsSql(lowerRows(wanted), parameters)
  const order = orderSql([{ field, direction }], inlineScope(inline, parameters))
  return {
    text: `WITH found AS (
        SELECT t.value, t.calls FROM ${inlineSql(inline, parameters)}
        UNION ALL SELECT r.value, count(*) FROM (${others}) r GROUP BY r.value),
      t AS (SELECT value, sum(calls) AS calls FROM found GROUP BY value HAVING sum(calls) > 0)
      SELECT value FROM (
        SELECT value, sum(calls) OVER (ORDER BY ${order} GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
        FROM t)
      WHERE coalesce(before, 0) < ${parameters.bind(BigInt(rows))}::BIGINT`,
    values: parameters.values,
    shape: topShape,
  }
}

/** Which values to count one by one. */
export interface CountedValues {
  /** Beginning of their text, in lower case. */
  readonly prefix: string
  /** Length of their JSON text, and how many of them. */
  readonly charsMax: number
  readonly valuesMax: number
}

type Rows = Omit<RowsWanted, 'columns'>

const countShape = rowShape({
  value: 'json?',
  calls: 'integer',
  all_calls: 'integer',
  all_numbers: 'integer',
  low: 'number?',
  high: 'number?',
})

/** A value with its calls, and what holds for all values together. */
export type CountRow = RowOfShape<typeof countShape>

/**
 * The most frequent scalar values of a field: rows of the JSON text (null for the calls without a
 * value, an empty text for those with a value that is not counted by itself), calls, and the
 * smallest and the largest of all numbers. Numbers that differ in a trailing `.0` count as one.
 */
export function compileValueCounts(
  rows: Rows | InlineValues,
  field: CountableField | UsageField,
  counted: CountedValues,
): Sql<CountRow> {
  const parameters = new Parameters()
  const [calls, numbers] = 'counts' in rows ? inlineSums : ['count(*)', 'count(number)']
  const values = valuesSql(rows, field, parameters)
  const isCounted = [
    `NOT starts_with(value, '{')`,
    `NOT starts_with(value, '[')`,
    `length(value) <= ${parameters.bind(BigInt(counted.charsMax))}`,
    ...(counted.prefix === ''
      ? []
      : [`starts_with(lower(ltrim(value, '"')), ${parameters.bind(JSON.stringify(counted.prefix).slice(1, -1))})`]),
  ]
  const valuesMax = `${parameters.bind(BigInt(counted.valuesMax))}::BIGINT`
  return {
    text: `WITH counts AS (
        SELECT CASE WHEN value IS NULL THEN NULL WHEN ${isCounted.join(' AND ')} THEN
            CASE WHEN ends_with(value, '.0') THEN value[:-3] ELSE value END ELSE '' END AS key,
          min(value) AS value, ${calls} AS calls, ${numbers} AS numbers, min(number) AS low, max(number) AS high
        FROM (${values}) GROUP BY key),
      totals AS (SELECT sum(calls)::BIGINT AS calls, sum(numbers)::BIGINT AS numbers, min(low) AS low, max(high) AS high
        FROM counts)
      SELECT CASE WHEN c.key = '' THEN '' ELSE c.value END, c.calls, t.calls, t.numbers, t.low, t.high
      FROM (FROM counts ORDER BY key IS NULL DESC, key = '' DESC, calls DESC, key LIMIT ${valuesMax}) c, totals t`,
    values: parameters.values,
    shape: countShape,
  }
}

const inlineSums = ['sum(calls)::BIGINT', 'coalesce(sum(calls) FILTER (number IS NOT NULL), 0)::BIGINT'] as const

const rangeShape = rowShape({ place: 'integer', calls: 'integer' })

/** The numbers of a field in `ranges` ranges of equal width: rows of the range and its calls. */
export function compileNumberRanges(
  rows: Rows | InlineValues,
  field: CountableField | UsageField,
  { low, high, ranges }: { readonly low: number; readonly high: number; readonly ranges: number },
): Sql<RowOfShape<typeof rangeShape>> {
  const parameters = new Parameters()
  const values = valuesSql(rows, field, parameters)
  const calls = 'counts' in rows ? inlineSums[0] : 'count(*)'
  const [from, width, last] = [low, (high - low) / ranges, ranges - 1].map((value) => parameters.bind(value))
  return {
    text: `SELECT least(${last}, greatest(0, floor((number - ${from}) / ${width})))::INTEGER AS place, ${calls}
      FROM (${values}) WHERE number IS NOT NULL GROUP BY place`,
    values: parameters.values,
    shape: rangeShape,
  }
}

/** SELECT of `value`, the JSON text of a field or null, and `number` if it is one. */
function valuesSql(rows: Rows | InlineValues, field: CountableField | UsageField, parameters: Parameters): string {
  if ('counts' in rows) return inlineValuesSql(rows, field, parameters)
  const { projectId, usage } = rows
  const scope = scopeOf('r', { projectId, usage }, parameters)
  if (field.kind !== 'json') {
    const columns = [...new Set(sortColumns([{ field, direction: 'asc' }]))]
    const from = `FROM (${rowsSql(lowerRows({ ...rows, columns }), parameters)}) r`
    return `SELECT ${fieldTextSql(field, scope)} AS value, ${columnNumberSql(field, scope)} AS number ${from}`
  }
  const values = [{ name: 'value', field }]
  const from = `FROM (${rowsSql(lowerRows({ ...rows, columns: [], values }), parameters)}) r`
  // A number never begins with a quotation mark, and texts that hold one are no numbers here.
  const number = jsonNumberSql(fieldValue(columnField('value')), scope)
  return `SELECT r.value, ${number} AS number ${from}`
}

/** The same with the number of `calls` that have the value. */
function inlineValuesSql(rows: InlineValues, field: CountableField | UsageField, parameters: Parameters): string {
  const text = fieldTextSql(field, inlineScope(rows, parameters))
  const from = `FROM (SELECT ${text} AS value, calls FROM ${inlineSql(rows, parameters)}) r`
  const scope = { ...inlineScope(rows, parameters), alias: 'r', pathColumns: undefined }
  const number = field.kind === 'json' ? jsonNumberSql(fieldValue(columnField('value')), scope) : 'NULL::DOUBLE'
  return `SELECT r.value, ${number} AS number, r.calls ${from}`
}

const columnNumberSql = (field: CountableField | UsageField, scope: Scope): string =>
  field.kind !== 'json' && (field.type === 'integer' || field.type === 'double')
    ? `(${fieldSql(field, scope)})::DOUBLE`
    : 'NULL::DOUBLE'
