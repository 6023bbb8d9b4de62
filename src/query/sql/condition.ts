import { assertNever } from '../../lib/errors.ts'
import { isSmall } from '../check/check-comparison.ts'
import { type Constant, type Expression, typeOf, type Value } from '../expression.ts'
import { jsonTextsOf } from '../row-bounds.ts'
import { isCheap, pathColumnSql, plainTextSql } from './json-value.ts'
import { feedbackRowsSql, queueItemRowsSql } from './related-rows.ts'
import type { Scope } from './scope.ts'
import { constantSql, doubleSql, fieldSql, hugeIntegerSql, jsonNumberSql, valueSql } from './value.ts'

/** SQL of a condition, in parentheses if it needs them. */
export function conditionSql(expression: Expression, scope: Scope): string {
  switch (expression.kind) {
    case 'all':
      return joined(expression.items, ' AND ', 'true', scope)
    case 'any':
      return joined(expression.items, ' OR ', 'false', scope)
    case 'not':
      return `(NOT ${conditionSql(expression.item, scope)})`
    case 'unknown':
      return 'NULL::BOOLEAN'
    case 'isNull':
      return `(${nullableSql(expression.value, scope)} IS NULL)`
    case 'isTrue':
      return valueSql(expression.value, scope)
    case 'compare':
      return compareSql(expression, scope)
    case 'oneOf': {
      const stored = storedTextsSql(expression.value, expression.constants, scope)
      if (stored !== undefined) return stored
      const value = valueSql(expression.value, scope)
      const constants = expression.constants.map((constant) => constantSql(constant, scope))
      return constants.length === 1 ? `(${value} = ${constants[0]})` : `(${value} IN (${constants.join(', ')}))`
    }
    case 'contains': {
      const { prefilterOf } = expression
      if (prefilterOf !== undefined && isCheap(prefilterOf, scope)) return 'true'
      const [input, part] = texts(expression.input, expression.part, expression.ignoreCase, scope)
      return `contains(${input}, ${part})`
    }
    case 'hasToken': {
      const [input, token] = texts(expression.input, expression.token, expression.ignoreCase, scope)
      return `list_contains(string_split_regex(${input}, '[^\\p{L}\\p{N}]+'), nullif(${token}, ''))`
    }
    case 'listContains': {
      const list = valueSql(expression.list, scope)
      const item = valueSql(expression.item, scope)
      if (!expression.ignoreCase) return `list_contains(${list}, ${item})`
      return `list_contains([lower(x) FOR x IN ${list}], lower(${item}))`
    }
    case 'anyFeedback':
      return feedbackRowsSql(expression, scope)
    case 'anyQueueItem':
      return queueItemRowsSql(expression, scope)
    case 'startsWith':
      return `starts_with(${fieldSql(expression.field, scope)}, ${scope.parameters.bind(expression.prefix)})`
    case 'listHolds':
      return listHoldsSql(expression, scope)
    case 'within':
      return withinSql(expression, scope)
    case 'inTable':
      return `(${fieldSql(expression.field, scope)} IN (SELECT id FROM "${expression.table}"))`
    case 'sampled':
      return sampledSql(expression, scope)
    default:
      return assertNever(expression)
  }
}

function joined(items: readonly Expression[], word: string, none: string, scope: Scope): string {
  if (items.length === 0) return none
  return `(${items.map((item) => conditionSql(item, scope)).join(word)})`
}

/** A value that is SQL null exactly if it is missing or null. */
function nullableSql(value: Value, scope: Scope): string {
  if (value.kind === 'field' && value.field.kind === 'json') return plainTextSql(value.field, scope)
  return valueSql(value, scope)
}

function texts(a: Value, b: Value, ignoreCase: boolean, scope: Scope): [string, string] {
  const [left, right] = [valueSql(a, scope), valueSql(b, scope)]
  return ignoreCase ? [`lower(${left})`, `lower(${right})`] : [left, right]
}

/**
 * That a text in JSON is one of some constants, where a column holds the JSON text of the value: it
 * is compared as it is stored. Undefined where it has to be read out of the JSON.
 */
