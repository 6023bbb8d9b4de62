import type { ColumnField, Field, JsonField } from '../../catalog.ts'
import { ofSpan } from '../../catalog.ts'
import { type Constant, type Expression, textOf, typeOf, type Value } from '../../expression.ts'
import { isInSpan } from '../../path-of-row.ts'
import type { ClickHouseParameters } from './parameters.ts'

/** Thrown for a condition that ClickHouse would not answer exactly as DuckDB does. */
export class NotExact extends Error {}

/** Inputs and results of translating a condition. */
export interface ClickHouseScope {
  readonly parameters: ClickHouseParameters
  /** Columns that are read, with their types. */
  readonly columns: Map<string, string>
  /** Conditions on rows for which ClickHouse might answer otherwise than DuckDB. */
  readonly doubts: Set<string>
}

/**
 * SQL of a condition that holds in ClickHouse for exactly the rows for which it holds in DuckDB,
 * except for rows that meet one of the doubts.
 *
 * @throws NotExact
 */
export function clickHouseCondition(expression: Expression, scope: ClickHouseScope): string {
  switch (expression.kind) {
    case 'all':
      return joined(expression.items, ' AND ', 'true', scope)
    case 'any':
      return joined(expression.items, ' OR ', 'false', scope)
    case 'not':
      return `(NOT ${clickHouseCondition(expression.item, scope)})`
    case 'unknown':
      return "CAST(NULL, 'Nullable(Bool)')"
    case 'isNull':
      return isNullSql(expression.value, scope)
    case 'compare':
      return compareSql(expression, scope)
    case 'oneOf':
      return oneOfSql(expression, scope)
    case 'contains':
      return containsSql(expression, scope)
    case 'startsWith':
      return `startsWith(${textColumn(expression.field, scope)}, ${scope.parameters.text(expression.prefix)})`
    case 'listHolds':
      return listHoldsSql(expression, scope)
    case 'within':
      return withinSql(expression, scope)
    default:
      throw new NotExact(`conditions of the kind ${expression.kind}`)
  }
}

function joined(items: readonly Expression[], word: string, none: string, scope: ClickHouseScope): string {
  if (items.length === 0) return none
  return `(${items.map((item) => clickHouseCondition(item, scope)).join(word)})`
}

function column(name: string, type: string, { columns }: ClickHouseScope): string {
  columns.set(name, type)
  return `"${name}"`
}

const text = (name: string, scope: ClickHouseScope) => column(name, 'Nullable(String)', scope)

function textColumn(field: Field, scope: ClickHouseScope): string {
  if (field.kind !== 'column' || field.type !== 'text' || field.spelling?.of === 'feedbackType')
    throw new NotExact('fields that are not texts in columns of their own')
  const stored = text(field.column, scope)
  return field.nullIfEmpty ? `nullIf(${stored}, '')` : stored
}

const isText = (value: Value): boolean => typeOf(value) === 'text' && value.kind !== 'cast'

/** A text in a column, or a constant. */
export function textSql(value: Value, scope: ClickHouseScope): string {
  if (value.kind === 'field') return textColumn(value.field, scope)
  if (value.kind === 'orEmpty') return `ifNull(${textSql(value.input, scope)}, '')`
  if (value.kind !== 'constant') throw new NotExact('texts that are computed')
  return scope.parameters.text(knownText(value.constant))
}

function knownText(constant: Constant): string {
  const found = textOf(constant)
  if (found === undefined) throw new NotExact('comparisons of texts with other values')
  return found
}

/** Microseconds of a time in a column, or of a constant. */
export function timeSql(value: Value, scope: ClickHouseScope): string {
  if (value.kind === 'field' && value.field.kind === 'column' && value.field.type === 'time')
    return microsSql(value.field, scope)
  if (value.kind === 'constant' && value.constant.type === 'time' && 'micros' in value.constant)
    return scope.parameters.integer(value.constant.micros)
  throw new NotExact('times that are computed')
}

/** Microseconds of a time in a column. */
export const microsSql = (field: ColumnField, scope: ClickHouseScope): string =>
  `toUnixTimestamp64Micro(${column(field.column, "Nullable(DateTime64(6, 'UTC'))", scope)})`

/** A whole number in a column, or a constant. */
export function integerSql(value: Value, scope: ClickHouseScope): string {
  if (value.kind === 'field' && value.field.kind === 'column' && value.field.type === 'integer')
    return column(value.field.column, 'Nullable(Int64)', scope)
  if (value.kind !== 'constant' || value.constant.type !== 'integer' || 'isNull' in value.constant)
    throw new NotExact('numbers that are not whole or not in a column of their own')
  if (BigInt.asIntN(64, value.constant.value) !== value.constant.value) throw new NotExact('numbers above 64 bits')
  return scope.parameters.integer(value.constant.value)
}

