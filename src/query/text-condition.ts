import type { TextCondition } from '../lib/text-condition.ts'
import type { Expression, Value } from './expression.ts'

/**
 * Texts that some columns of a row must contain for the condition to hold; undefined if there are
 * none to derive. The condition has already been rewritten: searches in JSON come with a search of
 * the stored text (rewrite/add-text-prefilter.ts).
 */
export function textConditionOf(where: Expression, columns: readonly string[]): TextCondition | undefined {
  switch (where.kind) {
    case 'all': {
      const items = where.items.flatMap((item) => textConditionOf(item, columns) ?? [])
      return items.length === 0 ? undefined : { kind: 'all', items }
    }
    case 'any': {
      const items = where.items.map((item) => textConditionOf(item, columns))
      const known = items.filter((item) => item !== undefined)
      return known.length === 0 || known.length < items.length ? undefined : { kind: 'any', items: known }
    }
    case 'contains': {
      const { input, part, ignoreCase } = where
      const text = textOf(part)
      return text === undefined || !isAmong(input, columns) ? undefined : { kind: 'contains', text, ignoreCase }
    }
    default:
      return undefined
  }
}

const textOf = (value: Value): string | undefined =>
  value.kind === 'constant' && value.constant.type === 'text' && 'value' in value.constant
    ? value.constant.value
    : undefined

const isAmong = (value: Value, columns: readonly string[]): boolean =>
  value.kind === 'field' &&
  value.field.kind === 'column' &&
  value.field.type === 'text' &&
  value.field.spelling === undefined &&
  columns.includes(value.field.column)
