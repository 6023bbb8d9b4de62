import { feedbackTypeParts, neutralFeedbackType } from '../dialect/feedback-type.ts'
import { allSpellings } from '../dialect/ref.ts'
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

/** Spellings in which a part of a text may occur in the field. */
export const partSpellings = ({ spelling }: SpelledField, part: string): string[] =>
  spelling.of === 'ref' ? allSpellings(part) : feedbackTypeParts(part, spelling.prefix)
