import { feedbackTypeParts, neutralFeedbackType } from '../formats/dialect/feedback-type.ts'
import { allSpellings } from '../formats/dialect/ref.ts'
import type { ColumnField } from './catalog.ts'
import type { Value } from './expression.ts'

type SpelledField = ColumnField & { readonly spelling: NonNullable<ColumnField['spelling']> }

/**
 * The field of a value whose stored texts have more than one spelling; undefined for any other
 * value.
 */
export const spelledField = (value: Value): SpelledField | undefined =>
  value.kind === 'field' && value.field.kind === 'column' && value.field.spelling !== undefined
    ? (value.field as SpelledField)
    : undefined

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
