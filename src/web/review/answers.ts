import type { FieldKind, ReviewField } from './fields.ts'
import { type Correction, correctionOf, isWhole, storedCorrection } from './kinds/correction.ts'

/** What a reviewer has filled in, by the ref of the field; a correction is a `Correction`. */
export type Answers = Readonly<Record<string, unknown>>

/** Kinds that may be left empty. */
const optional: ReadonlySet<FieldKind['kind']> = new Set(['text', 'several', 'correction', 'spans'])
/** Kinds whose empty answer says that there is none. */
const lists: ReadonlySet<FieldKind['kind']> = new Set(['several', 'spans'])

/** Kinds that are about the text of one call. */
const ofOneCall: ReadonlySet<FieldKind['kind']> = new Set(['correction', 'spans'])

/** Fields of a form that apply to an item. */
export const fieldsFor = (fields: readonly ReviewField[], isPair: boolean): readonly ReviewField[] =>
  fields.filter(({ of }) => (isPair ? !ofOneCall.has(of.kind) : of.kind !== 'preference'))

/** Fields that lack an answer, or whose answer cannot be stored. */
export const missingIn = (fields: readonly ReviewField[], answers: Answers): readonly ReviewField[] =>
  fields.filter(({ ref, of }) =>
    of.kind === 'correction'
      ? !isWhole(correctionIn(answers, ref))
      : !optional.has(of.kind) && answers[ref] === undefined,
  )

/** The answers to send, in the order of the form. */
export const givenOf = (fields: readonly ReviewField[], answers: Answers) =>
  fields.flatMap(({ ref, of }) => {
    if (of.kind === 'correction') {
      const correction = correctionIn(answers, ref)
      return correction === undefined ? [] : [{ annotation_ref: ref, value: storedCorrection(correction) }]
    }
    const value = answers[ref] ?? (lists.has(of.kind) ? [] : undefined)
    return value === undefined || value === '' ? [] : [{ annotation_ref: ref, value }]
  })

/** Stored answers as the form holds them. */
export const answersOf = (fields: readonly ReviewField[], stored: ReadonlyMap<string, unknown>): Answers =>
  Object.fromEntries(
    fields.flatMap(({ ref, of }) => {
      if (!stored.has(ref)) return []
      const value = stored.get(ref)
      return [[ref, of.kind === 'correction' ? correctionOf(value) : value]]
    }),
  )

/** The correction that a reviewer has typed. */
export const correctionIn = (answers: Answers, ref: string): Correction | undefined => {
  const value = answers[ref]
  return typeof value === 'object' && value !== null && 'text' in value && 'isJson' in value
    ? { text: String(value.text), isJson: value.isJson === true }
    : undefined
}

/** The answer that a digit gives to a field: its option with that number; undefined if none. */
export function answerOfDigit({ of }: ReviewField, digit: number, before: unknown): unknown {
  switch (of.kind) {
    case 'choice':
      return of.options[digit - 1]
    case 'several': {
      const option = of.options[digit - 1]
      return option === undefined ? undefined : toggled(of.options, before, option)
    }
    case 'scale': {
      const value = of.low + digit - 1
      return value <= of.high ? value : undefined
    }
    default:
      return undefined
  }
}

/** A choice of several with one more or fewer, in the order of the options. */
export function toggled(options: readonly string[], before: unknown, option: string): readonly string[] {
  const chosen = new Set(Array.isArray(before) ? before : [])
  if (!chosen.delete(option)) chosen.add(option)
  return options.filter((each) => chosen.has(each))
}
