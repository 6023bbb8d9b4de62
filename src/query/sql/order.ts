import { isOfFeedback, isOfQueue, isOfUsage, type JsonField, ofSpan } from '../catalog.ts'
import type { AfterRow } from '../cursor.ts'
import { fieldValue, orEmpty } from '../expression.ts'
import { storedColumnsOf, textPathOf } from '../path-of-row.ts'
import type { SortKey } from '../sort.ts'
import { plainTextSql } from './json-value.ts'
import type { Parameters } from './parameters.ts'
import { newestFeedbackSql, newestQueueItemSql } from './related-rows.ts'
import type { Scope } from './scope.ts'
import { usageKey } from './usage-fields.ts'
import { doubleSql, fieldSql, numberOfText, valueSql } from './value.ts'

/** LIMIT and OFFSET, each with a leading space, if requested. */
export function pageSql(
  { limit, offset = 0 }: { readonly limit?: number | undefined; readonly offset?: number | undefined },
  parameters: Parameters,
): string {
  const cut = limit === undefined ? '' : ` LIMIT ${parameters.bind(BigInt(limit))}::BIGINT`
  const skip = offset === 0 ? '' : ` OFFSET ${parameters.bind(BigInt(offset))}::BIGINT`
  return cut + skip
}

/** One term of ORDER BY. */
export interface OrderTerm {
  readonly sql: string
  /** Direction and place of nulls, as in SQL. */
  readonly order: `${'ASC' | 'DESC'} NULLS ${'FIRST' | 'LAST'}`
}

/**
 * ORDER BY terms of one key. Missing values are the smallest ones: they come first in ascending
 * order and last in descending order. Values inside JSON have mixed types: in either direction
 * numbers come before the rest, which is compared as text.
 */
export function orderTerms({ field, direction }: SortKey, scope: Scope): OrderTerm[] {
  const order = direction === 'asc' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST'
  switch (field.kind) {
    case 'absent':
      return []
    case 'column':
      return [{ sql: valueSql(orEmpty(fieldValue(field)), scope), order }]
    case 'usage':
      return [{ sql: fieldSql(field, scope), order }]
    case 'feedback': {
      const sql = newestFeedbackSql(field.of, scope, (inner) => fieldSql(field, inner))
      return [{ sql, order }]
    }
    case 'queueItem':
      return [{ sql: newestQueueItemSql(scope, (inner) => fieldSql(field, inner)), order }]
    case 'json': {
      const number = ofRowOrFeedback(field, scope, (inner) => doubleSql(fieldValue(field), inner))
      return jsonTerms(jsonKeyTextSql(field, scope), number, direction)
    }
  }
}

const jsonTerms = (text: string, number: string, direction: SortKey['direction']): OrderTerm[] => {
  const asAsked = direction === 'asc' ? 'ASC' : 'DESC'
  return [
    { sql: `(${text} IS NOT NULL)`, order: `${asAsked} NULLS LAST` },
    { sql: number, order: `${asAsked} NULLS LAST` },
    { sql: text, order: `${asAsked} NULLS LAST` },
  ]
}

const jsonKeyTextSql = (field: JsonField, scope: Scope): string =>
  ofRowOrFeedback(field, scope, (inner) => plainTextSql(field, inner))

const ofRowOrFeedback = ({ of }: JsonField, scope: Scope, sql: (inner: Scope) => string): string =>
  of === undefined ? sql(scope) : newestFeedbackSql(of, scope, sql)

/** ORDER BY of several keys; empty without any. See docs/decisions/210-missing-values-first.md. */
export function orderSql(sort: readonly SortKey[], scope: Scope): string {
  const terms = sort.flatMap((key) => orderTerms(key, scope))
  return terms.map(({ sql, order }) => `${sql} ${order}`).join(', ')
}

/**
 * DuckDB's own key of a row in an order: keys compare as bytes like the rows are sorted, ties and
 * nulls included.
 */
export function sortKeySql(sort: readonly SortKey[], scope: Scope): string {
  const texts: string[] = []
  const terms = sort.flatMap((key) => {
    if (key.field.kind !== 'json') return orderTerms(key, scope)
    const text = `x${texts.push(jsonKeyTextSql(key.field, scope)) - 1}`
    return jsonTerms(text, numberOfText(text), key.direction)
  })
  const list = terms.flatMap(({ sql, order }) => [sql, `'${order}'`])
  // DuckDB would parse the JSON once per mention. A lambda parameter is a value with a name.
  return texts.reduceRight(
    (body, text, index) => `list_transform([${text}], lambda x${index}: ${body})[1]`,
    `create_sort_key(${list.join(', ')})`,
  )
}

/** The condition that a row comes after another in an order. */
export const afterSql = ({ sort, sortKey }: AfterRow, scope: Scope): string =>
  `${sortKeySql(sort, scope)} > unhex(${scope.parameters.bind(sortKey)})`

/** A value by which rows are sorted, as JSON text in a column of its own. */
interface SortText {
  readonly name: string
  readonly path: string
  readonly field: JsonField
}

/**
 * Values inside JSON by which rows are sorted. They are read with the rows, from columns of their
 * own where data files have these, so that sorting does not read the JSON around them.
 */
export const sortTexts = (sort: readonly SortKey[]): readonly SortText[] =>
  sort.flatMap(({ field }, index) => {
    const path = textPathOf(field)
    return field.kind !== 'json' || path === undefined ? [] : [{ name: `sort_${index}`, path, field }]
  })

/** Stored columns that sorting reads besides `sortTexts`. */
export const plainSortColumns = (sort: readonly SortKey[]): string[] =>
  sortColumns(sort.filter(({ field }) => textPathOf(field) === undefined))

/** Stored columns that sorting reads. */
export const sortColumns = (sort: readonly SortKey[]): string[] =>
  sort.flatMap(({ field }) => {
    if (field.kind === 'absent') return []
    if (isOfUsage(field)) return [usageKey(field)]
    if (isOfFeedback(field) || isOfQueue(field)) return ['id']
    if (field.kind !== 'json') return [field.column]
    const span = ofSpan(field)
    return span === undefined ? storedColumnsOf(field) : [field.column, ...storedColumnsOf(span)]
  })
