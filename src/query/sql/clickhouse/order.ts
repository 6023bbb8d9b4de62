import { itemAt } from '../../../lib/present.ts'
import type { CallsPlan } from '../../calls-plan.ts'
import type { AfterRow, CursorValue } from '../../cursor.ts'
import {
  all,
  any,
  type Constant,
  type Expression,
  fieldValue,
  never,
  not,
  orEmpty,
  type Value,
} from '../../expression.ts'
import type { SortKey } from '../../sort.ts'
import { type ClickHouseScope, clickHouseCondition, integerSql, NotExact, textSql, timeSql } from './condition.ts'

/** The beginning of an order. */
export interface ClickHousePage {
  readonly sort: readonly SortKey[]
  readonly after: AfterRow | undefined
}

/**
 * Terms of ORDER BY, like those of `order.ts`: texts compare as bytes in both engines.
 *
 * @throws NotExact for values inside JSON, of feedback and usage
 */
export const clickHouseOrder = (sort: readonly SortKey[], scope: ClickHouseScope): readonly string[] =>
  sort.map(
    (key) => `${keySql(keyValue(key), scope)} ${key.direction === 'asc' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST'}`,
  )

/**
 * The condition that a row comes after another in an order.
 *
 * @throws NotExact like `clickHouseOrder`
 */
export const clickHouseAfter = ({ sort, cursor }: AfterRow, scope: ClickHouseScope): string =>
  `ifNull(${clickHouseCondition(afterCondition(sort, cursor.values), scope)}, false)`

/** Whether ClickHouse can sort by these keys. */
const canSort = (sort: readonly SortKey[]): boolean =>
  sort.every(({ field }) => field.kind === 'column' && isSortable.has(field.type) && field.spelling === undefined)

const isSortable: ReadonlySet<string> = new Set(['text', 'time', 'integer'])

/** The part of a plan that makes a page; undefined if ClickHouse cannot tell its first rows. */
export function clickHousePage({ sort, after, limit }: CallsPlan): ClickHousePage | undefined {
  return limit !== undefined && sort.length > 0 && canSort(sort) ? { sort, after } : undefined
}

function keyValue({ field }: SortKey): Value {
  if (!canSort([{ field, direction: 'asc' }])) throw new NotExact('orders by other than plain columns')
  return orEmpty(fieldValue(field))
}

function keySql(value: Value, scope: ClickHouseScope): string {
  if (value.kind !== 'field') return textSql(value, scope)
  const { field } = value
  if (field.kind !== 'column' || field.type === 'text') return textSql(value, scope)
  return field.type === 'time' ? timeSql(value, scope) : integerSql(value, scope)
}

/**
 * The condition that a row comes after the one with these values: in the first key in which they
 * differ.
 */
function afterCondition(sort: readonly SortKey[], values: readonly CursorValue[]): Expression {
  const constants = sort.map((key, index) => constantOf(key, itemAt(values, index)))
  return any(
    sort.map((key, index) =>
      all([
        ...sort.slice(0, index).map((before, at) => isEqual(before, constants[at])),
        isAfter(key, constants[index]),
      ]),
    ),
  )
}

/** The value of a key as it is compared; undefined for null. */
function constantOf(key: SortKey, value: CursorValue): Constant | undefined {
  const { field } = key
  if (field.kind !== 'column') throw new NotExact('orders by other than plain columns')
  if (value.type === 'time') return value.micros === null ? undefined : { type: 'time', micros: value.micros }
  if (value.type === 'integer' && typeof value.value === 'bigint') return { type: 'integer', value: value.value }
  if (value.type !== 'text') return undefined
  const text = value.value === null && field.emptyIfMissing ? '' : value.value
  if (typeof text !== 'string' || (text === '' && field.nullIfEmpty && !field.emptyIfMissing)) return undefined
  return { type: 'text', value: text }
}

function isEqual(key: SortKey, constant: Constant | undefined): Expression {
  return constant === undefined ? isMissing(key) : compared(key, '=', constant)
}

/** Missing values are the smallest. */
function isAfter(key: SortKey, constant: Constant | undefined): Expression {
  if (key.direction === 'asc') return constant === undefined ? not(isMissing(key)) : compared(key, '>', constant)
  return constant === undefined ? never : any([compared(key, '<', constant), isMissing(key)])
}

const isMissing = (key: SortKey): Expression => {
  const value = keyValue(key)
  return value.kind === 'field' ? { kind: 'isNull', value } : never
}

const compared = (key: SortKey, comparison: '=' | '>' | '<', constant: Constant): Expression => ({
  kind: 'compare',
  comparison,
  as: constant.type === 'time' || constant.type === 'integer' ? constant.type : 'text',
  left: keyValue(key),
  right: { kind: 'constant', constant },
})