function compareSql(expression: Extract<Expression, { kind: 'compare' }>, scope: ClickHouseScope): string {
  const { comparison, as, left, right } = expression
  const compare = (side: (value: Value, scope: ClickHouseScope) => string) =>
    `(${side(left, scope)} ${comparison} ${side(right, scope)})`
  if (as === 'time') return compare(timeSql)
  if (as === 'integer' || as === 'number') return compare(integerSql)
  if (as !== 'text') throw new NotExact(`comparisons as ${as}`)
  if (isText(left) && isText(right)) return compare(textSql)
  const [json, other] = left.kind === 'cast' ? [left, right] : [right, left]
  if (comparison !== '=' || other.kind !== 'constant') throw new NotExact('the order of values inside JSON')
  return oneOfTexts(jsonText(json, [knownText(other.constant)], scope), [knownText(other.constant)], scope)
}

function oneOfSql({ value, as, constants }: Extract<Expression, { kind: 'oneOf' }>, scope: ClickHouseScope): string {
  if (as === 'text') {
    const texts = constants.map(knownText)
    return oneOfTexts(value.kind === 'cast' ? jsonText(value, texts, scope) : textSql(value, scope), texts, scope)
  }
  if (as === 'double') throw new NotExact('numbers that are not whole')
  const side = as === 'time' ? timeSql : integerSql
  const sql = side(value, scope)
  return `(${constants.map((constant) => `${sql} = ${side({ kind: 'constant', constant }, scope)}`).join(' OR ')})`
}

/** Null for null, as in DuckDB; ClickHouse's `IN` would be false. */
function oneOfTexts(sql: string, texts: readonly string[], { parameters }: ClickHouseScope): string {
  const [only] = texts
  if (only !== undefined && texts.length === 1) return `(${sql} = ${parameters.text(only)})`
  return `if(isNull(${sql}), NULL, has(${parameters.texts(texts)}, assumeNotNull(${sql})))`
}

/** A field inside the JSON of the row, for which both engines find the same value. */
function jsonField(value: Value): JsonField {
  if (value.kind !== 'cast' || value.to !== 'text' || value.input.kind !== 'field')
    throw new NotExact('values that are computed')
  const { field } = value.input
  if (field.kind !== 'json' || field.of !== undefined || (field.expanded ?? []).length > 0)
    throw new NotExact('values behind refs, or of feedback')
  if (isInSpan(field) || ofSpan(field) !== undefined) throw new NotExact('attributes of OpenTelemetry spans')
  // DuckDB reads a whole number as a position in a list as well.
  if (field.path.some((name) => /^-?\d+$/.test(name))) throw new NotExact('positions in lists')
  return field
}

/**
 * The string at a path inside JSON; null if the value is null or missing; the empty string if it
 * has another type. Callers must not compare it with a text that another type could represent.
 */