function storedTextsSql(value: Value, constants: readonly Constant[], scope: Scope): string | undefined {
  if (value.kind !== 'cast' || value.isRaw !== true || value.input.kind !== 'field') return undefined
  const { field } = value.input
  const column = field.kind === 'json' ? pathColumnSql(field, scope) : undefined
  const jsonTexts = jsonTextsOf(constants)
  if (column === undefined || jsonTexts === undefined) return undefined
  const texts = jsonTexts.map((text) => scope.parameters.bind(text))
  return `(nullif(${column}, 'null') IN (${texts.join(', ')}))`
}

function compareSql(expression: Extract<Expression, { kind: 'compare' }>, scope: Scope): string {
  const { comparison, as, left, right } = expression
  if (comparison === '=' && as === 'text') {
    const stored = equalToStoredText(left, right, scope) ?? equalToStoredText(right, left, scope)
    if (stored !== undefined) return stored
  }
  const compare = (value: (value: Value, scope: Scope) => string): string =>
    `(${value(left, scope)} ${comparison} ${value(right, scope)})`
  switch (as) {
    case 'text':
    case 'integer':
    case 'double':
    case 'boolean':
    case 'time':
      return compare(valueSql)
    case 'number':
      if (isExactAsDouble(left) || isExactAsDouble(right)) return compare(doubleSql)
      return `coalesce(${compare(hugeIntegerSql)}, ${compare(doubleSql)})`
    case 'json': {
      const areNumbers = [left, right].map((value) => `${jsonNumberSql(value, scope)} IS NOT NULL`).join(' AND ')
      const asNumbers = `coalesce(${compare(hugeIntegerSql)}, ${compare(jsonNumberSql)})`
      const asTexts = compare((value) => valueSql({ kind: 'cast', to: 'text', input: value }, scope))
      return `(CASE WHEN ${areNumbers} THEN ${asNumbers} ELSE ${asTexts} END)`
    }
    default:
      return assertNever(as)
  }
}

const equalToStoredText = (value: Value, other: Value, scope: Scope): string | undefined =>
  other.kind === 'constant' ? storedTextsSql(value, [other.constant], scope) : undefined

const isExactAsDouble = (value: Value): boolean =>
  typeOf(value) === 'double' || (value.kind === 'constant' && isSmall(value.constant))

function listHoldsSql({ field, texts, prefixes }: Extract<Expression, { kind: 'listHolds' }>, scope: Scope): string {
  const { parameters } = scope
  const list = fieldSql(field, scope)
  const exact = texts.length === 0 ? [] : [`list_has_any(${list}, ${parameters.bind({ texts })})`]
  const starts = prefixes.map((prefix) => `list_bool_or([starts_with(x, ${parameters.bind(prefix)}) FOR x IN ${list}])`)
  return `coalesce(${[...exact, ...starts].join(' OR ')}, false)`
}

function withinSql({ field, after, through }: Extract<Expression, { kind: 'within' }>, scope: Scope): string {
  const sql = fieldSql(field, scope)
  const bounds = [
    ...(after === undefined ? [] : [`${sql} > ${scope.parameters.bind({ micros: after })}`]),
    ...(through === undefined ? [] : [`${sql} <= ${scope.parameters.bind({ micros: through })}`]),
  ]
  return bounds.length === 0 ? 'true' : `(${bounds.join(' AND ')})`
}

/** Digits of the digest that are compared: 48 bits. */
const sampledDigits = 12

function sampledSql({ field, salt, share }: Extract<Expression, { kind: 'sampled' }>, scope: Scope): string {
  const bound = Math.ceil(share * 16 ** sampledDigits)
  if (bound >= 16 ** sampledDigits) return 'true'
  const { parameters } = scope
  const digest = `sha256(concat(${parameters.bind(`${salt} `)}, ${fieldSql(field, scope)}))`
  return `(${digest} < ${parameters.bind(bound.toString(16).padStart(sampledDigits, '0'))})`
}
