import { feedbackTypeParts, neutralFeedbackType } from '../formats/dialect/feedback-type.ts'
import { allSpellings } from '../formats/dialect/ref.ts'
import type { TextCondition } from '../lib/text-condition.ts'
import type { ColumnField } from './catalog.ts'
import { constantText, type Expression, type Value } from './expression.ts'

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
      const text = constantText(part)
      return text === undefined || !isAmong(input, columns) ? undefined : { kind: 'contains', text, ignoreCase }
    }
    default:
      return undefined
  }
}

const isAmong = (value: Value, columns: readonly string[]): boolean =>
  value.kind === 'field' &&
  value.field.kind === 'column' &&
  value.field.type === 'text' &&
  value.field.spelling === undefined &&
  columns.includes(value.field.column)

type SpelledField = ColumnField & { readonly spelling: NonNullable<ColumnField['spelling']> }

/**
 * The field of a value whose stored texts have more than one spelling; undefined for any other
 * value.
 */
export const spelledField = (value: Value): SpelledField | undefined =>
  value.kind === 'field' && value.field.kind === 'column' && isSpelled(value.field) ? value.field : undefined

const isSpelled = (field: ColumnField): field is SpelledField => field.spelling !== undefined

/** The column as it is stored, and the stored texts that equal `text`; an index can find those. */
export function storedEquality({ spelling, ...stored }: SpelledField, text: string): { value: Value; texts: string[] } {
  const texts = spelling.of === 'ref' ? allSpellings(text) : [neutralFeedbackType(text)]
  return { value: { kind: 'field', field: stored }, texts }
}

/** The spellings of a text in a JSON value that has two; undefined for any other value. */
export function spellingsInJson(value: Value, text: string): string[] | undefined {
  if (value.kind === 'orEmpty') return spellingsInJson(value.input, text)
  if (value.kind !== 'cast' || value.input.kind !== 'field') return undefined
  const { field } = value.input
  if (field.kind !== 'json' || !field.inSeveralCases) return undefined
  const lower = text.toLowerCase()
  return [...new Set([text, lower, text.toUpperCase(), `${lower.slice(0, 1).toUpperCase()}${lower.slice(1)}`])]
}

/** Spellings in which a part of a text may occur in the field. */
export const partSpellings = ({ spelling }: SpelledField, part: string): string[] =>
  spelling.of === 'ref' ? allSpellings(part) : feedbackTypeParts(part, spelling.prefix)
