import { isOfFeedback, isOfQueue, ofSpan } from '../catalog.ts'
import { orEmpty } from '../empty-text.ts'
import { fieldValue } from '../expression.ts'
import type { SortKey } from '../sort.ts'
import { newestFeedbackSql } from './feedback-rows.ts'
import { plainTextSql } from './json-value.ts'
import { newestQueueItemSql } from './queue-item-rows.ts'
import type { Scope } from './scope.ts'
import { doubleSql, fieldSql, valueSql } from './value.ts'

/**
 * ORDER BY terms of one key. Nulls come last either way, but for missing texts that compare as empty ones. Values inside JSON have mixed types: those present first, then numbers in
 * the asked direction, then the rest as text in the asked direction.
 */
export function orderTerms({ field, direction }: SortKey, scope: Scope): string[] {
  const way = `${direction === 'asc' ? 'ASC' : 'DESC'} NULLS LAST`
  switch (field.kind) {
    case 'absent':
      return []
    case 'column':
    case 'typedPath':
      return [`${valueSql(orEmpty(fieldValue(field)), scope)} ${way}`]
    case 'feedback':
      return [`${newestFeedbackSql(field.of.feedbackType, scope, (inner) => fieldSql(field, inner))} ${way}`]
    case 'queueItem':
      return [`${newestQueueItemSql(scope, (inner) => fieldSql(field, inner))} ${way}`]
    case 'json': {
      const of = (sql: (inner: Scope) => string): string =>
        field.of === undefined ? sql(scope) : newestFeedbackSql(field.of.feedbackType, scope, sql)
      const text = of((inner) => plainTextSql(field, inner))
      const number = of((inner) => doubleSql(fieldValue(field), inner))
      return [`(${text} IS NULL) ASC`, `${number} ${way}`, `${text} ${way}`]
    }
  }
}

/** Physical columns that sorting needs. */
export const sortColumns = (sort: readonly SortKey[]): string[] =>
  sort.flatMap(({ field }) => {
    if (field.kind === 'absent') return []
    if (isOfFeedback(field) || isOfQueue(field)) return ['id']
    const span = field.kind === 'json' ? ofSpan(field) : undefined
    return span === undefined ? [field.column] : [field.column, span.column]
  })