function jsonText(value: Value, texts: readonly string[], scope: ClickHouseScope): string {
  const { column: name, path } = jsonField(value)
  const isRaw = value.kind === 'cast' && value.isRaw === true
  if (!isRaw || path.length === 0 || texts.some((each) => each === '' || /^[[{]|^(?:true|false)$/.test(each)))
    throw new NotExact('values inside JSON that may be other than strings')
  const place = placeInJson(name, path, scope)
  return `multiIf(JSONType(${place}) = 'String', JSONExtractString(${place}), JSONType(${place}) = 'Null', NULL, '')`
}

/**
 * Arguments that name a place inside a JSON column. Some JSON is invalid to ClickHouse, in which
 * nothing is found: with numbers that are infinite as doubles, lone surrogates, deep nesting, and
 * in older versions whole numbers above 64 bits.
 */
function placeInJson(name: string, path: readonly string[], scope: ClickHouseScope): string {
  const stored = text(name, scope)
  const place = [`ifNull(${stored}, '')`, ...path.map((each) => scope.parameters.text(each))].join(', ')
  scope.doubts.add(`JSONType(${place}) = 'Null' AND isNotNull(${stored}) AND NOT isValidJSON(ifNull(${stored}, ''))`)
  return place
}

function isNullSql(value: Value, scope: ClickHouseScope): string {
  if (value.kind !== 'field') throw new NotExact('whether computed values are missing')
  const { field } = value
  if (field.kind === 'column' && field.type === 'text') return `isNull(${textColumn(field, scope)})`
  if (field.kind === 'column' && field.type === 'time') return `isNull(${microsSql(field, scope)})`
  if (field.kind === 'column' && field.type === 'integer') return `isNull(${integerSql(value, scope)})`
  const { column: name, path } = jsonField({ kind: 'cast', to: 'text', input: value })
  if (path.length === 0) return `isNull(nullIf(${text(name, scope)}, 'null'))`
  return `(JSONType(${placeInJson(name, path, scope)}) = 'Null')`
}

function containsSql(
  { input, part, ignoreCase, prefilterOf }: Extract<Expression, { kind: 'contains' }>,
  scope: ClickHouseScope,
): string {
  // A prefilter would make ClickHouse read the same text twice.
  if (prefilterOf !== undefined) return 'true'
  if (part.kind !== 'constant') throw new NotExact('searches for values of fields')
  const wanted = knownText(part.constant)
  if (ignoreCase && newLetters.test(wanted)) throw new NotExact('searches for letters that are new to Unicode')
  const searched = isText(input) ? textSql(input, scope) : wholeJson(input, wanted, ignoreCase, scope)
  const fold = (sql: string) => (ignoreCase ? foldedSql(sql) : sql)
  return `(position(${fold(searched)}, ${fold(scope.parameters.text(wanted))}) > 0)`
}

/** Blocks with letters for which only newer versions of Unicode have the other case. */
const newLetters = /[\u019b\u0250-\u02af\u1c80-\u1c8f\ua640-\ua7ff\u{10400}-\u{1efff}]/u

/** Lower case as in DuckDB, which maps İ and Σ without regard to the letters around them. */
const foldedSql = (sql: string): string => `lowerUTF8(replaceAll(replaceAll(${sql}, 'İ', 'i'), 'Σ', 'σ'))`

/**
 * The text of a whole JSON column. DuckDB searches it as it prints it: a string without quotes and
 * escapes, other JSON with its own spelling of numbers and control characters.
 */
function wholeJson(input: Value, wanted: string, ignoreCase: boolean, scope: ClickHouseScope): string {
  const { column: name, path } = jsonField(input)
  if (path.length > 0) throw new NotExact('searches inside members of JSON')
  // Text without any of these that is not a number can only match within one string.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these characters
  if (/["\\[\]{},:\u0000-\u001f\ud800-\udfff]/.test(wanted) || !/[^-+0-9.eE]/.test(wanted))
    throw new NotExact('searches in JSON for numbers or punctuation')
  const stored = text(name, scope)
  scope.doubts.add(`startsWith(${stored}, '"') AND position(${stored}, '\\\\ud') > 0`)
  // A match may begin within an escape, whose last digit DuckDB writes in upper case.
  if (!ignoreCase && /^u?0?0?[01]?[a-f]/i.test(wanted)) scope.doubts.add(`match(${stored}, '\\\\\\\\u00[01][a-f]')`)
  const json = `nullIf(${stored}, 'null')`
  return `if(startsWith(${json}, '"'), JSONExtractString(${json}), ${json})`
}

function listHoldsSql(
  { field, texts, prefixes }: Extract<Expression, { kind: 'listHolds' }>,
  scope: ClickHouseScope,
): string {
  if (field.kind !== 'column' || field.type !== 'texts') throw new NotExact('lists that are computed')
  // A missing list is an empty one in ClickHouse, which holds nothing either.
  const list = column(field.column, 'Array(Nullable(String))', scope)
  const { parameters } = scope
  const exact = texts.length === 0 ? [] : [`hasAny(${list}, ${parameters.texts(texts)})`]
  const starts = prefixes.map((prefix) => `arrayExists(x -> startsWith(x, ${parameters.text(prefix)}), ${list})`)
  return [...exact, ...starts].length === 0 ? 'false' : `(${[...exact, ...starts].join(' OR ')})`
}

function withinSql({ field, after, through }: Extract<Expression, { kind: 'within' }>, scope: ClickHouseScope): string {
  if (field.kind !== 'column' || field.type !== 'time') throw new NotExact('times that are computed')
  const sql = microsSql(field, scope)
  const bounds = [
    ...(after === undefined ? [] : [`${sql} > ${scope.parameters.integer(after)}`]),
    ...(through === undefined ? [] : [`${sql} <= ${scope.parameters.integer(through)}`]),
  ]
  return bounds.length === 0 ? 'true' : `(${bounds.join(' AND ')})`
}
