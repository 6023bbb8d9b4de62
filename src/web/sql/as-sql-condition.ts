import { failedStatus } from '../../lib/failed-calls.ts'
import type { Comparator, Condition, FilterValue } from '../filter/expression.ts'
import { opNameOfSpan } from '../format/ids.ts'
import { numberOf, type SqlField, sizeOf, text, textOf } from './as-sql-values.ts'

/** SQL of a condition on a field; undefined if nothing says exactly the same. */
export function conditionSql(field: SqlField, { comparator, values, isSize }: Condition): string | undefined {
  const sql = isSize ? ofSize(sizeOf(field), comparator, values) : plainSql(field, comparator, values)
  return sql === undefined ? undefined : (field.within?.(sql, comparator === 'exists') ?? sql)
}

const ofSize = (size: string, comparator: Comparator, values: readonly FilterValue[]): string | undefined =>
  comparator === 'exists' ? `(${size} is not null)` : ofNumbers(size, comparator, values)

function plainSql(field: SqlField, comparator: Comparator, values: readonly FilterValue[]): string | undefined {
  switch (comparator) {
    case 'exists':
      return `(${field.sql} is not null)`
    case '=':
    case 'in':
      return anyOf(values.map((value) => equal(field, value)))
    case '>':
    case '>=':
    case '<':
    case '<=':
      return compared(field, comparator, values)
    case 'contains':
    case 'contains exactly':
    case 'has word':
      return typeof values[0] === 'string' ? searched(field, comparator, values[0]) : undefined
    default:
      return undefined
  }
}

function equal(field: SqlField, value: FilterValue): string | undefined {
  // Stored in one of two spellings.
  if (/^(?:ext|weave|ext-internal|weave-trace-internal|wandb-artifact):\/\/\//.test(String(value))) return undefined
  if (field.sql === 'status' && value === failedStatus) return failed
  if (field.sql === 'op_name' && typeof value === 'string') return isOp(value)
  // Calls may use several models: their field is a list.
  if (field.type === 'texts') return `list_contains(${field.sql}, ${text(String(value))})`
  if (field.inSeveralCases && typeof value === 'string')
    return `(${textOf(field, value)} in (${casesOf(value).map(text).join(', ')}))`
  return compared(field, '=', [value])
}

function compared(field: SqlField, comparator: Comparator, [value = '']: readonly FilterValue[]): string | undefined {
  switch (typeof value) {
    case 'string':
      if (field.type === 'time') return timeSql(field.sql, comparator, value)
      if (field.type !== 'text' && field.type !== 'json') return undefined
      return `(${textOf(field, value, comparator === '=')} ${comparator} ${text(value)})`
    case 'boolean':
      return field.type === 'json' ? booleanSql(field.sql, comparator, value) : undefined
    default:
      if (field.type === 'number') return ofNumbers(field.sql, comparator, [value])
      return field.type === 'json' ? ofNumbers(numberOf(field.sql), comparator, [value], field.sql) : undefined
  }
}

const booleanSql = (sql: string, comparator: Comparator, value: boolean): string =>
  `(case when ${sql} in ('true', '1') then true when ${sql} in ('false', '0') then false end ${comparator} ${value})`

const timeSql = (sql: string, comparator: Comparator, value: string): string | undefined =>
  Number.isNaN(Date.parse(value))
    ? undefined
    : `(${sql} ${comparator} timestamptz ${text(new Date(value).toISOString())})`

/** @param digits text of the value, for integers that a double cannot hold */
function ofNumbers(
  sql: string,
  comparator: Comparator,
  values: readonly FilterValue[],
  digits?: string,
): string | undefined {
  if (values.some((value) => typeof value !== 'number' && typeof value !== 'bigint')) return undefined
  if (comparator === 'in') return `(${sql} in (${values.join(', ')}))`
  const [value] = values
  if (value === undefined || !/^[<>=]+$/.test(comparator)) return undefined
  const asDouble = `${sql} ${comparator} ${value}`
  if (typeof value !== 'bigint' || digits === undefined) return `(${asDouble})`
  const exact = `try_cast(regexp_extract(${digits}, '^-?[0-9]{1,39}$') as hugeint)`
  return `coalesce(${exact} ${comparator} ${value}, ${asDouble})`
}

function searched(field: SqlField, comparator: Comparator, part: string): string | undefined {
  const isWord = comparator === 'has word'
  if (isWord && !/^[\p{L}\p{N}]+$/u.test(part)) return undefined
  const lower = (sql: string): string => (comparator === 'contains exactly' ? sql : `lower(${sql})`)
  switch (field.type) {
    case 'texts': {
      const list = comparator === 'contains exactly' ? field.sql : `[lower(x) for x in ${field.sql}]`
      return `list_contains(${list}, ${lower(text(part))})`
    }
    case 'text':
    case 'json': {
      const parts = field.inSeveralCases ? casesOf(part) : [part]
      return anyOf(
        parts.map((each) => {
          const sql = lower(textOf(field, each, true))
          if (isWord) return `list_contains(string_split_regex(${sql}, '[^\\p{L}\\p{N}]+'), ${lower(text(each))})`
          return each === '' ? 'true' : `contains(${sql}, ${lower(text(each))})`
        }),
      )
    }
    default:
      // Numbers and times contain nothing.
      return 'null::boolean'
  }
}

const failed = `(status in ('error', 'descendant_error')
    or status = 'running' and json_extract_string(error_inside, '/call_id') is not null)`

/** Calls name their op, or send a ref with its name. */
const isOp = (name: string): string => {
  const named = [...new Set([name, opNameOfSpan(name)])].filter((each) => each !== '')
  const refs = named.map((each) => `contains(op_name, ${text(`/op/${encodeURIComponent(each)}:`)})`)
  return `(${[`op_name = ${text(name)}`, ...refs].join(' or ')})`
}

/** The spellings of a word of which clients differ in the case. */
const casesOf = (word: string): string[] => {
  const lower = word.toLowerCase()
  return [...new Set([word, lower, word.toUpperCase(), `${lower.slice(0, 1).toUpperCase()}${lower.slice(1)}`])]
}

function anyOf(items: readonly (string | undefined)[]): string | undefined {
  if (items.length === 0 || items.includes(undefined)) return undefined
  return items.length === 1 ? items[0] : `(${items.join(' or ')})`
}
