import { isOfFeedback, isOfQueue, ofSpan } from '../catalog.ts'
import { fieldValue, orEmpty } from '../expression.ts'
import type { SortKey } from '../sort.ts'
import { newestFeedbackSql } from './feedback-rows.ts'
import { plainTextSql } from './json-value.ts'
import { newestQueueItemSql } from './queue-item-rows.ts'
import type { Scope } from './scope.ts'
import { doubleSql, fieldSql, valueSql } from './value.ts'

/** One term of ORDER BY, with nulls last. */
export interface OrderTerm {
  readonly sql: string
  readonly direction: 'ASC' | 'DESC'
}

/**
 * ORDER BY terms of one key. Nulls come last in either direction, except missing texts that compare
 * as empty ones. Values inside JSON have mixed types: numbers come first, then the rest as text,
 * both in the direction asked for.
 */
export function orderTerms({ field, direction }: SortKey, scope: Scope): OrderTerm[] {
  const asAsked = direction === 'asc' ? 'ASC' : 'DESC'
  switch (field.kind) {
    case 'absent':
      return []
    case 'column':
      return [{ sql: valueSql(orEmpty(fieldValue(field)), scope), direction: asAsked }]
    case 'feedback': {
      const sql = newestFeedbackSql(field.of.feedbackType, scope, (inner) => fieldSql(field, inner))
      return [{ sql, direction: asAsked }]
    }
    case 'queueItem':
      return [{ sql: newestQueueItemSql(scope, (inner) => fieldSql(field, inner)), direction: asAsked }]
    case 'json': {
      const of = (sql: (inner: Scope) => string): string =>
        field.of === undefined ? sql(scope) : newestFeedbackSql(field.of.feedbackType, scope, sql)
      const text = of((inner) => plainTextSql(field, inner))
      const number = of((inner) => doubleSql(fieldValue(field), inner))
      return [
        { sql: `(${text} IS NULL)`, direction: 'ASC' },
        { sql: number, direction: asAsked },
        { sql: text, direction: asAsked },
      ]
    }
  }
}

/** ORDER BY of several keys; empty without any. */
export function orderSql(sort: readonly SortKey[], scope: Scope): string {
  const terms = sort.flatMap((key) => orderTerms(key, scope))
  return terms.map(({ sql, direction }) => `${sql} ${direction} NULLS LAST`).join(', ')
}

/** Stored columns that sorting reads. */
export const sortColumns = (sort: readonly SortKey[]): string[] =>
  sort.flatMap(({ field }) => {
    if (field.kind === 'absent') return []
    if (isOfFeedback(field) || isOfQueue(field)) return ['id']
    const span = field.kind === 'json' ? ofSpan(field) : undefined
    return span === undefined ? [field.column] : [field.column, span.column]
  })
